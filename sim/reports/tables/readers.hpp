// SPDX-License-Identifier: BSD-3-Clause
// The readers behind `read_result_text`, one file each, and what they share.
#pragma once

#include "sim/base/common.hpp"
#include "sim/base/text_position.hpp"
#include "sim/reports/tables/result_file.hpp"

namespace tutti::reports {

Result<ResultFile> read_csv(std::string_view text, const std::string& path);
Result<ResultFile> read_json(std::string_view text, const std::string& path);
// Adds what the sidecar of a CSV says: provenance, failed points, the platform. One of another CSV
// is only mentioned.
void read_sidecar(std::string_view text, std::string_view csv, ResultFile& file);
// A JSON object a line.
Result<ResultFile> read_jsonl(std::string_view text, const std::string& path);
// osu_bcast and its kind, with or without -f, and `--format osu`.
Result<ResultFile> read_osu(std::string_view text, const std::string& path);
Result<ResultFile> read_imb(std::string_view text, const std::string& path);
// What NetPIPE prints, and its files of three columns: bytes, Mb/s (of 2^20 bits, or of 10^6), s.
Result<ResultFile> read_netpipe(std::string_view text, const std::string& path);
// The file of Netgauge's pattern loggp; as `sim run loggp`: rtt_s, o_send_s, o_recv_s, interval_s.
Result<ResultFile> read_netgauge(std::string_view text, const std::string& path);
// "#@key=value" lines, a header, a row for each repetition (facts of its code: Hunold,
// Carpen-Amarie, IEEE TPDS 27(12), 2016).
Result<ResultFile> read_reprompi(std::string_view text, const std::string& path);
// Whether text without a header is NetPIPE's.
bool is_netpipe(std::string_view text);

Result<ResultFile> read_store(const std::string& path);

// Kind `input`, at a byte of the text.
Error error_at(std::string_view text, std::size_t offset, const std::string& path,
               std::string message, std::string hint = "");

// A table has a cell for every row and column: where few of them are given, it takes far more
// memory than the text. Beyond this many it is refused.
inline constexpr std::size_t most_cells = 64'000'000;
inline constexpr std::size_t most_columns = 4096;
std::optional<Error> too_many_cells(std::size_t rows, std::size_t columns, const std::string& path);

// What a report says once for all of its rows: a column where no column of that name is there.
void add_constant(Table& table, const std::string& column, const Cell& value);

// "Broadcast", "All-to-All Personalized Exchange", "Bcast" -> the name of `sim run`; empty: none.
std::string collective_named(std::string_view name);

// A table that grows by rows which do not all have the same columns.
class TableBuilder {
 public:
  // `line`: where it stands, if that is known; of all rows or of none.
  void begin_row(int line = 0);
  // Of the current row. A column that the row has already takes the last value.
  void set(std::string_view column, Cell value);
  Table take();
  std::size_t rows() const { return table_.rows.size(); }
  std::size_t columns() const { return table_.columns.size(); }

 private:
  Table table_;
  std::size_t expected_ = 0;  // rows tend to have the same columns in the same order
};

}  // namespace tutti::reports
