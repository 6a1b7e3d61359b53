// SPDX-License-Identifier: BSD-3-Clause
// A command: its help, options, arguments and function.
#pragma once

#include "sim/base/common.hpp"
#include "sim/commands/commands.hpp"
#include "sim/commands/diagnostics.hpp"
#include "sim/commands/options.hpp"

namespace tutti::commands {

// The options of a command: a table, or a function that combines tables of other files.
class OptionRows {
 public:
  template <class Table>
  requires std::convertible_to<const Table&, std::span<const OptionSpec>>
  constexpr OptionRows(const Table& table) : table_(table) {}                        // NOLINT
  constexpr OptionRows(std::span<const OptionSpec> (*make)()) : make_(make) {}       // NOLINT
  operator std::span<const OptionSpec>() const { return make_ ? make_() : table_; }  // NOLINT

 private:
  std::span<const OptionSpec> table_;
  std::span<const OptionSpec> (*make_)() = nullptr;
};

// A command without subcommands (`sim plot`), or a subcommand (`sim platform check`). All are
// constants that live as long as the program.
struct Subcommand {
  std::string_view usage;         // "check NAME"; the first word is the name
  std::string_view summary = {};  // a line of `sim COMMAND --help`
  std::string_view help;          // text of its own --help; line breaks are kept
  OptionRows specs;
  Result<int> (*run)(const OptionValues&, const Diagnostics&);
  bool starts_program = false;  // "--" ends the options; the rest is OptionValues::program
  Operands operands = Operands::files;
  std::vector<std::string> (*words)() = nullptr;  // valid arguments, for completion; null: files

  std::string_view name() const { return usage.substr(0, usage.find(' ')); }
  bool takes_operands() const { return usage.find(' ') != usage.npos; }
};

// Each command is an object NAME_command in a file of its own, and a line of command_list.hpp.
struct Command {
  std::string_view name;
  std::string_view summary = {};      // empty: an internal command, not listed
  const Subcommand* alone = nullptr;  // runs if no subcommand is given
  std::string_view help = {};         // text of --help of a command with subcommands
  std::span<const Subcommand* const> subcommands = {};
  // Commands that parse their arguments themselves set these; for others they are null.
  std::string (*own_help)() = nullptr;
  Result<int> (*run)(const Arguments&, Diagnostics&) = nullptr;

  // The options of the command without a subcommand.
  std::span<const OptionSpec> specs() const {
    return alone ? std::span<const OptionSpec>(alone->specs) : std::span<const OptionSpec>();
  }
};

// All commands in the order of `sim --help` (sim/all_commands.cpp).
const std::vector<Command>& all_commands();

// "Usage: USAGE [OPTION]...END", the text in lines of at most 80 columns, and the options.
std::string help_text(std::string_view usage, std::string_view text,
                      std::span<const OptionSpec> specs, std::string_view end = {});

// The text that `sim COMMAND --help` prints.
std::string help_text(const Command& command);

// Runs the command or its subcommand; returns the exit code.
Result<int> run(const Command& command, const Arguments& arguments, Diagnostics& diagnostics);

// Writes to --output if it is given, else to standard output; returns the exit code.
Result<int> write_result(const OptionValues& parsed, const std::string& text);

}  // namespace tutti::commands
