// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/platform.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platforms/machine_size.hpp"
#include "platforms/reader.hpp"
#include "sim/base/error_list.hpp"
#include "sim/base/quote.hpp"
#include "sim/base/suggest.hpp"
#include "sim/commands/commands.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/overrides.hpp"
#include "sim/reports/wrap.hpp"

namespace tutti::commands {
namespace {

const PlatformSubcommand* const subcommands[] = {&platform_list,   &platform_show, &platform_check,
                                                 &platform_routes, &platform_draw, &platform_new};

std::string subcommand_help(const PlatformSubcommand& subcommand) {
  std::string text = fmt::format("Usage: sim platform {} [OPTION]...\n\n", subcommand.usage);
  for (const auto& line : reports::wrap(subcommand.help, reports::page_width)) text += line + '\n';
  return text + options_help(subcommand.specs);
}

Error unknown_subcommand(const std::string& word) {
  std::vector<std::string> names;
  for (const auto* subcommand : subcommands) names.emplace_back(subcommand->name());
  return usage_error("", fmt::format("unknown subcommand {}", in_quotes(word)),
                     did_you_mean(word, names, "`sim platform --help` names them all"));
}

int run(const PlatformSubcommand& subcommand, const Arguments& arguments,
        Diagnostics& diagnostics) {
  const auto parsed = parse_options(subcommand.specs, arguments);
  if (!parsed) return diagnostics.fail(parsed.errors());
  if (parsed->has("--help")) return print(subcommand_help(subcommand), diagnostics);
  if (parsed->has("--quiet")) diagnostics.be_quiet();
  return subcommand.run(*parsed, diagnostics);
}

}  // namespace

std::string platform_help() {
  std::string text =
      "Usage: sim platform SUBCOMMAND [ARGUMENT]... [OPTION]...\n\n"
      "Looks at machines. NAME is a SimGrid platform file or a name of the catalog.\n\n"
      "Subcommands:\n";
  for (const auto* subcommand : subcommands)
    text += fmt::format("  {:<24} {}\n", subcommand->usage, subcommand->summary);
  return text + "\n`sim platform SUBCOMMAND --help` names its options.\n";
}

int platform_command(const Arguments& arguments, Diagnostics& diagnostics) {
  if (arguments.empty())
    return diagnostics.fail({usage_error("", "platform: which subcommand?",
                                         "list, show, check, routes, draw, new; `sim platform "
                                         "--help` explains them")});
  const std::string& word = arguments.front();
  if (word == "--help" || word == "-h") return print(platform_help(), diagnostics);
  for (const auto* subcommand : subcommands)
    if (subcommand->name() == word)
      return run(*subcommand, {arguments.begin() + 1, arguments.end()}, diagnostics);
  return diagnostics.fail({unknown_subcommand(word)});
}

Result<platforms::Machine> machine_of(const Parsed& parsed, const Diagnostics& diagnostics,
                                      std::size_t arguments) {
  if (parsed.arguments.size() != arguments)
    return usage_error("",
                       arguments == 1 ? "one platform is needed, a file or a name"
                                      : "a platform and two nodes are needed",
                       "`sim platform list` names those of the catalog");
  auto overrides = read_overrides(parsed);
  if (!overrides) return overrides.errors();
  auto machine = platforms::load_machine(parsed.arguments.front(), *overrides);
  if (machine)
    for (const auto& warning : machine->warnings) diagnostics.warning(warning);
  return machine;
}

std::string headline(const platforms::Machine& machine) {
  return fmt::format("{}: {}, {}", printable(machine.name),
                     platforms::describe(platforms::size_of(machine)), machine.topology->kind());
}

int write_result(const Parsed& parsed, const std::string& text, const Diagnostics& diagnostics) {
  if (!parsed.has("--output") || parsed.value("--output") == "-") return print(text, diagnostics);
  const auto error = write_file(parsed.value("--output"), text);
  return error ? diagnostics.fail({*error}) : exit_done;
}

}  // namespace tutti::commands
