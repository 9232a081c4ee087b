// Retries after a while, by a consumer that may die: delay_queue redis://127.0.0.1:6379
//
// Without a server it runs inside this process.

#include <ration/ration.hpp>

#include <iostream>
#include <string>

using namespace std::chrono_literals;

namespace {

int attempts = 0;

bool deliver(std::string const& order)
{
    std::cout << "attempt " << ++attempts << " to deliver " << order << '\n';
    return attempts > 1;
}

}  // namespace

int main(int argc, char** argv)
try {
    ration::Client client{argc > 1 ? argv[1] : "memory:", {.command_timeout = 5s}};
    //! [queue]
    auto retries = client.delay_queue("retries", {.acknowledge = ration::Acknowledge::manual});
    retries.offer("order 17");  // at once; any process may take it

    for (int handled = 0; handled < 2; ++handled) {
        ration::Item const item = retries.take();  // waits, without asking the server again and again
        if (!deliver(item.value)) retries.offer(item.value, 50ms);
        retries.ack(
            item.id);  // done with; had this process died before, another would get it after the lease
    }
    //! [/queue]
    auto const reminder = retries.offer_at("call ann", std::chrono::system_clock::now() + 1h);
    bool const called_off = retries.cancel(reminder);
    return attempts == 2 && called_off && retries.size() == 0 ? 0 : 1;
} catch (ration::Error const& error) {
    std::cerr << error.what() << '\n';
    return 3;
}
