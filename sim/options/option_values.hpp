// SPDX-License-Identifier: BSD-3-Clause
// The values given for the options of a table, as texts with their place in a command line or a
// TOML file. Errors that name an option are reported at that place.
#pragma once

#include <initializer_list>

#include "sim/base/common.hpp"
#include "sim/base/text_position.hpp"
#include "sim/base/texts.hpp"
#include "sim/engines/inside/rank_trace.hpp"

namespace tutti::options {

// Ranks such as 0-15,20, in ascending order without overlaps. Errors: invalid ranks, invalid
// ranges, and ranges that end below their start. The caller sets the place of errors.
Result<std::vector<engines::RankRange>> parse_ranks(std::string_view text);

// Returns the ranks below `procs`.
std::vector<engines::RankRange> below(std::vector<engines::RankRange> ranks, int procs);

// What an option needs of the run; without it, the option is rejected.
struct OptionNeeds {
  bool simulation = false;  // rejected with --model-only
  bool times = false;       // rejected with the untimed engine `ideal`
  bool one_call = false;    // rejected if several calls are run
  bool own_call = false;    // rejected for a schedule, which contains its call
};

// The declaration of an option: its names, value and help. The parser of the command line, the keys
// of TOML files, help, completion and the command that reproduces a run are derived from it.
struct OptionSpec {
  std::string_view group;  // heading in the help
  std::string_view names;  // "-o,--output"; the last one is the main name
  std::string_view value;  // placeholder of the value in the help; empty: a flag
  std::string_view help;   // one line for --help; after a line end, the longer text for the manual
  bool repeats = false;    // may be given several times
  bool shapes_result = true;  // false: affects only how or where the result is shown
  bool is_written = false;    // names files that are written, not read
  // Valid values for completion: words ("file:" and "targets=" continue), or names from a function.
  std::string_view words = {};
  std::vector<std::string> (*registered)() = nullptr;
  // Environment variable that sets the default ("SIM_PLATFORM"). If not empty, the configuration
  // file may set it, too, by the option's key.
  std::string_view variable = {};

  OptionNeeds needs = {};

  constexpr std::string_view name() const { return names.substr(names.rfind(',') + 1); }
  std::vector<std::string> all_names() const { return split_words(names, ','); }
  std::string_view summary() const { return help.substr(0, help.find('\n')); }
  std::string_view description() const { return help.substr(help.find('\n') + 1); }
  // Whether the value may be a list or a range.
  bool takes_list() const { return value == "N" || value == "SIZES" || value == "NAMES"; }
};

// A heading of the help, with the texts of the options below it by their names (FILE.help).
struct OptionGroup {
  std::string_view heading;
  std::span<const HelpText> texts;

  // The row of an option. Does not compile if there is no text of its main name.
  consteval OptionSpec operator()(std::string_view names, std::string_view value) const {
    OptionSpec spec{heading, names, value, {}};
    for (const HelpText& text : texts)
      if (text.key == spec.name()) spec.help = text.text;
    if (spec.help.empty()) throw "there is no such text";
    return spec;
  }
};

constexpr OptionSpec written(OptionSpec spec) {
  spec.is_written = true;
  return spec;
}

// Sets the valid words of an option: these words, or the names that a function returns.
constexpr OptionSpec taking(std::string_view words, OptionSpec spec) {
  spec.words = words;
  return spec;
}
constexpr OptionSpec taking(std::vector<std::string> (*names)(), OptionSpec spec) {
  spec.registered = names;
  return spec;
}

constexpr OptionSpec needing(OptionNeeds needs, OptionSpec spec) {
  spec.needs = needs;
  return spec;
}

constexpr OptionSpec defaulting(std::string_view variable, OptionSpec spec) {
  spec.variable = variable;
  return spec;
}

// Concatenates tables of options at compile time.
template <std::size_t... Counts>
constexpr auto joined(const std::array<OptionSpec, Counts>&... parts) {
  std::array<OptionSpec, (Counts + ...)> all{};
  std::size_t at = 0;
  ((std::ranges::copy(parts, all.begin() + static_cast<std::ptrdiff_t>(at)), at += Counts), ...);
  return all;
}

// Concatenates tables of options.
std::vector<OptionSpec> joined_specs(std::initializer_list<std::span<const OptionSpec>> tables);

// The option with this name among `specs`; null if there is none.
const OptionSpec* find_option(std::span<const OptionSpec> specs, std::string_view name);

// The option's key in a TOML file: "message_size" for "--message-size".
std::string key_of(std::string_view option);

// The values of one command line (sim/commands/options.hpp makes them) or of one combination of a
// study (StudyPoints). OptionTable::read reads them into a request.
class OptionValues {
 public:
  // Positions in a file of a value, and of the key that it belongs to.
  struct Spots {
    TextSpot key;
    TextSpot value;
  };

  bool has(std::string_view name) const { return given_.count(name) > 0; }
  const std::vector<std::string>& values(std::string_view name) const;
  // The only value; the option must be given.
  const std::string& value(std::string_view name) const { return values(name).front(); }
  std::string value_or(std::string_view name, std::string otherwise) const {
    return has(name) ? value(name) : std::move(otherwise);
  }
  // The option's name in messages: as typed ("-o"), else `name`.
  std::string typed(std::string_view name) const;

  // `name`: OptionSpec::name; it must outlive the object.
  void set(std::string_view name, std::vector<std::string> texts) {
    given_[name].texts = std::move(texts);
  }
  void set_typed(std::string_view name, std::string typed) {
    given_[name].typed = std::move(typed);
  }
  void add(std::string_view name, std::string text, Spots spots);
  void erase(std::string_view name) { given_.erase(name); }

  // Replaces the places of errors that name an option or the text of a value: on a command line, by
  // the name that was typed; in a file, by line and column. An option that is missing in a file is
  // reported at `missing`, the word that requires it. Errors that have a line keep it.
  std::vector<Error> placed(std::vector<Error> errors) const;

  std::vector<std::string> arguments;  // words that are not options
  std::vector<std::string> program;    // words after "--", for commands that start a program

  // Makes an error at a position of the file that the values come from. Unset: a command line.
  std::function<Error(TextSpot, std::string message, std::string hint)> error_at;
  // Where to report that an option is missing in the file, and which options the file may have.
  TextSpot missing;
  std::function<bool(std::string_view option)> may_have;

 private:
  struct Given {
    std::vector<std::string> texts;
    std::vector<Spots> spots;  // of a file; by text
    std::string typed;         // of a command line
  };
  std::optional<TextSpot> find_spot(const Error& error) const;
  std::string place_of_default(const std::string& value) const;

  std::map<std::string_view, Given> given_;  // by OptionSpec::name
};

// An error if a command without arguments has arguments.
std::optional<Error> unexpected_argument(const OptionValues& values, std::string hint = {});

// The error if the value of the option or argument `place` is none of `names`: "unknown NOUN
// 'WORD'".
Error unknown_name(std::string place, std::string_view noun, std::string_view word,
                   const std::vector<std::string>& names);

// The value of an option that takes one of `choices`; the first if it is not given.
Result<std::string> read_choice(const OptionValues& values, std::string_view name,
                                const std::vector<std::string>& choices);

// A number from 1 to `most`; unset if the option is not given.
Result<std::optional<std::int64_t>> read_count(const OptionValues& values, std::string_view name,
                                               std::int64_t most);

// The fraction in a text: "5%" and "0.05" are both 0.05. Unset for a number above 1 without "%",
// because it is ambiguous.
std::optional<double> part_in(std::string_view text);
// The fraction of an option; unset if it is not given.
Result<std::optional<double>> read_fraction(const OptionValues& values, std::string_view name);

// A copy of the text that lives until the program ends.
std::string_view kept_text(std::string text);

// A word of a command line, quoted for a shell if necessary.
std::string shell_quoted(const std::string& word);

// The given options that affect the result, in the order of the table, quoted for a shell.
std::string reproducing_options(std::span<const OptionSpec> specs, const OptionValues& values);

}  // namespace tutti::options
