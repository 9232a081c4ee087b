#pragma once

#include <utility>

#include <unistd.h>

namespace ration::redis_test {

/// Owns a file descriptor.
class FileHandle {
public:
    FileHandle() = default;
    explicit FileHandle(int file) : file_{file} {}
    FileHandle(FileHandle&& other) noexcept : file_{std::exchange(other.file_, -1)} {}
    FileHandle& operator=(FileHandle&& other) noexcept
    {
        std::swap(file_, other.file_);
        return *this;
    }
    ~FileHandle()
    {
        if (file_ >= 0) ::close(file_);
    }

    int get() const { return file_; }
    bool is_open() const { return file_ >= 0; }

private:
    int file_ = -1;
};

}  // namespace ration::redis_test
