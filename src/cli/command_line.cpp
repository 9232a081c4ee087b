#include "cli/command_line.hpp"

#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/settings.hpp"
#include "core/quote.hpp"

#include <ration/error.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <string_view>

namespace ration::cli {

namespace {

constexpr auto description =
    "ration limits how often something happens, across threads, processes and machines.";

constexpr auto examples =
    "Examples:\n"
    "  ration demo                                    20 workers share 5 permits per second\n"
    "  export RATION_STORE=redis://127.0.0.1:6379\n"
    "  ration set mail 100/m                          100 mails per minute, for everybody\n"
    "  ration try mail && send-mail                   now or never\n"
    "  ration acquire mail -- send-mail               as soon as it may\n"
    "  ration watch mail                              look at it, live\n"
    "  ration simulate 10/s --traffic bursty          choose an algorithm by looking\n"
    "\n"
    "'ration COMMAND --help' tells more, 'man ration' all of it. The store also comes from\n"
    "RATION_STORE or from the line 'store = URL' in ~/.config/ration/config.\n"
    "\n"
    "Exit codes: 0 granted or done, 1 denied or nothing changed, 2 wrong usage,\n"
    "3 store or data error.";

/// What went wrong on the command line, as one sentence.
std::string usage_sentence(CLI::App const& app, CLI::ParseError const& error)
{
    auto const chosen = app.get_subcommands();
    std::string const help =
        chosen.empty() ? "ration --help" : "ration " + chosen.front()->get_name() + " --help";
    auto const hint = "; see '" + help + "'";

    auto const unplaced = app.remaining(true);
    auto const unexpected = unplaced.empty() ? std::string{} : unplaced.front();
    bool const is_option = unexpected.starts_with("-");
    std::string const text = error.what();
    switch (static_cast<CLI::ExitCodes>(error.get_exit_code())) {
    case CLI::ExitCodes::RequiredError:
        if (!chosen.empty()) return text.substr(0, text.find(' ')) + " is missing" + hint;
        if (unexpected.empty()) return "give a command, e.g. demo" + hint;
        [[fallthrough]];
    case CLI::ExitCodes::ExtrasError:
        if (chosen.empty() && !is_option) return "there is no command " + core::quoted(unexpected) + hint;
        return core::quoted(unexpected) + " was not expected" + hint;
    case CLI::ExitCodes::ArgumentMismatch:  // "--rate: 1 required RATE missing"
        return text.substr(0, text.find(':')) + " needs a value" + hint;
    default: return text + hint;
    }
}

Exit report(bool json, Exit exit, std::string_view name, std::string const& sentence)
{
    say_failure(json, name, sentence);
    return exit;
}

/// Wrong arguments are the caller's to mend; all else is the store's.
Exit report(bool json, Error const& error)
{
    auto const code = static_cast<Errc>(error.code().value());
    if (code == Errc::invalid_argument) return report(json, Exit::wrong_usage, "wrong_usage", error.what());
    bool const usage = code == Errc::permits_exceed_rate;
    return report(json, usage ? Exit::wrong_usage : Exit::failed, to_string(code), error.what());
}

void add_argument(CLI::App& app, Argument const& argument)
{
    CLI::Option* option = nullptr;
    if (auto* const* flag = std::get_if<bool*>(&argument.target)) {
        option = app.add_flag(argument.name, **flag, argument.meaning);
    } else if (auto* const* text = std::get_if<std::string*>(&argument.target)) {
        option = app.add_option(argument.name, **text, argument.meaning)->capture_default_str();
    } else {
        option = app.add_option(argument.name, *std::get<std::vector<std::string>*>(argument.target),
                                argument.meaning);
    }
    if (!std::holds_alternative<bool*>(argument.target)) option->type_name(argument.type);
    if (argument.need == Argument::Need::required) option->required();
}

/// The words of a usage line that CLI11 does not know of.
class Formatter : public CLI::Formatter {
public:
    explicit Formatter(std::vector<Command> const& commands) : commands_{commands}
    {
        column_width(24);
        label("SUBCOMMAND", "COMMAND");
        label("REQUIRED", "");
        label("Positionals", "Arguments");
    }

    std::string make_usage(CLI::App const* app, std::string name) const override
    {
        for (auto const& command : commands_) {
            if (command.name == app->get_name() && !command.usage.empty())
                return "Usage: ration " + command.usage + "\n";
        }
        return CLI::Formatter::make_usage(app, std::move(name));
    }

    std::string make_option_opts(CLI::Option const* option) const override
    {
        auto text = CLI::Formatter::make_option_opts(option);
        while (text.ends_with(' ')) text.pop_back();
        return text;
    }

private:
    std::vector<Command> const& commands_;
};

void add_command(CLI::App& app, Command const& command, Command const*& chosen)
{
    auto* const added = app.add_subcommand(command.name, command.summary);
    added->group(command.group);
    added->footer(command.details);
    for (auto const& argument : command.arguments) add_argument(*added, argument);
    added->callback([&command, &chosen] { chosen = &command; });
}

/// Cuts off what stands behind the first "--" of a command that runs another one.
std::vector<std::string> cut_behind_dashes(std::vector<std::string>& words,
                                           std::vector<Command> const& commands)
{
    auto const takes = [&](std::string const& word) {
        return std::ranges::any_of(
            commands, [&](Command const& command) { return command.takes_command && command.name == word; });
    };
    auto const dashes = std::ranges::find(words, "--");
    if (dashes == words.end() || std::none_of(words.begin(), dashes, takes)) return {};
    std::vector<std::string> behind(dashes + 1, words.end());
    if (behind.empty()) throw UsageError{"give a command to run behind '--'; see 'ration acquire --help'"};
    words.erase(dashes, words.end());
    return behind;
}

/// `ps` shows the arguments of every process: what was a password there is crossed out.
void cross_out_password(int argc, char** argv)
{
    for (int i = 1; i < argc; ++i) {
        std::string_view const argument = argv[i];
        auto const at = argument.rfind('@');
        auto const scheme = argument.find("://");
        if (scheme == argument.npos || at == argument.npos || at < scheme) continue;
        auto const colon = argument.find(':', scheme + 3);
        if (colon < at) std::fill(argv[i] + colon + 1, argv[i] + at, '*');
    }
}

Exit run(int argc, char** argv)
{
    std::vector<std::string> words(argv + 1, argv + argc);
    // Known before anything is parsed: what is wrong with the command line is told in JSON, too.
    auto const dashes = std::ranges::find(words, "--");
    bool json = std::find(words.begin(), dashes, "--json") != dashes;

    GlobalOptions global;
    GivenOptions given;
    auto const commands = all_commands(global);
    Command const* chosen = nullptr;

    CLI::App app{description, "ration"};
    app.footer(examples);
    app.formatter(std::make_shared<Formatter>(commands));
    app.fallthrough();
    app.require_subcommand(1);
    add_argument(app,
                 {"--store", "URL",
                  "Where limiters live: redis://HOST[:PORT][/DB],\nrediss:// with TLS, unix:/PATH; if not "
                  "given,\n$RATION_STORE, else memory: (this process alone)",
                  &given.store});
    add_argument(app, {"--json", "", "Print one JSON object per line", &json});
    add_argument(app, {"--command-timeout", "D", "How long the store may take to answer (2s)",
                       &given.command_timeout});
    add_argument(app, {"--tls-ca", "FILE", "rediss: who may vouch for the server", &given.tls_ca});
    add_argument(app, {"--tls-cert", "FILE", "rediss: this client's certificate", &given.tls_cert});
    add_argument(app, {"--tls-key", "FILE", "rediss: the key that belongs to it", &given.tls_key});
    app.set_version_flag("--version", "ration " RATION_VERSION, "Print the version and exit");
    app.set_help_flag("--help", "Print this help and exit");
    for (auto const& command : commands) add_command(app, command, chosen);

    try {
        auto const behind_dashes = cut_behind_dashes(words, commands);
        std::ranges::reverse(words);  // as CLI11 wants them
        app.parse(words);
        cross_out_password(argc, argv);
        global = settle(given, json);
        global.behind_dashes = behind_dashes;
        auto const exit = chosen->run();
        if (std::fflush(stdout) != 0)
            return report(json, Exit::failed, "failed", "standard output cannot be written");
        return exit;
    } catch (CLI::Success const& wanted) {  // --help, --version
        app.exit(wanted);
        return Exit::done;
    } catch (CLI::ParseError const& error) {
        return report(json, Exit::wrong_usage, "wrong_usage", usage_sentence(app, error));
    } catch (UsageError const& error) {
        return report(json, Exit::wrong_usage, "wrong_usage", error.what());
    } catch (Error const& error) {
        return report(json, error);
    } catch (std::exception const& error) {
        return report(json, Exit::failed, "failed", error.what());
    }
}

}  // namespace

int run_command_line(int argc, char** argv)
{
    return static_cast<int>(run(argc, argv));
}

}  // namespace ration::cli
