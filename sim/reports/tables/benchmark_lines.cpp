// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/tables/benchmark_lines.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/line_reader.hpp"
#include "sim/base/units.hpp"

namespace tutti::reports {

std::vector<std::string_view> words_in(std::string_view line) {
  std::vector<std::string_view> words;
  for (;;) {
    const auto begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return words;
    line.remove_prefix(begin);
    const auto end = std::min(line.find_first_of(" \t"), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

std::optional<std::string_view> BenchmarkLines::next() {
  if (rest_.empty()) return std::nullopt;
  const auto end = std::min(rest_.find('\n'), rest_.size());
  const auto line = trim(rest_.substr(0, end));
  rest_.remove_prefix(std::min(end + 1, rest_.size()));
  ++number_;
  return line;
}

Error BenchmarkLines::error(std::string_view at, std::string message, std::string hint) const {
  return error_at(text_, static_cast<std::size_t>(at.data() - text_.data()), path_,
                  std::move(message), std::move(hint));
}

std::optional<Error> BenchmarkLines::add_row(std::string_view line,
                                             const std::vector<std::string>& columns,
                                             TableBuilder& table) const {
  constexpr double seconds_per_us = 1e-6;
  constexpr double Bps_per_MBps = 1e6;
  const auto words = words_in(line);
  if (words.size() != columns.size())
    return error(line,
                 fmt::format("{} values, where the header has {}", words.size(), columns.size()));
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (columns[i].empty()) continue;
    const bool is_time = columns[i].ends_with("_s");
    const bool is_rate = columns[i].ends_with("_Bps");
    const auto number = parse_number(words[i]);
    const auto whole = parse_integer(words[i]);
    if (is_time || is_rate ? !number || *number < 0 : !whole || *whole < 0)
      return error(words[i], is_time   ? "not a time in us"
                             : is_rate ? "not a rate in MB/s"
                                       : "not a number of bytes");
    table.set(columns[i], is_time   ? Cell{*number * seconds_per_us}
                          : is_rate ? Cell{*number * Bps_per_MBps}
                                    : Cell{*whole});
  }
  return std::nullopt;
}

}  // namespace tutti::reports
