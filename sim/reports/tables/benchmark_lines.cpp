// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/tables/benchmark_lines.hpp"

#include "sim/base/text_file.hpp"
#include "sim/reports/tables/result_file.hpp"

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

// "# size n PRTT(1,0,s) PRTT(n,0,s) PRTT(n,PRTT(1,0,s),s) L o_s o_r g G lsqu(g,G)", times in us.
// The measured values are the PRTT and o_r; L, g and G in the file are running fits.

namespace {

constexpr std::size_t least_words = 8;

std::optional<Error> add_row(const BenchmarkLines& lines, std::string_view line,
                             TableBuilder& table) {
  constexpr double seconds_per_us = 1e-6;
  const auto words = words_in(line);
  if (words.size() < least_words)
    return lines.error(line, "expected a row of Netgauge's loggp pattern");
  const auto bytes = parse_integer(words[0]);
  const auto messages = parse_integer(words[1]);
  if (!bytes || *bytes < 0) return lines.error(words[0], "expected a number of bytes");
  if (!messages || *messages < 2)
    return lines.error(words[1], "expected a number of messages, at least 2");
  std::vector<double> numbers;
  for (std::size_t i = 2; i < least_words; ++i) {
    const auto number = parse_number(words[i]);
    if (!number) return lines.error(words[i], "expected a time in us");
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

// NetPIPE prints "  0:       1 bytes   7000 times -->      1.2 Mbps in       6.3 usec" on the
// screen and writes "       1 1.213000   0.00000629" to np.out. Times are half of the round trip.

namespace {

constexpr std::string_view arrow = "-->";

void add(TableBuilder& table, int line, std::int64_t bytes, double time_s) {
  table.begin_row(line);
  table.set("pattern", std::string("pingpong"));
  table.set("message_bytes", bytes);
  table.set("time_s", time_s);
}

// A row of the screen output: "-->" follows the number of repetitions.
std::optional<Error> add_screen_row(const BenchmarkLines& lines, std::string_view line,
                                    TableBuilder& table) {
  const auto words = words_in(line);
  const auto at = static_cast<std::size_t>(std::ranges::find(words, arrow) - words.begin());
  constexpr std::size_t behind = 6;  // --> RATE Mbps in TIME usec
  if (at < 4 || words.size() < at + behind) return lines.error(line, "expected a row of NetPIPE");
  const auto bytes = parse_integer(words[at - 4]);
  const auto time = parse_number(words[at + 4]);
  const bool microseconds = words[at + 5].starts_with("usec");
  if (!bytes || *bytes < 0) return lines.error(words[at - 4], "expected a number of bytes");
  if (!time || *time <= 0 || !microseconds)
    return lines.error(words[at + 4], "expected a time in usec");
  add(table, lines.number(), *bytes, *time * 1e-6);
  return std::nullopt;
}

// True if `rate` is that of `bytes` in `time_s`, in Mb/s with 10^6 or 2^20 bits.
bool agree(double bytes, double rate, double time_s) {
  constexpr double rounding = 0.03;
  const double Mbps = 8 * bytes / time_s / 1e6;
  constexpr double binary = 1048576e-6;
  return std::abs(rate / Mbps - 1) <= rounding || std::abs(rate * binary / Mbps - 1) <= rounding;
}

std::optional<Error> add_file_row(const BenchmarkLines& lines, std::string_view line,
                                  TableBuilder& table) {
  const auto words = words_in(line);
  if (words.size() != 3) return lines.error(line, "expected NetPIPE's three columns");
  const auto bytes = parse_integer(words[0]);
  const auto rate = parse_number(words[1]);
  const auto time_s = parse_number(words[2]);
  if (!bytes || *bytes < 0) return lines.error(words[0], "expected a number of bytes");
  if (!rate || !time_s || *time_s <= 0) return lines.error(words[2], "expected a time in s");
  constexpr Bytes many = 64;  // smaller sizes are printed with too few digits to check
  if (*bytes >= many && !agree(static_cast<double>(*bytes), *rate, *time_s))
    return lines.error(line, "inconsistent columns: expected bytes, Mb/s and seconds");
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
