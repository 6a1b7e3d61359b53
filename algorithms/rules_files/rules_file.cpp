// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/rules_files/rules_file.hpp"

#include "algorithms/rules_files/readers.hpp"
#include "sim/base/text_file.hpp"

namespace tutti::algorithms::rules_files {
namespace {

constexpr std::string_view version_word = "rule-file-version-";

// HAN's files name their components: bytes, then a word such as "tuned".
bool names_components(std::string_view text) {
  TokenReader tokens(text);
  for (int i = 0; i < 64; ++i) {
    const auto word = tokens.word();
    if (!word) return false;
    if (is_one_of(*word, han_components) || is_one_of(*word, han_levels) ||
        is_one_of(*word, han_collectives))
      return true;
  }
  return false;
}

// "key=" in a key of MPICH's tree, which ignores blanks.
bool has_condition(std::string_view text, std::string_view key) {
  for (auto at = text.find(key); at != text.npos; at = text.find(key, at + 1)) {
    const auto next = text.find_first_not_of(' ', at + key.size());
    if (next != text.npos && text[next] == '=') return true;
  }
  return false;
}

bool is_table(std::string_view line) { return std::ranges::count(line, ',') >= 3; }

}  // namespace

void RangeUnion::add(const Range& range) {
  if (range.is_empty()) return;
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  Range whole = range;
  // From the first part that reaches the number before the range.
  auto part = parts_.upper_bound(range.min);
  if (part != parts_.begin() && (range.min == least || std::prev(part)->second >= range.min - 1))
    --part;
  while (part != parts_.end() && (range.is_unlimited() || part->first <= range.max + 1)) {
    whole = {std::min(whole.min, part->first), std::max(whole.max, part->second)};
    part = parts_.erase(part);
  }
  parts_.emplace(whole.min, whole.max);
}

bool RangeUnion::covers(const Range& range) const {
  if (range.is_empty()) return true;
  const auto next = parts_.upper_bound(range.min);
  return next != parts_.begin() && std::prev(next)->second >= range.max;
}

std::string range_text(const Range& range,
                       const std::function<std::string(std::int64_t)>& number_text) {
  if (range.is_empty()) return "never";
  if (range.min == range.max) return number_text(range.min);
  if (range.is_unlimited())
    return range.min == 0 ? "all" : fmt::format("from {}", number_text(range.min));
  return fmt::format("{} to {}", number_text(range.min), number_text(range.max));
}

std::string_view severity_name(Severity severity) {
  constexpr std::array<std::string_view, 3> names{"error", "warning", "note"};
  return names[static_cast<std::size_t>(severity)];
}

const CollectiveRules* RulesFile::find(std::string_view collective) const {
  const auto rules = std::ranges::find(collectives, collective, &CollectiveRules::collective);
  return rules == collectives.end() ? nullptr : &*rules;
}

const Finding* RulesFile::discarded() const {
  const auto reason = std::ranges::find(findings, Effect::discards, &Finding::effect);
  return reason == findings.end() ? nullptr : &*reason;
}

bool RulesFile::has_errors() const {
  return std::ranges::any_of(
      findings, [](const Finding& finding) { return finding.severity == Severity::error; });
}

Error finding_error(const Finding& finding, const std::string& file) {
  Error error = make_error(ErrorKind::input, file, finding.message, finding.fix);
  error.line = finding.line;
  error.column = finding.column;
  return error;
}

std::vector<Error> RulesFile::errors(const std::string& file) const {
  std::vector<Error> all;
  for (const Finding& finding : findings)
    if (finding.severity == Severity::error && finding.effect != Effect::absent)
      all.push_back(finding_error(finding, file));
  return all;
}

std::optional<Format> recognize(std::string_view text) {
  text = without_byte_order_mark(text);
  const auto first = text.find_first_not_of(" \t\r\n");
  const std::string_view start = first == text.npos ? "" : text.substr(first, 2);
  if (start.starts_with('{') || start.starts_with('[') || start == "//" || start == "/*") {
    for (const std::string_view key : {"collective", "algorithm", "composition"})
      if (has_condition(text, key)) return Format::mpich_json;
    return Format::ompi_json;
  }
  const auto line = LineReader(text, "").next();
  if (!line) return std::nullopt;
  if (line->starts_with(version_word)) return Format::ompi_classic_2;
  if (is_table(*line)) return Format::nccl;
  if (names_components(text)) return Format::han;
  if (text.find_first_of("0123456789") != text.npos) return Format::ompi_classic;
  return std::nullopt;
}

RulesFile read_rules(std::string_view text, Format format, Library library) {
  RulesFile file;
  file.format = format;
  file.library = library;
  if (text.find_first_not_of(" \t\r\n") == text.npos && format != Format::nccl) {
    Findings(file).discard({1, 1}, "the file is empty",
                           "write rules, or do not name the file in the parameters of the job");
    return file;
  }
  switch (format) {
    case Format::ompi_classic:
    case Format::ompi_classic_2:
      read_classic(text, file);
      break;
    case Format::ompi_json:
      read_tuned_json(text, file);
      break;
    case Format::han:
      read_han(text, file);
      break;
    case Format::mpich_json:
      read_mpich(text, file);
      break;
    case Format::nccl:
      read_nccl(text, file);
      break;
  }
  std::ranges::stable_sort(file.findings, {}, [](const Finding& finding) {
    return std::pair(finding.line, finding.column);
  });
  return file;
}

}  // namespace tutti::algorithms::rules_files
