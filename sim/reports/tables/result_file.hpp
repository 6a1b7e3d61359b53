// SPDX-License-Identifier: BSD-3-Clause
// Results from a file, whatever program wrote them: a store of `sim sweep`, a CSV, JSON or JSONL
// report of `sim run` or `sim export`, output of the OSU or the Intel MPI Benchmarks, of NetPIPE,
// Netgauge (pattern loggp) or ReproMPI.
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/plots/plot_spec.hpp"
#include "sim/store/store.hpp"

namespace tutti::reports {

// Of a report of several tables, one beside its points.
struct BesideTable {
  std::string name;
  std::string title;
  Table table;
  std::vector<std::string> notes;
};

struct ResultFile {
  std::string path;
  std::string study;  // the name, of a store
  // Columns are named as in the CSV of `sim run`, values in SI units.
  Table table;
  std::vector<std::string> provenance;  // a sentence each
  std::vector<std::string> failed;      // points that have no row
  // Rows that agree in all but `time_s` and `mpirun` are measurements of one point.
  bool has_repetitions = false;
  std::vector<store::StoredStudy> studies;
  // Of reports of several tables (sim/reports/document).
  std::vector<std::string> about;  // sentences; the first is the title
  std::vector<BesideTable> tables;
  std::vector<PlotWords> plots;  // that it would like to have
};

// By its content, not by its name; "-" is standard input, whose path is `standard_input`, and which
// is no store.
Result<ResultFile> read_result_file(const std::string& path);
// What is no store; `path` is for messages.
Result<ResultFile> read_result_text(std::string_view text, const std::string& path);

// Larger ones are refused.
inline constexpr std::size_t longest_result_file = std::size_t{1} << 30;

// What the comments above a CSV report of `sim run` say of its rows.

// A comment without its '#'. "platform crill (catalog), hash 1234...: 16 nodes x 48 cores,
// mpi/eager_limit = 48KiB" gives columns that the rows lack; "failed: ..." a failed point.
void take_comment(std::string_view comment, ResultFile& file);
// After the last row.
void finish_comments(ResultFile& file);

}  // namespace tutti::reports
