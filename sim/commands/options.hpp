// SPDX-License-Identifier: BSD-3-Clause
// Options of a subcommand as a table: one table for parsing, help and the line that reproduces a
// run. Values stay text here; the subcommand reads them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/result.hpp"

namespace tutti::commands {

struct OptionSpec {
  std::string_view group;  // heading in the help
  std::string_view names;  // "-o,--output"; the last is the one that it goes by
  std::string_view value;  // stands for the value in the help; empty: a flag
  std::string_view help;
  bool repeats = false;       // may be given several times
  bool shapes_result = true;  // false: only says how or where the result is shown
  bool is_written = false;    // names files that are written, not read

  std::string_view name() const { return names.substr(names.rfind(',') + 1); }
  // As the help says: these may be lists and ranges.
  bool takes_list() const { return value == "N" || value == "SIZES" || value == "NAMES"; }
};

constexpr OptionSpec written(OptionSpec spec) {
  spec.is_written = true;
  return spec;
}

// Tables that commands share, with their own between.
template <std::size_t... Counts>
constexpr auto joined(const std::array<OptionSpec, Counts>&... parts) {
  std::array<OptionSpec, (Counts + ...)> all{};
  std::size_t at = 0;
  ((std::ranges::copy(parts, all.begin() + static_cast<std::ptrdiff_t>(at)), at += Counts), ...);
  return all;
}

// "-o", "--output".
std::vector<std::string> names_of(const OptionSpec& spec);

struct Parsed {
  bool has(std::string_view name) const { return options.count(name) > 0; }
  const std::vector<std::string>& values(std::string_view name) const;
  // The only value; must be there.
  const std::string& value(std::string_view name) const { return values(name).front(); }
  // What messages call the option: the name that was typed ("-o"), else `name`.
  std::string typed(std::string_view name) const;

  std::map<std::string_view, std::vector<std::string>> options;  // by OptionSpec::name
  std::map<std::string_view, std::string> typed_names;           // the same keys
  std::vector<std::string> arguments;                            // words that are no options
  std::vector<std::string> program;  // of a command that starts one: what stands behind "--"
};

// What the words are that are no options: files (or names of platforms), or names.
enum class Operands { files, names };

// Errors: unknown options (with a suggestion), missing values, options given twice; files that
// cannot be written, or that are read, too.
Result<Parsed> parse_options(std::span<const OptionSpec> specs,
                             const std::vector<std::string>& arguments,
                             Operands operands = Operands::files);

// Of commands that have no arguments; nothing where there are none.
std::optional<Error> unexpected_argument(const Parsed& parsed, std::string hint = {});

// A study knows options by one name; a person may have typed another.
std::vector<Error> as_typed(std::vector<Error> errors, const Parsed& parsed);

// What an option says that takes one of `choices`; the first where it is not given.
Result<std::string> choice_of(const Parsed& parsed, std::string_view name,
                              const std::vector<std::string>& choices);

// A number from 1 to `most`; nothing where it is not given.
Result<std::optional<std::int64_t>> count_of(const Parsed& parsed, std::string_view name,
                                             std::int64_t most);

// A part of something: "5%" is 0.05, and so is 0.05; a number above 1 is none, since it might be
// meant as either.
std::optional<double> part_in(std::string_view text);
// Of an option; nothing where it is not given.
Result<std::optional<double>> part_of(const Parsed& parsed, std::string_view name);

// At most 80 columns wide.
std::string options_help(std::span<const OptionSpec> specs);

// A word of a command line for a shell, quoted where it must be.
std::string shell_quoted(const std::string& word);

// The options that shape the result, in the order of the table, quoted for a shell.
std::string reproducing_options(std::span<const OptionSpec> specs, const Parsed& parsed);

}  // namespace tutti::commands
