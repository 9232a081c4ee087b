#pragma once

#include <future>
#include <sstream>
#include <string>

namespace ration::interop {

/// Somebody who shares limiters with others and does what a line says, e.g. "try lim 3". What can be said is in
/// java/ration/Commands.java, and means the same to a Java process and to ration.
class Side {
public:
    virtual ~Side() = default;
    Side(Side const&) = delete;
    Side& operator=(Side const&) = delete;

    virtual std::string name() const = 0;

    /// The answer, when there is one: what the call returned (nothing if it returns nothing); "error CODE" with a code of
    /// ration for errors that both know, else with the text; "missing" if this version has no such call.
    virtual std::future<std::string> start(std::string const& line) = 0;

    /// Waits for it. Throws Mismatch if that takes longer than anything here should.
    std::string ask(std::string const& line);

    template <class... Words>
    std::string operator()(Words const&... words)
    {
        return ask(line_of(words...));
    }

    template <class... Words>
    static std::string line_of(Words const&... words)
    {
        std::ostringstream line;
        char const* separator = "";
        ((line << separator << words, separator = " "), ...);
        return line.str();
    }

protected:
    Side() = default;
};

/// Waits for the answer to `line`, as Side::ask does.
std::string answer_of(std::future<std::string>& answer, std::string const& line);

}  // namespace ration::interop
