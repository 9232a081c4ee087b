#pragma once

#include <filesystem>
#include <string>

namespace ration::redis_test {

/// PEM files for a server with TLS and for its clients, made anew with the openssl command.
struct Certificates {
    std::string ca;                  ///< signed those of the server and of the client
    std::string other_ca;            ///< has signed neither
    std::string server_certificate;  ///< for 127.0.0.1 and localhost
    std::string server_key;
    std::string client_certificate;
    std::string client_key;
};

Certificates make_certificates(std::filesystem::path const& directory);

}  // namespace ration::redis_test
