#pragma once

#include "core/url.hpp"

#include <ration/tls_options.hpp>

#include <boost/asio/ssl/context.hpp>

#include <memory>
#include <string>

namespace ration::redis {

/// What a connection to `url` needs of TLS; for a URL without TLS, a context nobody uses.
///
/// Why the server's certificate was refused, e.g. "hostname mismatch", is written to `refusal`: the error
/// code of the handshake only says that it was. Throws Error (invalid_argument) if a file cannot be read.
boost::asio::ssl::context make_tls_context(core::StoreUrl const& url, TlsOptions const& options,
                                           std::shared_ptr<std::string> refusal);

/// Throws Error (invalid_argument) with a sentence if the options do not go with the URL or a file cannot be
/// read.
void check_tls(core::StoreUrl const& url, TlsOptions const& options);

}  // namespace ration::redis
