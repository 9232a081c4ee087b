// The `ration` command: reads the command line, runs one subcommand, and turns what went wrong into one
// sentence and an exit code.

#include "cli/command.hpp"
#include "cli/json_line.hpp"
#include "core/quote.hpp"

#include <ration/error.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <string_view>

namespace ration::cli {

namespace {

constexpr auto description = "ration limits how often something happens. This command shows it.";

constexpr auto examples = "Examples:\n"
                          "  ration demo                            20 workers share 5 permits per second\n"
                          "  ration demo --workers 20 --rate 1/1s   one at a time\n"
                          "  ration demo --help                     what else it can show\n"
                          "\n"
                          "Exit codes: 0 done, 1 denied, 2 wrong usage, 3 store or data error.";

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
    switch (static_cast<CLI::ExitCodes>(error.get_exit_code())) {
    case CLI::ExitCodes::RequiredError:
        if (unexpected.empty()) return "give a command, e.g. demo" + hint;
        [[fallthrough]];
    case CLI::ExitCodes::ExtrasError:
        if (chosen.empty() && !is_option) return "there is no command " + core::quoted(unexpected) + hint;
        return core::quoted(unexpected) + " was not expected" + hint;
    case CLI::ExitCodes::ArgumentMismatch: {
        std::string const text = error.what();  // "--rate: 1 required RATE missing"
        return text.substr(0, text.find(':')) + " needs a value" + hint;
    }
    default: return error.what() + hint;
    }
}

Exit report(bool json, Exit exit, std::string_view name, std::string const& sentence)
{
    auto const line =
        json ? JsonLine{}.add("error", name).add("message", sentence).text() : "ration: " + sentence;
    std::fflush(stdout);
    std::fputs((line + "\n").c_str(), stderr);
    return exit;
}

/// Wrong arguments are the caller's to mend; all else is the store's.
Exit exit_for(Error const& error)
{
    bool const usage = error.code() == Errc::invalid_argument || error.code() == Errc::permits_exceed_rate;
    return usage ? Exit::wrong_usage : Exit::failed;
}

Exit run(int argc, char const* const* argv)
{
    // Known before anything is parsed: what is wrong with the command line is told in JSON, too.
    bool const json =
        std::any_of(argv, argv + argc, [](std::string_view argument) { return argument == "--json"; });
    GlobalOptions global;
    Run chosen;

    CLI::App app{description, "ration"};
    app.footer(examples);
    app.get_formatter()->column_width(24);
    app.get_formatter()->label("SUBCOMMAND", "COMMAND");
    app.get_formatter()->label("Subcommands", "Commands");
    app.fallthrough();
    app.require_subcommand(1);
    app.add_option("--store", global.store, "Where limiters live; this version knows memory:")
        ->envname("RATION_STORE")
        ->type_name("URL")
        ->capture_default_str();
    app.add_flag("--json", global.json, "Print one JSON object per line");
    app.set_version_flag("--version", "ration " RATION_VERSION, "Print the version and exit");
    app.set_help_flag("--help", "Print this help and exit");
    add_demo(app, global, chosen);

    try {
        app.parse(argc, argv);
    } catch (CLI::Success const& wanted) {  // --help, --version
        app.exit(wanted);
        return Exit::done;
    } catch (CLI::ParseError const& error) {
        return report(json, Exit::wrong_usage, "wrong_usage", usage_sentence(app, error));
    }
    try {
        return chosen();
    } catch (UsageError const& error) {
        return report(json, Exit::wrong_usage, "wrong_usage", error.what());
    } catch (Error const& error) {
        auto const exit = exit_for(error);
        return report(json, exit, exit == Exit::wrong_usage ? "wrong_usage" : "store_error", error.what());
    } catch (std::exception const& error) {
        return report(json, Exit::failed, "failed", error.what());
    }
}

}  // namespace

}  // namespace ration::cli

int main(int argc, char** argv)
{
    return static_cast<int>(ration::cli::run(argc, argv));
}
