#include "interop/side.hpp"

#include "interop/expect.hpp"

#include <chrono>

namespace ration::interop {

std::string answer_of(std::future<std::string>& answer, std::string const& line)
{
    using namespace std::chrono_literals;
    expect(answer.wait_for(60s) == std::future_status::ready, "no answer to '" + line + "' within 60 s");
    return answer.get();
}

std::string Side::ask(std::string const& line)
{
    auto answer = start(line);
    return answer_of(answer, line);
}

}  // namespace ration::interop
