// SPDX-License-Identifier: BSD-3-Clause
// An option, declared once: its names, its value, its help. The parser of the command line, the
// keys of TOML files, help, completion and the line that reproduces a run follow from it.
#pragma once

#include <algorithm>
#include <array>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::options {

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

// Tables one behind the other.
std::vector<OptionSpec> joined_specs(std::initializer_list<std::span<const OptionSpec>> tables);

// "-o", "--output".
std::vector<std::string> names_of(const OptionSpec& spec);

// "--message-size" is "message_size" in a TOML file.
std::string key_of(std::string_view option);

}  // namespace tutti::options
