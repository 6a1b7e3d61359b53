// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/fit/pair_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <optional>

#include "sim/base/error_list.hpp"
#include "sim/base/quote.hpp"
#include "sim/base/suggest.hpp"

namespace tutti::studies {
namespace {

using Cells = std::vector<Cell>;

class TableReading {
 public:
  explicit TableReading(const Table& table) : table_(table) {}

  Result<std::vector<PairMeasurement>> read() {
    if (!first_of({"message_bytes", "bytes", "mean_bytes", "size_bytes", "size"}))
      return make_error(ErrorKind::input, "", "no column of message sizes",
                        "message_bytes, bytes, mean_bytes or size");
    for (const Cells& row : table_.rows) read(row);
    if (wrong_) return *std::move(wrong_);
    if (!found_.empty()) return std::move(found_);
    return make_error(ErrorKind::input, "", "no times of messages between two processes",
                      "columns one_way_s, rtt_s, half_rtt_median_s or time_s, in seconds; times of "
                      "collectives go to --collectives");
  }

 private:
  std::optional<std::size_t> first_of(std::initializer_list<std::string_view> names) const {
    for (const auto name : names) {
      const auto at = std::ranges::find(table_.columns, name);
      if (at != table_.columns.end()) return static_cast<std::size_t>(at - table_.columns.begin());
    }
    return std::nullopt;
  }

  std::optional<double> number(const Cells& row,
                               std::initializer_list<std::string_view> names) const {
    const auto at = first_of(names);
    if (!at) return std::nullopt;
    return number_of(row[*at]);
  }

  std::string text(const Cells& row, std::string_view name) const {
    const auto at = first_of({name});
    return at ? to_text(row[*at]) : "";
  }

  void add(PairQuantity quantity, double bytes, std::optional<double> time_s) {
    if (!time_s || std::isnan(*time_s)) return;
    const auto size = static_cast<Bytes>(std::llround(bytes));
    if (*time_s > 0 && std::isfinite(*time_s))
      return found_.push_back({quantity, size, *time_s, inside_node_});
    if (!wrong_)
      wrong_ = make_error(ErrorKind::input, "",
                          fmt::format("{} s for {} bytes is no time of a message", *time_s, size),
                          "leave the row out, by --only or in the file");
  }

  void read(const Cells& row) {
    const auto bytes = number(row, {"message_bytes", "bytes", "mean_bytes", "size_bytes", "size"});
    if (!bytes || !(*bytes >= 0) || *bytes > 1e15 || !text(row, "collective").empty()) return;
    inside_node_ = text(row, "path") == "intra";
    const auto pattern = text(row, "pattern");
    const auto time_s =
        number(row, {"time_s", "time_mean_s", "t_median_s", "median_s", "t_mean_s"});
    add(PairQuantity::one_way, *bytes, number(row, {"one_way_s", "half_rtt_median_s"}));
    const auto rtt_s = number(row, {"rtt_s", "round_trip_s"});
    if (rtt_s) add(PairQuantity::one_way, *bytes, *rtt_s / 2);
    if (pattern.empty() || pattern == "pingpong") add(PairQuantity::one_way, *bytes, time_s);
    if (pattern == "stream") add(PairQuantity::interval, *bytes, stream_time(row, *bytes, time_s));
    add(PairQuantity::interval, *bytes, number(row, {"interval_s"}));
    add(PairQuantity::send_overhead, *bytes, number(row, {"o_send_s"}));
    add(PairQuantity::recv_overhead, *bytes, number(row, {"o_recv_s"}));
  }

  std::optional<double> stream_time(const Cells& row, double bytes,
                                    std::optional<double> time_s) const {
    if (time_s) return time_s;
    const auto rate = number(row, {"bandwidth_Bps"});
    return rate && *rate > 0 ? std::optional(bytes / *rate) : std::nullopt;
  }

  const Table& table_;
  std::vector<PairMeasurement> found_;
  std::optional<Error> wrong_;
  bool inside_node_ = false;  // the row that is read
};

}  // namespace

Result<Table> rows_with(Table table, const OnlyRows& only) {
  for (const auto& [column, wanted] : only) {
    const auto at = std::ranges::find(table.columns, column);
    if (at == table.columns.end())
      return usage_error("--only", fmt::format("there is no column {}", in_quotes(column)),
                         did_you_mean(column, table.columns));
    const auto index = at - table.columns.begin();
    std::erase_if(table.rows,
                  [&, text = wanted](const Cells& row) { return to_text(row[index]) != text; });
    if (table.rows.empty())
      return usage_error("--only", fmt::format("no row has {} in column {}", in_quotes(wanted),
                                               in_quotes(column)));
  }
  return table;
}

Result<std::vector<PairMeasurement>> pair_measurements(const Table& table) {
  return TableReading(table).read();
}

}  // namespace tutti::studies
