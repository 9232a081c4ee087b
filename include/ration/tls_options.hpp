#pragma once

#include <string>

namespace ration {

/// How a connection by rediss:// is secured: TLS 1.2 or newer, and the server has to prove that it is the
/// host the URL names. Files are PEM.
struct TlsOptions {
    std::string ca_file{};           ///< who may vouch for the server; empty: whom this system trusts
    std::string certificate_file{};  ///< this client's certificate and its chain; empty: none is shown
    std::string private_key_file{};  ///< belongs to certificate_file: both or neither
    bool insecure = false;           ///< believe any server; for experiments only

    friend bool operator==(TlsOptions const&, TlsOptions const&) = default;
};

}  // namespace ration
