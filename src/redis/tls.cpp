#include "redis/tls.hpp"

#include "core/quote.hpp"

#include <ration/error.hpp>

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ssl/verify_context.hpp>

#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>

#include <string_view>
#include <utility>

namespace ration::redis {
namespace {

namespace ssl = boost::asio::ssl;

[[noreturn]] void refuse(std::string const& sentence)
{
    throw Error{Errc::invalid_argument, sentence};
}

void require_readable(boost::system::error_code const& error, std::string_view option,
                      std::string const& file)
{
    if (!error) return;
    refuse("TlsOptions::" + std::string{option} + ": " + core::quoted(file, 256) + " is not usable ("
           + error.message() + "); give the path of a PEM file that this process may read");
}

/// Names the wanted server before the handshake, so that one address may serve several.
///
/// Boost.Redis makes the SSL object itself and gives no access to it, so this is told by OpenSSL when the
/// handshake starts. The host it finds was set by expect_host; for an address there is none, as SNI knows
/// names only.
void name_server(SSL const* ssl, int where, int)
{
    if ((where & SSL_CB_HANDSHAKE_START) == 0) return;
    auto* writable = const_cast<SSL*>(ssl);  // the type of the callback is older than const-correctness
    if (char const* host = X509_VERIFY_PARAM_get0_host(SSL_get0_param(writable), 0)) {
        SSL_ctrl(writable, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, const_cast<char*>(host));
    }
}

/// The certificate has to be made out to the URL's host.
void expect_host(ssl::context& context, std::string const& host)
{
    auto* rules = SSL_CTX_get0_param(context.native_handle());
    boost::system::error_code not_an_address;
    boost::asio::ip::make_address(host, not_an_address);
    if (not_an_address) {
        X509_VERIFY_PARAM_set1_host(rules, host.data(), host.size());
        SSL_CTX_set_info_callback(context.native_handle(), name_server);
    } else {
        X509_VERIFY_PARAM_set1_ip_asc(rules, host.c_str());
    }
}

void trust(ssl::context& context, std::string const& ca_file)
{
    boost::system::error_code error;
    if (ca_file.empty()) {
        context.set_default_verify_paths(error);
    } else {
        context.load_verify_file(ca_file, error);
    }
    require_readable(error, "ca_file", ca_file);
}

void show_certificate(ssl::context& context, TlsOptions const& options)
{
    if (options.certificate_file.empty() != options.private_key_file.empty()) {
        refuse("TlsOptions::certificate_file and private_key_file belong together; give both or neither");
    }
    if (options.certificate_file.empty()) return;

    boost::system::error_code error;
    context.use_certificate_chain_file(options.certificate_file, error);
    require_readable(error, "certificate_file", options.certificate_file);
    context.use_private_key_file(options.private_key_file, ssl::context::pem, error);
    require_readable(error, "private_key_file", options.private_key_file);
}

}  // namespace

ssl::context make_tls_context(core::StoreUrl const& url, TlsOptions const& options,
                              std::shared_ptr<std::string> refusal)
{
    ssl::context context{ssl::context::tls_client};
    if (!url.tls) return context;

    SSL_CTX_set_min_proto_version(context.native_handle(), TLS1_2_VERSION);
    show_certificate(context, options);
    expect_host(context, url.host);
    if (options.insecure) {
        context.set_verify_mode(ssl::verify_none);
        return context;
    }
    trust(context, options.ca_file);
    context.set_verify_mode(ssl::verify_peer);
    context.set_verify_callback([refusal = std::move(refusal)](bool accepted, ssl::verify_context& chain) {
        if (!accepted) {
            *refusal = X509_verify_cert_error_string(X509_STORE_CTX_get_error(chain.native_handle()));
        }
        return accepted;
    });
    return context;
}

void check_tls(core::StoreUrl const& url, TlsOptions const& options)
{
    bool const in_the_clear = url.kind != core::StoreUrl::Kind::memory && !url.tls;
    if (in_the_clear && options != TlsOptions{}) {
        refuse("ClientOptions::tls is given, but the URL is for a connection without TLS; write rediss://, "
               "or leave the "
               "options out");
    }
    make_tls_context(url, options, std::make_shared<std::string>());
}

}  // namespace ration::redis
