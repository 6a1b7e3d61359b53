// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/study_values.hpp"

#include <algorithm>

#include "sim/base/split.hpp"
#include "sim/base/units.hpp"
#include "sim/options/axis.hpp"

namespace tutti::studies {
namespace {

using OptionKind = StudyOption::Kind;

constexpr options::AxisKind sizes{parse_bytes, 0, INT64_MAX, "as in 64KiB; see `sim help units`"};
constexpr options::AxisKind counts{parse_integer};

// "1..8" is another spelling of "1:8".
std::string with_colons(std::string text) {
  for (auto at = text.find(".."); at != text.npos; at = text.find("..", at + 1))
    text.replace(at, 2, ":");
  return text;
}

bool is_range(const std::string& text) { return text.find_first_of(":,") != text.npos; }

// Commas stand between names, and between the parameters of a hierarchical one.
std::vector<std::string> listed(const std::string& text) {
  if (text.find('=') != text.npos) return {text};
  std::vector<std::string> names;
  for (const auto name : split(text, ',')) names.emplace_back(name);
  return names;
}

}  // namespace

KnownOptions::KnownOptions(const std::vector<StudyOption>& options) {
  for (const StudyOption& option : options) by_key_.emplace(option.key, option);
}

std::optional<StudyOption> KnownOptions::find(const std::string& key) const {
  if (key.find('/') != key.npos) return StudyOption{key, key, OptionKind::text};
  const auto found = by_key_.find(key);
  return found == by_key_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::string> KnownOptions::keys() const {
  std::vector<std::string> keys;
  for (const auto& [key, option] : by_key_) keys.push_back(key);
  return keys;
}

Result<std::vector<std::string>> expand_value(const std::string& text, const StudyOption& option) {
  const bool is_override = option.key.find('/') != option.key.npos;
  const std::string range = with_colons(text);
  if (option.kind == OptionKind::names) return listed(text);
  const bool is_number = option.kind == OptionKind::count || option.kind == OptionKind::bytes;
  if (!(is_number || is_override) || !is_range(range)) return std::vector{text};
  const auto values = options::parse_axis(range, option.kind == OptionKind::count ? counts : sizes);
  if (!values && is_override) return std::vector{text};
  if (!values) return values.errors();
  std::vector<std::string> expanded;
  for (const auto value : *values) expanded.push_back(std::to_string(value));
  return expanded;
}

Cell cell_of_text(const std::string& text) {
  if (const auto bytes = parse_bytes(text)) return *bytes;
  if (const auto number = parse_number(text)) return *number;
  return text;
}

}  // namespace tutti::studies
