#include "cli/settings.hpp"

#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "core/quote.hpp"
#include "core/url.hpp"

#include <ration/error.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <optional>

#include <sys/stat.h>

namespace ration::cli {

namespace {

using namespace std::chrono_literals;

constexpr Duration longest_timeout = 1h;
constexpr char const* keys[] = {"store", "command_timeout", "tls_ca", "tls_cert", "tls_key"};

std::string environment(char const* name)
{
    char const* const value = std::getenv(name);
    return value ? value : "";
}

/// $XDG_CONFIG_HOME/ration/config, else ~/.config/ration/config; nothing without a home.
std::optional<std::string> config_path()
{
    if (auto const config = environment("XDG_CONFIG_HOME"); config.starts_with('/'))
        return config + "/ration/config";
    if (auto const home = environment("HOME"); !home.empty()) return home + "/.config/ration/config";
    return std::nullopt;
}

std::string trimmed(std::string const& text)
{
    constexpr auto blanks = " \t\r";
    auto const first = text.find_first_not_of(blanks);
    if (first == text.npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

using Settings = std::map<std::string, std::string>;

/// Lines of `key = value`; blank ones and those that begin with # are skipped. The sentences never quote a value: it may
/// hold a password.
Settings read_config(std::string const& path)
{
    Settings settings;
    std::ifstream file{path};
    if (!file) {
        if (errno == ENOENT || errno == ENOTDIR) return settings;
        throw UsageError{"cannot read " + printable(path) + ": " + std::strerror(errno)};
    }
    int number = 0;
    for (std::string line; std::getline(file, line);) {
        ++number;
        line = trimmed(line);
        if (line.empty() || line.front() == '#') continue;
        auto const where = printable(path) + ":" + std::to_string(number) + ": ";
        auto const equals = line.find('=');
        if (equals == line.npos)
            throw UsageError{where + "write a line as 'key = value', e.g. store = redis://127.0.0.1"};
        auto const key = trimmed(line.substr(0, equals));
        if (std::find(std::begin(keys), std::end(keys), key) == std::end(keys)) {
            throw UsageError{where + "there is no setting " + core::quoted(key)
                             + "; there are store, command_timeout, tls_ca, tls_cert and tls_key"};
        }
        settings[key] = trimmed(line.substr(equals + 1));
    }
    return settings;
}

bool has_password(std::string const& store)
{
    try {
        auto const url = core::parse_store_url(store);
        return !url.password.empty();
    } catch (Error const&) {
        return false;  // whoever opens it says what is wrong with it
    }
}

bool others_may_read(std::string const& path)
{
    struct stat about {};
    return ::stat(path.c_str(), &about) == 0 && (about.st_mode & (S_IRGRP | S_IROTH)) != 0;
}

void warn(bool json, std::string_view name, std::string const& sentence)
{
    say_to_error(json ? JsonLine{}.add("warning", name).add("message", sentence).text()
                      : "ration: warning: " + sentence);
}

}  // namespace

GlobalOptions settle(GivenOptions const& given, bool json)
{
    auto const path = config_path();
    auto file = path ? read_config(*path) : Settings{};
    auto const chosen = [&](std::string const& argument, char const* variable, char const* key) {
        if (!argument.empty()) return argument;
        if (variable != nullptr) {
            if (auto text = environment(variable); !text.empty()) return text;
        }
        return file[key];
    };

    GlobalOptions global;
    global.json = json;
    if (auto const store = chosen(given.store, "RATION_STORE", "store"); !store.empty()) global.store = store;
    if (auto const timeout = chosen(given.command_timeout, nullptr, "command_timeout"); !timeout.empty()) {
        auto const name = given.command_timeout.empty() ? *path + ": command_timeout" : "--command-timeout";
        global.command_timeout = parse_span(name, timeout, longest_timeout);
    }
    global.tls.ca_file = chosen(given.tls_ca, nullptr, "tls_ca");
    global.tls.certificate_file = chosen(given.tls_cert, nullptr, "tls_cert");
    global.tls.private_key_file = chosen(given.tls_key, nullptr, "tls_key");
    // A file for all stores may name certificates that this one does not need.
    bool const asked_for_tls = !given.tls_ca.empty() || !given.tls_cert.empty() || !given.tls_key.empty();
    if (!asked_for_tls && !global.store.starts_with("rediss:")) global.tls = {};

    if (has_password(given.store)) {
        warn(json, "password_in_argument",
             "everybody on this machine can see the password in --store (ps shows it); put the URL into "
             "RATION_STORE or into "
                 + (path ? printable(*path) : std::string{"~/.config/ration/config"}));
    } else if (global.store == file["store"] && has_password(global.store) && others_may_read(*path)) {
        warn(json, "password_in_readable_file",
             "others may read the password in " + printable(*path) + "; chmod 600 it");
    }
    return global;
}

}  // namespace ration::cli
