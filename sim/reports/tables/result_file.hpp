// SPDX-License-Identifier: BSD-3-Clause
// Reads results from a file: a store of `sim sweep`; a CSV, JSON or JSONL report of `sim run` or
// `sim export`; or the saved output of the OSU or Intel MPI Benchmarks or MPIBenchmarks.jl, with
// other lines around the tables; of NetPIPE, Netgauge (pattern loggp), ReproMPI, IOR or
// obdfilter-survey.
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/plots/plot_spec.hpp"
#include "sim/reports/tables/shown.hpp"
#include "sim/store/store.hpp"

namespace tutti::reports {

// A table of a report in addition to its points.
struct BesideTable {
  std::string name;
  std::string title;
  Table table;
  TableLook look = {};
  std::vector<std::string> notes;
};

struct ResultFile {
  std::string path;
  std::string study;  // names of the studies in a store
  // Columns are named as in the CSV of `sim run`, values in SI units.
  Table table;
  std::vector<std::string> provenance;  // a sentence each
  std::vector<std::string> failed;      // points that have no row
  std::vector<std::string> warnings;    // parts of it that could not be used, for the user
  std::vector<std::string> remarks;     // how the file was read: lines that were skipped, ...
  // Rows that agree in all but `time_s` and `mpirun` are measurements of one point.
  bool has_repetitions = false;
  std::vector<store::StoredStudy> studies;
  // Set for reports that have several tables (sim/reports/document).
  std::vector<std::string> about;  // sentences; the first is the title
  std::vector<BesideTable> tables;
  TableLook look;                  // of the points
  std::vector<std::string> notes;  // on the points
  std::vector<PlotWords> plots;    // plots that the report suggests
};

// `pattern` of a table that has no title and may be of messages or of a collective.
inline constexpr const char* untitled_pattern = "untitled";

// Recognizes the format by the content of the file, not by its name. "-" is standard input, whose
// path in messages is `standard_input`; it cannot be a store. `expected`: what the caller reads,
// for hints.
inline constexpr std::string_view any_result_file =
    "expected a store of `sim sweep`, a CSV or JSON report, or the output of a benchmark";
Result<ResultFile> read_result_file(const std::string& path,
                                    std::string_view expected = any_result_file);
// Reads any format except a store. `path` is used in messages.
Result<ResultFile> read_result_text(std::string_view text, const std::string& path,
                                    std::string_view expected = any_result_file);

// Maximum size in bytes; larger files are rejected.
inline constexpr std::size_t longest_result_file = std::size_t{1} << 30;

// Comments above the rows of a CSV report of `sim run`.

// Reads a comment, given without its '#'. "platform crill (catalog), hash 1234...: 16 nodes x 48
// cores, mpi/eager_limit = 48KiB" adds columns that the rows do not have; "failed: ..." adds a
// failed point.
void take_comment(std::string_view comment, ResultFile& file);
// Must be called after the last row.
void finish_comments(ResultFile& file);

}  // namespace tutti::reports
