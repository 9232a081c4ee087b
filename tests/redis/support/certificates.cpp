#include "redis/support/certificates.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace ration::redis_test {

namespace {

// A configuration of our own, because the system's adds extensions as it likes.
constexpr char const* script = R"(
cat >openssl.conf <<'END'
[req]
distinguished_name = name
[name]
[ca]
basicConstraints = critical, CA:true
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
[server]
basicConstraints = CA:false
extendedKeyUsage = serverAuth
subjectAltName = IP:127.0.0.1, DNS:localhost
[client]
basicConstraints = CA:false
extendedKeyUsage = clientAuth
END

certify() { # NAME EXTENSIONS OPTIONS...
    name=$1 extensions=$2
    shift 2
    openssl req -x509 -config openssl.conf -extensions "$extensions" -subj "/CN=ration test $name" -days 30 \
        -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$name.key" -out "$name.crt" "$@"
}
certify ca ca
certify other-ca ca
certify server server -CA ca.crt -CAkey ca.key
certify client client -CA ca.crt -CAkey ca.key
)";

std::string read(std::filesystem::path const& file)
{
    std::ostringstream text;
    text << std::ifstream{file}.rdbuf();
    return text.str();
}

}  // namespace

Certificates make_certificates(std::filesystem::path const& directory)
{
    std::filesystem::create_directories(directory);
    std::ofstream{directory / "certify.sh"} << "set -e\n" << script;
    auto const command = "cd '" + directory.string() + "' && sh certify.sh >certify.log 2>&1";
    if (std::system(command.c_str()) != 0) {
        throw std::runtime_error{"openssl could not make certificates:\n" + read(directory / "certify.log")};
    }
    auto const file = [&](char const* name) { return (directory / name).string(); };
    return {.ca = file("ca.crt"),
            .other_ca = file("other-ca.crt"),
            .server_certificate = file("server.crt"),
            .server_key = file("server.key"),
            .client_certificate = file("client.crt"),
            .client_key = file("client.key")};
}

}  // namespace ration::redis_test
