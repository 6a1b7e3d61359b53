// SPDX-License-Identifier: BSD-3-Clause
#include "sim/options/option_values.hpp"

#include "platforms/placement.hpp"
#include "sim/base/shell_words.hpp"

namespace tutti::options {
namespace {

using engines::RankRange;

Error wrong(std::string message) {
  return usage_error("", std::move(message),
                     "expected ranks and ranges of ranks, for example 0-15,20");
}

Result<runtime::RankId> parse_rank(std::string_view text) {
  const auto rank = parse_integer(text);
  if (!rank || *rank < 0 || *rank >= platforms::most_procs)
    return wrong(fmt::format("invalid rank {}", in_quotes(text)));
  return static_cast<runtime::RankId>(*rank);
}

Result<RankRange> parse_range(std::string_view text) {
  const auto dash = text.find('-', 1);
  const auto first = TUTTI_TRY(parse_rank(text.substr(0, dash)));
  if (dash == std::string_view::npos) return RankRange{first, first};
  const auto last = TUTTI_TRY(parse_rank(text.substr(dash + 1)));
  if (last < first)
    return wrong(fmt::format("invalid range {}: it ends below its start", in_quotes(text)));
  return RankRange{first, last};
}

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7f;
}

// $'...' of bash and POSIX 2024: control characters as three octal digits.
std::string escape_for_shell(const std::string& word) {
  std::string quoted = "$'";
  for (const char c : word)
    if (is_control(c))
      quoted += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    else
      quoted += c == '\'' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
  return quoted + '\'';
}

}  // namespace

Result<std::vector<RankRange>> parse_ranks(std::string_view text) {
  std::vector<RankRange> ranges;
  for (const auto part : split(text, ',')) {
    const auto range = TUTTI_TRY(parse_range(part));
    ranges.push_back(range);
  }
  std::sort(ranges.begin(), ranges.end(),
            [](const RankRange& a, const RankRange& b) { return a.first < b.first; });
  std::vector<RankRange> merged;
  for (const RankRange& range : ranges) {
    if (!merged.empty() && range.first <= merged.back().last + 1)
      merged.back().last = std::max(merged.back().last, range.last);
    else
      merged.push_back(range);
  }
  return merged;
}

std::vector<RankRange> below(std::vector<RankRange> ranks, int procs) {
  std::erase_if(ranks, [&](const RankRange& range) { return range.first >= procs; });
  if (!ranks.empty()) ranks.back().last = std::min(ranks.back().last, procs - 1);
  return ranks;
}

std::vector<OptionSpec> joined_specs(std::initializer_list<std::span<const OptionSpec>> tables) {
  std::vector<OptionSpec> all;
  for (const auto& table : tables) all.insert(all.end(), table.begin(), table.end());
  return all;
}

const OptionSpec* find_option(std::span<const OptionSpec> specs, std::string_view name) {
  for (const OptionSpec& spec : specs)
    for (const auto part : split(spec.names, ','))
      if (part == name) return &spec;
  return nullptr;
}

std::string key_of(std::string_view option) {
  std::string key(option.substr(option.find_first_not_of('-')));
  std::ranges::replace(key, '-', '_');
  return key;
}

const std::vector<std::string>& OptionValues::values(std::string_view name) const {
  static const std::vector<std::string> none;
  const auto given = given_.find(name);
  return given == given_.end() ? none : given->second.texts;
}

std::string OptionValues::typed(std::string_view name) const {
  const auto given = given_.find(name);
  return given == given_.end() || given->second.typed.empty() ? std::string(name)
                                                              : given->second.typed;
}

void OptionValues::add(std::string_view name, std::string text, Spots spots) {
  Given& given = given_[name];
  given.texts.push_back(std::move(text));
  given.spots.push_back(spots);
}

// For a list of KEY=VALUE, the position of the key or value that the error is about.
std::optional<TextSpot> OptionValues::find_spot(const Error& error) const {
  if (const auto given = given_.find(error.place); given != given_.end()) {
    const auto& [texts, spots, typed] = given->second;
    for (std::size_t i = 0; i < spots.size(); ++i)
      if (!error.subject.empty() && texts[i].starts_with(error.subject + '='))
        return error.is_of_key ? spots[i].key : spots[i].value;
    return spots.empty() ? missing : spots.front().value;
  }
  if (error.place.empty() || may_have(error.place)) return missing;
  for (const auto& [name, given] : given_)
    for (std::size_t i = 0; i < given.spots.size(); ++i)
      if (given.texts[i] == error.place) return given.spots[i].value;
  return std::nullopt;
}

// The place of an error about a value that is a default: "SIM_PLATFORM: cril".
std::string OptionValues::place_of_default(const std::string& value) const {
  for (const auto& [name, given] : given_)
    if (!given.typed.empty() && !given.typed.starts_with("-") &&
        std::ranges::count(given.texts, value) > 0)
      return fmt::format("{}: {}", given.typed, value);
  return value;
}

std::vector<Error> OptionValues::placed(std::vector<Error> errors) const {
  for (Error& error : errors) {
    if (error.place == "--set" && error.subject == "mpi/background" && has("--background")) {
      error.place = "--background";
      error.subject.clear();
    }
    if (!error_at) {
      error.place = place_of_default(typed(error.place));
      continue;
    }
    const auto spot = find_spot(error);
    if (error.line > 0 || !spot) continue;
    const bool is_option = error.place.starts_with("--");
    const std::string option = is_option ? key_of(error.place) + ": " : "";
    error = error_at(*spot, option + error.message, error.hint);
  }
  return errors;
}

std::string_view kept_text(std::string text) {
  static std::set<std::string> all;
  return *all.insert(std::move(text)).first;
}

std::string shell_quoted(const std::string& word) {
  if (std::any_of(word.begin(), word.end(), is_control)) return escape_for_shell(word);
  constexpr std::string_view safe =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./_-";
  if (!word.empty() && word.find_first_not_of(safe) == std::string::npos) return word;
  return in_shell_quotes(word);
}

std::optional<Error> unexpected_argument(const OptionValues& values, std::string hint) {
  if (values.arguments.empty()) return std::nullopt;
  return usage_error("", fmt::format("unexpected argument {}", in_quotes(values.arguments.front())),
                     std::move(hint));
}

Error unknown_name(std::string place, std::string_view noun, std::string_view word,
                   const std::vector<std::string>& names) {
  return usage_error(std::move(place), fmt::format("unknown {} {}", noun, in_quotes(word)),
                     suggest_valid(word, names));
}

Result<std::string> read_choice(const OptionValues& values, std::string_view name,
                                const std::vector<std::string>& choices) {
  if (!values.has(name)) return choices.front();
  const std::string& word = values.value(name);
  if (std::find(choices.begin(), choices.end(), word) != choices.end()) return word;
  return unknown_name(values.typed(name), name.substr(2), word, choices);
}

Result<std::optional<std::int64_t>> read_count(const OptionValues& values, std::string_view name,
                                               std::int64_t most) {
  if (!values.has(name)) return std::optional<std::int64_t>{};
  const auto count = parse_integer(values.value(name));
  if (count && *count >= 1 && *count <= most) return std::optional(*count);
  return usage_error(values.typed(name), fmt::format("invalid number {}: expected 1 to {}",
                                                     in_quotes(values.value(name)), most));
}

std::optional<double> part_in(std::string_view text) {
  const bool percent = text.ends_with('%');
  if (percent) text.remove_suffix(1);
  const auto number = parse_number(text);
  if (!number || std::signbit(*number) || (!percent && *number > 1)) return std::nullopt;
  return percent ? *number / 100 : *number;
}

Result<std::optional<double>> read_fraction(const OptionValues& values, std::string_view name) {
  if (!values.has(name)) return std::optional<double>{};
  const std::string& text = values.value(name);
  if (const auto part = part_in(text)) return part;
  if (const auto number = parse_number(text); number && *number > 1)
    return usage_error(values.typed(name), fmt::format("ambiguous percentage {}", text),
                       fmt::format("write {0}% for a percentage, or {1}% for a factor of {0}",
                                   *number, *number * 100));
  return usage_error(values.typed(name),
                     fmt::format("invalid percentage {}", in_quotes(values.value(name))),
                     "expected for example 5% or 0.05");
}

std::string reproducing_options(std::span<const OptionSpec> specs, const OptionValues& values) {
  std::string line;
  for (const auto& spec : specs) {
    if (!spec.shapes_result || !values.has(spec.name())) continue;
    if (spec.value.empty())
      line += fmt::format(" {}", spec.name());
    else
      for (const auto& value : values.values(spec.name()))
        line += fmt::format(" {} {}", spec.name(), shell_quoted(value));
  }
  return line;
}

}  // namespace tutti::options
