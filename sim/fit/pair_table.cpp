// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/pair_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <optional>

#include "sim/base/error_list.hpp"
#include "sim/base/quote.hpp"
#include "sim/base/suggest.hpp"
#include "workloads/shared_messages.hpp"

namespace tutti::studies {
namespace {

using Cells = std::vector<Cell>;

class PairTableReading {
 public:
  explicit PairTableReading(const Table& table) : table_(table) {}

  Result<ReadRows<PairMeasurement>> read() {
    if (!first_of({"message_bytes", "bytes", "mean_bytes", "size_bytes", "size"}))
      return make_error(ErrorKind::input, "", "no column of message sizes",
                        "message_bytes, bytes, mean_bytes or size");
    for (row_ = 0; row_ < table_.rows.size(); ++row_) read(table_.rows[row_]);
    if (wrong_) return *std::move(wrong_);
    if (!read_.found.empty()) return std::move(read_);
    return nothing_found(table_, read_.left_out, "no times of messages between two processes",
                         "columns one_way_s, rtt_s, half_rtt_median_s or time_s, in seconds; times "
                         "of collectives go to --collectives");
  }

 private:
  std::optional<std::size_t> first_of(std::initializer_list<std::string_view> names) const {
    for (const auto name : names) {
      const auto at = std::ranges::find(table_.columns, name);
      if (at != table_.columns.end()) return static_cast<std::size_t>(at - table_.columns.begin());
    }
    return std::nullopt;
  }

  // A text is no number: the row is left out, or what this column would say of it.
  std::optional<double> number(const Cells& row, std::initializer_list<std::string_view> names) {
    const auto at = first_of(names);
    if (!at) return std::nullopt;
    if (const auto* text = std::get_if<std::string>(&row[*at])) no_number_ = *text;
    return number_of(row[*at]);
  }

  std::string text(const Cells& row, std::string_view name) const {
    const auto at = first_of({name});
    return at ? to_text(row[*at]) : "";
  }

  void add(PairQuantity quantity, double bytes, std::optional<double> time_s, int window = 0) {
    if (!time_s || std::isnan(*time_s)) return;
    const auto size = static_cast<Bytes>(std::llround(bytes));
    if (is_measurable(*time_s))
      return read_.found.push_back({quantity, size, *time_s, inside_node_, window});
    if (!wrong_)
      wrong_ = error_of_row(table_, row_,
                            fmt::format("{} s for {} bytes is no time of a message", *time_s, size),
                            "leave the row out, by --only or in the file");
  }

  // Of whoever reads messages of many pairs.
  static bool is_of_others(const std::string& pattern) {
    return pattern == "bidirectional" || workloads::shared_pattern(pattern);
  }

  void read(const Cells& row) {
    const auto pattern = text(row, "pattern");
    if (!text(row, "collective").empty() || is_of_others(pattern)) return;
    if (!pattern.empty() && pattern != "pingpong" && pattern != "stream")
      return read_.left_out.add(
          row_, fmt::format("{} is neither ping-pong nor a stream", in_quotes(pattern)));
    no_number_.clear();
    const std::size_t before = read_.found.size();
    const auto bytes = number(row, {"message_bytes", "bytes", "mean_bytes", "size_bytes", "size"});
    const bool has_size = bytes && *bytes >= 0 && *bytes <= 1e15;
    if (has_size) read_times(row, pattern, *bytes);
    if (!no_number_.empty())
      read_.left_out.add(row_, fmt::format("{} is no number", in_quotes(no_number_)));
    else if (!has_size)
      read_.left_out.add(row_, bytes ? fmt::format("{} is no size", *bytes) : "no size");
    else if (read_.found.size() == before && !wrong_)
      read_.left_out.add(row_, "no time");
  }

  void read_times(const Cells& row, const std::string& pattern, double size) {
    inside_node_ = text(row, "path") == "intra";
    const auto time_s =
        number(row, {"time_s", "time_mean_s", "t_median_s", "median_s", "t_mean_s"});
    add(PairQuantity::one_way, size, number(row, {"one_way_s", "half_rtt_median_s"}));
    const auto rtt_s = number(row, {"rtt_s", "round_trip_s"});
    if (rtt_s) add(PairQuantity::one_way, size, *rtt_s / 2);
    if (pattern.empty() || pattern == "pingpong") add(PairQuantity::one_way, size, time_s);
    if (pattern == "stream")
      add(PairQuantity::interval, size, stream_time(row, size, time_s), window_of(row));
    add(PairQuantity::interval, size, number(row, {"interval_s"}));
    add(PairQuantity::send_overhead, size, number(row, {"o_send_s"}));
    add(PairQuantity::recv_overhead, size, number(row, {"o_recv_s"}));
  }

  std::optional<double> stream_time(const Cells& row, double bytes, std::optional<double> time_s) {
    if (time_s) return time_s;
    const auto rate = number(row, {"bandwidth_Bps"});
    return rate && *rate > 0 ? std::optional(bytes / *rate) : std::nullopt;
  }

  int window_of(const Cells& row) {
    constexpr int osus = 64;
    constexpr double most = 1e6;
    const auto window = number(row, {"window"});
    return window && *window >= 1 && *window <= most ? static_cast<int>(*window) : osus;
  }

  const Table& table_;
  ReadRows<PairMeasurement> read_;
  std::optional<Error> wrong_;
  // Of the row that is read.
  std::size_t row_ = 0;
  bool inside_node_ = false;
  std::string no_number_;  // a text where a number belongs
};

}  // namespace

Result<Table> rows_with(Table table, const OnlyRows& only) {
  for (const auto& [column, wanted] : only) {
    const auto at = std::ranges::find(table.columns, column);
    if (at == table.columns.end())
      return usage_error("--only", fmt::format("there is no column {}", in_quotes(column)),
                         did_you_mean(column, table.columns));
    const auto index = at - table.columns.begin();
    keep_rows(table, [&, text = wanted](const Cells& row) { return to_text(row[index]) == text; });
    if (table.rows.empty())
      return usage_error("--only", fmt::format("no row has {} in column {}", in_quotes(wanted),
                                               in_quotes(column)));
  }
  return table;
}

Result<ReadRows<PairMeasurement>> pair_measurements(const Table& table) {
  return PairTableReading(table).read();
}

}  // namespace tutti::studies
