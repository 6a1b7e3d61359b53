// SPDX-License-Identifier: BSD-3-Clause
// "  0:       1 bytes   7000 times -->      1.2 Mbps in       6.3 usec" on the screen, and in
// np.out "       1 1.213000   0.00000629". Times are half of a round trip.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/line_reader.hpp"
#include "sim/base/units.hpp"
#include "sim/reports/tables/benchmark_lines.hpp"

namespace tutti::reports {
namespace {

constexpr std::string_view arrow = "-->";

void add(TableBuilder& table, int line, std::int64_t bytes, double time_s) {
  table.begin_row(line);
  table.set("pattern", std::string("pingpong"));
  table.set("message_bytes", bytes);
  table.set("time_s", time_s);
}

// Rows of the screen: "-->" stands behind the number of repetitions.
std::optional<Error> add_screen_row(const BenchmarkLines& lines, std::string_view line,
                                    TableBuilder& table) {
  const auto words = words_in(line);
  const auto at = static_cast<std::size_t>(std::ranges::find(words, arrow) - words.begin());
  constexpr std::size_t behind = 6;  // --> RATE Mbps in TIME usec
  if (at < 4 || words.size() < at + behind) return lines.error(line, "not a row of NetPIPE");
  const auto bytes = parse_integer(words[at - 4]);
  const auto time = parse_number(words[at + 4]);
  const bool microseconds = words[at + 5].starts_with("usec");
  if (!bytes || *bytes < 0) return lines.error(words[at - 4], "not a number of bytes");
  if (!time || *time <= 0 || !microseconds) return lines.error(words[at + 4], "not a time in usec");
  add(table, lines.number(), *bytes, *time * 1e-6);
  return std::nullopt;
}

// Whether a rate is `bytes` in `time_s`, in Mb/s of either kind.
bool agree(double bytes, double rate, double time_s) {
  constexpr double rounding = 0.03;
  const double Mbps = 8 * bytes / time_s / 1e6;
  constexpr double binary = 1048576e-6;
  return std::abs(rate / Mbps - 1) <= rounding || std::abs(rate * binary / Mbps - 1) <= rounding;
}

std::optional<Error> add_file_row(const BenchmarkLines& lines, std::string_view line,
                                  TableBuilder& table) {
  const auto words = words_in(line);
  if (words.size() != 3) return lines.error(line, "NetPIPE's files have three columns");
  const auto bytes = parse_integer(words[0]);
  const auto rate = parse_number(words[1]);
  const auto time_s = parse_number(words[2]);
  if (!bytes || *bytes < 0) return lines.error(words[0], "not a number of bytes");
  if (!rate || !time_s || *time_s <= 0) return lines.error(words[2], "not a time in s");
  constexpr Bytes many = 64;  // below, the printed digits are too few
  if (*bytes >= many && !agree(static_cast<double>(*bytes), *rate, *time_s))
    return lines.error(line, "these are not bytes, Mb/s and seconds: they contradict each other");
  add(table, lines.number(), *bytes, *time_s);
  return std::nullopt;
}

}  // namespace

bool is_netpipe(std::string_view text) {
  const auto first = trim(text.substr(0, text.find('\n')));
  if (text.find("times -->") != std::string_view::npos) return true;
  const auto words = words_in(first);
  return words.size() == 3 && std::ranges::all_of(words, [](std::string_view word) {
           return static_cast<bool>(parse_number(word));
         });
}

Result<ResultFile> read_netpipe(std::string_view text, const std::string& path) {
  BenchmarkLines lines(text, path);
  const bool screen = text.find(arrow) != std::string_view::npos;
  ResultFile file;
  TableBuilder table;
  while (const auto line = lines.next()) {
    if (line->empty() || line->starts_with('#')) continue;
    if (screen && line->find(arrow) == std::string_view::npos) continue;
    auto error = screen ? add_screen_row(lines, *line, table) : add_file_row(lines, *line, table);
    if (error) return *std::move(error);
  }
  file.table = table.take();
  return file;
}

}  // namespace tutti::reports
