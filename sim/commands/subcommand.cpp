// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/subcommand.hpp"

#include "sim/commands/output.hpp"
#include "sim/reports/wrap.hpp"

namespace tutti::commands {
namespace {

std::string wrapped(std::string_view paragraph) {
  std::string text;
  for (const auto& line : reports::wrap(paragraph, reports::page_width)) text += line + '\n';
  return text;
}

std::string subcommand_help(const SubcommandGroup& group, const Subcommand& subcommand) {
  const char* end = subcommand.starts_program ? " -- PROGRAM [ARGUMENT]..." : "";
  return fmt::format("Usage: sim {} {} [OPTION]...{}\n\n", group.command, subcommand.usage, end) +
         wrapped(subcommand.help) + options_help(subcommand.specs);
}

std::vector<std::string> subcommand_names(const SubcommandGroup& group) {
  std::vector<std::string> names;
  for (const auto* subcommand : group.subcommands) names.emplace_back(subcommand->name());
  return names;
}

Error no_subcommand(const SubcommandGroup& group) {
  return usage_error("", fmt::format("{}: which subcommand?", group.command),
                     fmt::format("{}; `sim {} --help` explains them",
                                 fmt::join(subcommand_names(group), ", "), group.command));
}

Error unknown_subcommand(const SubcommandGroup& group, const std::string& word) {
  return usage_error("", fmt::format("unknown subcommand {}", in_quotes(word)),
                     did_you_mean(word, subcommand_names(group),
                                  fmt::format("`sim {} --help` names them all", group.command)));
}

Result<int> run_subcommand(const SubcommandGroup& group, const Subcommand& subcommand,
                           const Arguments& arguments, Diagnostics& diagnostics) {
  const auto end = subcommand.starts_program ? std::ranges::find(arguments, "--") : arguments.end();
  auto parsed =
      TUTTI_TRY(parse_options(subcommand.specs, {arguments.begin(), end}, subcommand.operands));
  if (end != arguments.end()) parsed.program.assign(end + 1, arguments.end());
  if (parsed.has("--help")) return print(subcommand_help(group, subcommand));
  if (parsed.has("--quiet")) diagnostics.be_quiet();
  return subcommand.run(parsed, diagnostics);
}

}  // namespace

std::string group_help(const SubcommandGroup& group) {
  std::string text = fmt::format("Usage: sim {} SUBCOMMAND [ARGUMENT]... [OPTION]...\n\n{}\n",
                                 group.command, wrapped(group.help));
  text += "Subcommands:\n";
  for (const auto* subcommand : group.subcommands)
    text += fmt::format("  {:<24} {}\n", subcommand->usage, subcommand->summary);
  return text + fmt::format("\n`sim {} SUBCOMMAND --help` names its options.\n", group.command);
}

Result<int> run_group(const SubcommandGroup& group, const Arguments& arguments,
                      Diagnostics& diagnostics) {
  if (arguments.empty()) return no_subcommand(group);
  const std::string& word = arguments.front();
  if (word == "--help" || word == "-h") return print(group_help(group));
  for (const auto* subcommand : group.subcommands)
    if (subcommand->name() == word)
      return run_subcommand(group, *subcommand, {arguments.begin() + 1, arguments.end()},
                            diagnostics);
  return unknown_subcommand(group, word);
}

Result<int> write_result(const OptionValues& parsed, const std::string& text) {
  if (!parsed.has("--output") || parsed.value("--output") == "-") return print(text);
  const auto error = write_file(parsed.value("--output"), text);
  if (error) return *error;
  return exit_done;
}

}  // namespace tutti::commands
