// What a user writes first. Built outside ration's tree, once with find_package and once with add_subdirectory.
#include <ration/ration.hpp>

#include <iostream>

int main()
{
    ration::Client client{"memory:"};
    auto limiter = client.rate_limiter("x");
    bool const set = limiter.try_set_rate(ration::Rate::per_second(2));
    bool const first = static_cast<bool>(limiter.try_acquire());
    bool const second = static_cast<bool>(limiter.try_acquire());
    bool const third = static_cast<bool>(limiter.try_acquire());
    std::cout << "set " << set << ", then " << first << second << third << '\n';
    return set && first && second && !third ? 0 : 1;
}
