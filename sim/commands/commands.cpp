// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/commands.hpp"

#include <cstdio>
#include <new>

#include "sim/commands/command_list.hpp"
#include "sim/commands/options.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/process.hpp"
#include "sim/engines/engine.hpp"
#include "sim/reports/version.hpp"
#include "sim/studies/workloads/workload.hpp"

namespace tutti::commands {
namespace {

const std::vector<std::string> color_words = {"auto", "always", "never"};

// The value of the last --color. It must be known before any message is printed.
std::string color_word(const Arguments& arguments) {
  constexpr std::string_view name = "--color";
  std::string word = "auto";
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == name && i + 1 < arguments.size()) word = arguments[i + 1];
    if (arguments[i].starts_with("--color=")) word = arguments[i].substr(name.size() + 1);
  }
  return word;
}

ColorMode color_mode(const std::string& word) {
  if (word == "always") return ColorMode::always;
  return word == "never" ? ColorMode::never : ColorMode::automatic;
}

std::string version_text() {
  return fmt::format("sim (Tutti) {} ({}), SimGrid {}\n", reports::version(), reports::commit(),
                     engines::simgrid_version());
}

Result<int> unknown_command(const std::string& word, const Diagnostics&) {
  std::vector<std::string> names{"--help", "--version"};
  for (const auto& command : all_commands())
    if (!command.summary.empty()) names.emplace_back(command.name);
  const bool option = word.starts_with("-");
  return usage_error("",
                     fmt::format("unknown {} {}", option ? "option" : "command", in_quotes(word)),
                     did_you_mean(word, names, "`sim --help` lists all commands"));
}

// Runs the command that the first argument names, with the other arguments.
Result<int> dispatch(const Arguments& arguments, Diagnostics& diagnostics) {
  if (arguments.empty()) {
    const std::string help = main_help();
    std::fwrite(help.data(), 1, help.size(), stderr);
    return exit_usage;
  }
  const std::string& first = arguments.front();
  if (first == "--help" || first == "-h") return print(main_help());
  if (first == "--version") return print(version_text());
  for (const auto& command : all_commands())
    if (command.name == first) {
      const Arguments rest{arguments.begin() + 1, arguments.end()};
      return run(command, rest, diagnostics);
    }
  // "sim bcast ..." is short for "sim run bcast ...".
  if (studies::find_workload(studies::workload_called(first)) != nullptr)
    return run(run_command, arguments, diagnostics);
  return unknown_command(first, diagnostics);
}

// Converts exceptions to errors.
Result<int> guarded_dispatch(const std::string& color, const Arguments& arguments,
                             Diagnostics& diagnostics) {
  try {
    if (std::ranges::find(color_words, color) == color_words.end())
      return unknown_name("--color", "color mode", color, color_words);
    return dispatch(arguments, diagnostics);
  } catch (const std::bad_alloc&) {
    return make_error(ErrorKind::run, "", "not enough memory");
  } catch (const ThrownError& thrown) {
    return thrown.error;
  } catch (const std::exception& exception) {
    return make_error(ErrorKind::internal, "", exception.what(),
                      "this is a bug in Tutti: please report it");
  }
}

}  // namespace

Result<int> print(const std::string& text) { return done_unless(write_stdout(text)); }

int run_program(const Arguments& arguments) {
  prepare_process();
  const std::string color = color_word(arguments);
  Diagnostics diagnostics(wants_color(color_mode(color)));
  const auto code = guarded_dispatch(color, arguments, diagnostics);
  return code ? *code : diagnostics.fail(code.errors());
}

}  // namespace tutti::commands
