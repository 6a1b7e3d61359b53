// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/command.hpp"

#include "sim/commands/output.hpp"
#include "sim/reports/wrap.hpp"

namespace tutti::commands {
namespace {

std::string wrap_text(std::string_view text) {
  std::string lines;
  for (const auto paragraph : split(text, '\n'))
    for (const auto& line : reports::wrap(paragraph, reports::page_width)) lines += line + '\n';
  return lines;
}

// `before`: the words before the subcommand: "sim " or "sim platform ".
std::string subcommand_help_text(const std::string& before, const Subcommand& subcommand) {
  const char* end = subcommand.starts_program ? " -- PROGRAM [ARGUMENT]..." : "";
  return help_text(fmt::format("{}{}", before, subcommand.usage), subcommand.help, subcommand.specs,
                   end);
}

Result<int> run(const std::string& before, const Subcommand& subcommand, const Arguments& arguments,
                Diagnostics& diagnostics) {
  const auto end = subcommand.starts_program ? std::ranges::find(arguments, "--") : arguments.end();
  auto parsed =
      TUTTI_TRY(parse_options(subcommand.specs, {arguments.begin(), end}, subcommand.operands));
  if (end != arguments.end()) parsed.program.assign(end + 1, arguments.end());
  if (parsed.has("--help")) return print(subcommand_help_text(before, subcommand));
  if (parsed.has("--quiet")) diagnostics.be_quiet();
  if (!subcommand.takes_operands())
    if (auto error = unexpected_argument(
            parsed, fmt::format("`{}{} --help` lists its options", before, subcommand.name())))
      return *std::move(error);
  note_decimal_sizes(subcommand.specs, parsed, diagnostics);
  auto code = subcommand.run(parsed, diagnostics);
  if (!code) return parsed.placed(code.errors());
  return code;
}

std::vector<std::string> subcommand_names(const Command& command) {
  return collect_names(command.subcommands, &Subcommand::name);
}

Error no_subcommand(const Command& command) {
  return usage_error("", fmt::format("{} requires a subcommand", command.name),
                     fmt::format("expected one of: {}; see `sim {} --help`",
                                 fmt::join(subcommand_names(command), ", "), command.name));
}

Error unknown_subcommand(const Command& command, const std::string& word) {
  return usage_error("", fmt::format("unknown subcommand {}", in_quotes(word)),
                     did_you_mean(word, subcommand_names(command),
                                  fmt::format("`sim {} --help` lists them", command.name)));
}

const Subcommand* find_subcommand(const Command& command, const std::string& word) {
  const auto subcommand = std::ranges::find(command.subcommands, word, &Subcommand::name);
  return subcommand == command.subcommands.end() ? nullptr : *subcommand;
}

// Whether the command without a subcommand is an alias of one (`sim fireworks --platform NAME`),
// unlike `sim replay TRACE`.
bool means_subcommand(const Command& command) {
  return std::ranges::find(command.subcommands, command.alone) != command.subcommands.end();
}

std::string subcommand_lines(const Command& command, std::size_t width) {
  std::string text = "Subcommands:\n";
  for (const auto* subcommand : command.subcommands)
    text += reports::paragraph(subcommand->summary, width, fmt::format("  {}", subcommand->usage));
  return text;
}

}  // namespace

std::string help_text(std::string_view usage, std::string_view text,
                      std::span<const OptionSpec> specs, std::string_view end) {
  return fmt::format("Usage: {} [OPTION]...{}\n\n{}{}", usage, end, wrap_text(text),
                     options_help(specs));
}

std::string help_text(const Command& command) {
  if (command.own_help != nullptr) return command.own_help();
  if (command.subcommands.empty()) return subcommand_help_text("sim ", *command.alone);
  if (command.alone == nullptr || means_subcommand(command))
    return fmt::format(
        "Usage: sim {} SUBCOMMAND [ARGUMENT]... [OPTION]...\n\n{}\n{}\n"
        "`sim {} SUBCOMMAND --help` lists its options.\n",
        command.name, wrap_text(command.help), subcommand_lines(command, 27), command.name);
  std::string text = fmt::format("Usage: sim {} [OPTION]...\n", command.alone->usage);
  std::size_t width = 17;
  for (const auto* subcommand : command.subcommands)
    width = std::max(width, subcommand->usage.size() + 4);
  for (const auto* subcommand : command.subcommands)
    text += fmt::format("       sim {} {} [OPTION]...\n", command.name, subcommand->usage);
  return fmt::format("{}\n{}\n{}{}", text, wrap_text(command.alone->help),
                     subcommand_lines(command, width), options_help(command.alone->specs));
}

Result<int> run(const Command& command, const Arguments& arguments, Diagnostics& diagnostics) {
  if (command.run != nullptr) return command.run(arguments, diagnostics);
  const std::string word = arguments.empty() ? "" : arguments.front();
  const std::string before = fmt::format("sim {} ", command.name);
  if (const auto* subcommand = find_subcommand(command, word))
    return run(before, *subcommand, {arguments.begin() + 1, arguments.end()}, diagnostics);
  if (word == "--help" || word == "-h") return print(help_text(command));
  if (command.alone != nullptr && !means_subcommand(command))
    return run("sim ", *command.alone, arguments, diagnostics);
  if (command.alone != nullptr && word.starts_with('-'))
    return run(before, *command.alone, arguments, diagnostics);
  return arguments.empty() ? no_subcommand(command) : unknown_subcommand(command, word);
}

Result<int> write_result(const OptionValues& parsed, const std::string& text) {
  const auto path = output_path(parsed);
  return path ? done_unless(write_file(*path, text)) : print(text);
}

}  // namespace tutti::commands
