// SPDX-License-Identifier: BSD-3-Clause
// "# size n PRTT(1,0,s) PRTT(n,0,s) PRTT(n,PRTT(1,0,s),s) L o_s o_r g G lsqu(g,G)", times in us.
// L, g and G of the file are running fits; what was measured are the PRTT and o_r.
#include <fmt/format.h>

#include "sim/base/line_reader.hpp"
#include "sim/base/units.hpp"
#include "sim/reports/tables/benchmark_lines.hpp"

namespace tutti::reports {
namespace {

constexpr std::size_t least_words = 8;

std::optional<Error> add_row(const BenchmarkLines& lines, std::string_view line,
                             TableBuilder& table) {
  constexpr double seconds_per_us = 1e-6;
  const auto words = words_in(line);
  if (words.size() < least_words) return lines.error(line, "not a row of Netgauge's loggp");
  const auto bytes = parse_integer(words[0]);
  const auto messages = parse_integer(words[1]);
  if (!bytes || *bytes < 0) return lines.error(words[0], "not a number of bytes");
  if (!messages || *messages < 2) return lines.error(words[1], "not a number of messages");
  std::vector<double> numbers;
  for (std::size_t i = 2; i < least_words; ++i) {
    const auto number = parse_number(words[i]);
    if (!number) return lines.error(words[i], "not a time in us");
    numbers.push_back(*number * seconds_per_us);
  }
  const double rtt_s = numbers[0];
  table.begin_row(lines.number());
  table.set("message_bytes", *bytes);
  table.set("rtt_s", rtt_s);
  table.set("interval_s", (numbers[1] - rtt_s) / static_cast<double>(*messages - 1));
  table.set("o_send_s", numbers[4]);
  table.set("o_recv_s", numbers[5]);
  return std::nullopt;
}

}  // namespace

Result<ResultFile> read_netgauge(std::string_view text, const std::string& path) {
  BenchmarkLines lines(text, path);
  ResultFile file;
  TableBuilder table;
  while (const auto line = lines.next()) {
    if (line->empty() || line->starts_with('#')) continue;
    if (auto error = add_row(lines, *line, table)) return *std::move(error);
  }
  file.table = table.take();
  return file;
}

}  // namespace tutti::reports
