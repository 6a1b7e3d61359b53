// SPDX-License-Identifier: BSD-3-Clause
// The readers behind `read_result_text` and what they share.
#pragma once

#include "sim/base/common.hpp"
#include "sim/base/text_position.hpp"
#include "sim/reports/tables/result_file.hpp"

namespace tutti::reports {

// A CSV, also with other lines around it if its header contains a known column.
Result<ResultFile> read_csv(std::string_view text, const std::string& path);
// True if a line is a header of CSV with a known column.
bool has_csv_table(std::string_view text);
Result<ResultFile> read_json(std::string_view text, const std::string& path);
// Adds the contents of the sidecar of a CSV: provenance, failed points, platform. If the sidecar
// describes another CSV, adds only a note to the provenance.
void read_sidecar(std::string_view text, std::string_view csv, ResultFile& file);
// Reads one JSON object per line.
Result<ResultFile> read_jsonl(std::string_view text, const std::string& path);
// Reads the tables of OSU's, Intel's and Julia's benchmarks and of `--format osu` in a saved
// output. Lines around them, such as those of schedulers, launchers and libraries, are skipped and
// counted in the remarks. A table that is incomplete or has two readings is an error. OSU's average
// over the ranks becomes `time_mean_s`, the maximum `time_s`.
Result<ResultFile> read_benchmarks(std::string_view text, const std::string& path);
// True if there is a title or a line of heads.
bool has_benchmark_table(std::string_view text);
// Reads NetPIPE's screen output and its files of three columns: bytes, Mb/s (10^6 or 2^20 bits), s.
Result<ResultFile> read_netpipe(std::string_view text, const std::string& path);
// Reads the output of Netgauge's pattern loggp into the columns of `sim run loggp`: rtt_s,
// o_send_s, o_recv_s, interval_s.
Result<ResultFile> read_netgauge(std::string_view text, const std::string& path);
// Reads ReproMPI's output (Hunold and Carpen-Amarie, IEEE TPDS 27(12), 2016): lines "#@key=value",
// a header, and a row for each repetition.
Result<ResultFile> read_reprompi(std::string_view text, const std::string& path);
// Reads the output of nccl-tests (read_nccl_tests.cpp): a row for each size, with message_bytes
// (buffer_bytes without a list of GPUs), time_s (out of place), in_place_time_s, algbw_Bps,
// busbw_Bps.
Result<ResultFile> read_nccl_tests(std::string_view text, const std::string& path);
bool is_nccl_tests(std::string_view text);
// Reads the output of one or several runs of IOR: a row for each iteration; if it is missing, those
// of the summary.
Result<ResultFile> read_ior(std::string_view text, const std::string& path);
bool is_ior(std::string_view text);
// Reads the lines of Lustre's obdfilter-survey: a row for each rate.
Result<ResultFile> read_obdfilter_survey(std::string_view text, const std::string& path);
bool is_obdfilter_survey(std::string_view text);
// True if text without a header is the output of NetPIPE.
bool is_netpipe(std::string_view text);

Result<ResultFile> read_store(const std::string& path);

// An error of kind `input` at a byte of the text.
Error error_at(std::string_view text, std::size_t offset, const std::string& path,
               std::string message, std::string hint = "");

// Limits of a table. It has a cell for every row and column, so a sparse file needs far more memory
// as a table than as text. Larger tables are rejected.
inline constexpr std::size_t most_cells = 64'000'000;
inline constexpr std::size_t most_columns = 4096;
std::optional<Error> too_many_cells(std::size_t rows, std::size_t columns, const std::string& path);

// The remark on lines that belong to no table, of which `first` is the number of the first.
std::string skipped_lines(int count, int first);

// Adds a column with the same value in all rows, unless the table has a column of that name.
void add_constant(Table& table, const std::string& column, const Cell& value);

// The names of collectives, each before its parts.
inline constexpr auto known_collectives = std::to_array<std::string_view>(
    {"reduce_scatter_block", "reduce_scatter", "allgatherv", "alltoallv", "allgather", "allreduce",
     "alltoall", "barrier", "gatherv", "scatterv", "exscan", "gather", "reduce", "scatter", "bcast",
     "scan"});
// The name that `sim run` uses for "Broadcast", "All-to-All Personalized Exchange" or "Bcast";
// empty if unknown.
std::string collective_named(std::string_view name);

// Builds a table from rows that may have different columns.
class TableBuilder {
 public:
  // `line`: line of the row in the file; given for all rows or for none.
  void begin_row(int line = 0);
  // Sets a cell of the current row, replacing its previous value.
  void set(std::string_view column, Cell value);
  Table take();
  std::size_t rows() const { return table_.rows.size(); }
  std::size_t columns() const { return table_.columns.size(); }

 private:
  Table table_;
  std::size_t expected_ = 0;  // likely next column: rows tend to have the same columns in order
};

}  // namespace tutti::reports
