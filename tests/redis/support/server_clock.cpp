#include "redis/support/server_clock.hpp"

#include "redis/support/clock_page.hpp"
#include "redis/support/file_handle.hpp"

#include <cerrno>
#include <new>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>

namespace ration::redis_test {

ServerClock::ServerClock(std::filesystem::path file) : file_{std::move(file)}
{
    FileHandle const handle{::open(file_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)};
    void* memory = MAP_FAILED;
    if (handle.is_open() && ::ftruncate(handle.get(), sizeof(ClockPage)) == 0) {
        memory = ::mmap(nullptr, sizeof(ClockPage), PROT_READ | PROT_WRITE, MAP_SHARED, handle.get(), 0);
    }
    if (memory == MAP_FAILED) throw std::system_error{errno, std::generic_category(), file_.string()};
    page_ = new (memory) ClockPage{};
}

ServerClock::~ServerClock()
{
    ::munmap(page_, sizeof(ClockPage));
}

void ServerClock::freeze(Time time)
{
    auto const microseconds = time.time_since_epoch().count();
    if (microseconds == 0) throw std::invalid_argument{"the clock cannot be frozen at the start of 1970"};
    page_->frozen = microseconds;
}

void ServerClock::advance(Duration by)
{
    if (page_->frozen == 0) throw std::logic_error{"advance() moves a frozen clock; use step()"};
    page_->frozen += by.count();
}

void ServerClock::step(Duration by)
{
    if (page_->frozen != 0) throw std::logic_error{"step() moves a running clock; use advance()"};
    page_->offset += by.count();
}

void ServerClock::run()
{
    page_->frozen = 0;
}

Time ServerClock::now() const
{
    if (auto const frozen = page_->frozen.load(); frozen != 0) return Time{Duration{frozen}};
    return std::chrono::time_point_cast<Duration>(std::chrono::system_clock::now()) + Duration{page_->offset};
}

}  // namespace ration::redis_test
