#pragma once

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>

namespace ration::redis_test {

/// A new directory, gone with all that is in it when this object is.
class TemporaryDirectory {
public:
    TemporaryDirectory()
    {
        // Not $TMPDIR, which may be long: the path of a unix socket has room for 107 bytes.
        std::string name = "/tmp/ration-XXXXXX";
        if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error{"cannot make a directory in /tmp"};
        path_ = name;
    }
    ~TemporaryDirectory()
    {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TemporaryDirectory(TemporaryDirectory const&) = delete;
    TemporaryDirectory& operator=(TemporaryDirectory const&) = delete;

    std::filesystem::path const& path() const { return path_; }

private:
    std::filesystem::path path_;
};

}  // namespace ration::redis_test
