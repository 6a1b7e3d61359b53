// SPDX-License-Identifier: BSD-3-Clause
// What was given for the options of a table: texts, each with the place where it stands, a command
// line or a TOML file. Errors that name an option are reported at that place.
#pragma once

#include <initializer_list>

#include "sim/base/common.hpp"
#include "sim/base/text_position.hpp"
#include "sim/engines/inside/rank_trace.hpp"

namespace tutti::options {

// Ranks of an option: 0-15,20.

// In rising order, without overlaps. Errors (their place is left to the caller): what is no rank
// from 0 on, or no range; ranges that go down.
Result<std::vector<engines::RankRange>> parse_ranks(std::string_view text);

// Those below `procs`.
std::vector<engines::RankRange> below(std::vector<engines::RankRange> ranks, int procs);

// An option, declared once: its names, its value, its help. The parser of the command line, the
// keys of TOML files, help, completion and the line that reproduces a run follow from it.

struct OptionSpec {
  std::string_view group;     // heading in the help
  std::string_view names;     // "-o,--output"; the last is the one that it goes by
  std::string_view value;     // stands for the value in the help; empty: a flag
  std::string_view help;      // a line for --help; behind a line end what the manual says instead
  bool repeats = false;       // may be given several times
  bool shapes_result = true;  // false: only says how or where the result is shown
  bool is_written = false;    // names files that are written, not read
  // What its value may be, for completion: words, of which "file:" or "targets=" go on; names.
  std::string_view words = {};
  std::vector<std::string> (*registered)() = nullptr;
  // The environment variable that has its default ("SIM_PLATFORM"; empty: none), and so has the
  // configuration file, by the option's key.
  std::string_view variable = {};

  std::string_view name() const { return names.substr(names.rfind(',') + 1); }
  std::string_view summary() const { return help.substr(0, help.find('\n')); }
  std::string_view description() const { return help.substr(help.find('\n') + 1); }
  // As the help says: these may be lists and ranges.
  bool takes_list() const { return value == "N" || value == "SIZES" || value == "NAMES"; }
};

constexpr OptionSpec written(OptionSpec spec) {
  spec.is_written = true;
  return spec;
}

// An option that takes these words, or names of these.
constexpr OptionSpec taking(std::string_view words, OptionSpec spec) {
  spec.words = words;
  return spec;
}
constexpr OptionSpec taking(std::vector<std::string> (*names)(), OptionSpec spec) {
  spec.registered = names;
  return spec;
}

constexpr OptionSpec defaulting(std::string_view variable, OptionSpec spec) {
  spec.variable = variable;
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

// Tables one behind the other.
std::vector<OptionSpec> joined_specs(std::initializer_list<std::span<const OptionSpec>> tables);

// "-o", "--output".
std::vector<std::string> names_of(const OptionSpec& spec);

// "--message-size" is "message_size" in a TOML file.
std::string key_of(std::string_view option);

class OptionValues {
 public:
  // Where a value of a file stands, and what it belongs to: a key, or one of a list.
  struct Spots {
    TextSpot key;
    TextSpot value;
  };

  bool has(std::string_view name) const { return given_.count(name) > 0; }
  const std::vector<std::string>& values(std::string_view name) const;
  // The only value; must be there.
  const std::string& value(std::string_view name) const { return values(name).front(); }
  std::string value_or(std::string_view name, std::string otherwise) const {
    return has(name) ? value(name) : std::move(otherwise);
  }
  // What messages call the option: the name that was typed ("-o"), else `name`.
  std::string typed(std::string_view name) const;

  // `name`: OptionSpec::name, which outlives this.
  void set(std::string_view name, std::vector<std::string> texts) {
    given_[name].texts = std::move(texts);
  }
  void set_typed(std::string_view name, std::string typed) {
    given_[name].typed = std::move(typed);
  }
  void add(std::string_view name, std::string text, Spots spots);
  void erase(std::string_view name) { given_.erase(name); }
  void rename(std::string_view from, std::string_view to);

  // Errors whose place is an option, or the text of a value, are put where that stands: of a
  // command line the name that was typed, of a file the line and column. What is missing in a file
  // stands with `missing`, the word that asks for it. Errors that have a line already keep it.
  std::vector<Error> placed(std::vector<Error> errors) const;

  std::vector<std::string> arguments;  // words that are no options
  std::vector<std::string> program;    // of a command that starts one: what stands behind "--"

  // Of values that a file has: an error at a place of it. Unset: a command line.
  std::function<Error(TextSpot, std::string message, std::string hint)> error_at;
  // Where an option is missed that could stand in the file, and which these are.
  TextSpot missing;
  std::function<bool(std::string_view option)> may_have;

 private:
  struct Given {
    std::vector<std::string> texts;
    std::vector<Spots> spots;  // of a file: by text
    std::string typed;         // of a command line
  };
  std::optional<TextSpot> spot_of(const Error& error) const;

  std::map<std::string_view, Given> given_;  // by OptionSpec::name
};

// Of commands that have no arguments; nothing where there are none.
std::optional<Error> unexpected_argument(const OptionValues& values, std::string hint = {});

// What an option says that takes one of `choices`; the first where it is not given.
Result<std::string> choice_of(const OptionValues& values, std::string_view name,
                              const std::vector<std::string>& choices);

// A number from 1 to `most`; nothing where it is not given.
Result<std::optional<std::int64_t>> count_of(const OptionValues& values, std::string_view name,
                                             std::int64_t most);

// A part of something: "5%" is 0.05, and so is 0.05; a number above 1 is none, since it might be
// meant as either.
std::optional<double> part_in(std::string_view text);
// Of an option; nothing where it is not given.
Result<std::optional<double>> part_of(const OptionValues& values, std::string_view name);

// The same text, for as long as the program runs.
std::string_view kept_text(std::string text);

// A word of a command line for a shell, quoted where it must be.
std::string shell_quoted(const std::string& word);

// The options that shape the result, in the order of the table, quoted for a shell.
std::string reproducing_options(std::span<const OptionSpec> specs, const OptionValues& values);

}  // namespace tutti::options
