// SPDX-License-Identifier: BSD-3-Clause
// Compares two result files point by point.
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/plots/grid.hpp"
#include "sim/reports/tables/result_file.hpp"

namespace tutti::reports {

struct CompareRequest {
  std::optional<std::vector<std::string>> key = {};  // columns to match by; default: see `compare`
  std::optional<std::string> y = {};  // default: first of time_s, time_mean_s, ... in both files
};

struct ComparedPoint {
  Key key;
  double a = 0;
  double b = 0;
  double ratio = 1;  // b / a
};

// A column that has a single value in each file, different from that in the other file. Empty for a
// key of --set that only the other file overrides.
struct Difference {
  std::string column;
  Cell a;
  Cell b;
  bool requested = true;  // a parameter, not a value that may follow from parameters
};

// Name of the difference between the versions of Tutti and SimGrid that wrote the files.
inline constexpr std::string_view version_column = "Tutti";

// The selection and the order of the printed points.
struct CompareView {
  bool only_changed = false;
  double tolerance = 0.005;              // points with |B/A - 1| up to this are unchanged
  std::optional<std::string> sort = {};  // a column of the key, or "ratio" (largest first)
};

struct Comparison {
  std::string file_a;
  std::string file_b;
  std::string y;
  std::vector<std::string> key;  // the columns of the points' keys
  std::vector<bool> varies;      // for each column of the key
  std::vector<Difference> differences;
  std::vector<ComparedPoint> points;  // points with a value in both files, sorted by key
  std::vector<ComparedPoint> rows;    // the points to print
  std::string rows_note;              // set if `rows` are not all points
  std::vector<Key> only_a;            // points that the other file does not have
  std::vector<Key> only_b;
  std::vector<Key> lost;                // points of both files with a value only in A
  std::vector<ComparedPoint> no_ratio;  // one value is 0, or the signs differ
  std::size_t gained = 0;               // points of both files with a value only in B
  std::size_t no_value = 0;             // points of both files without a value in either
  std::vector<std::string> failed_a;    // why points have no row
  std::vector<std::string> failed_b;
};

// Points match if they agree in all parameters that both files have. Excepted are parameters with a
// single value in each file that differs between the files: these are what is compared. Columns
// that may follow from parameters (segment sizes chosen by rules) are used only if points cannot be
// distinguished without them. Errors of kind usage: no common value column; points that cannot be
// distinguished; no match.
Result<Comparison> compare(const ResultFile& a, const ResultFile& b, const CompareRequest& request);

// Selects and sorts the rows. Errors of kind usage: unknown column.
std::optional<Error> arrange(Comparison& comparison, const CompareView& view);

// "1 MiB, 576 processes": size, number of processes, and the other columns that vary.
std::string place_of(const Comparison& comparison, const Key& key);

struct Summary {
  double geometric_mean = 1;  // of the ratios
  double median = 1;
  const ComparedPoint* least = nullptr;
  const ComparedPoint* greatest = nullptr;
};
Summary summary_of(const Comparison& comparison);

// Sentences of the text report: the files and their differences, the result, and the points that
// could not be compared.
std::vector<std::string> head_lines(const Comparison& comparison);
std::vector<std::string> summary_lines(const Comparison& comparison);
std::vector<std::string> omitted_lines(const Comparison& comparison);

// At most 80 columns wide.
std::string comparison_text(const Comparison& comparison);
std::string comparison_csv(const Comparison& comparison);
std::string comparison_json(const Comparison& comparison);
std::string comparison_jsonl(const Comparison& comparison);
std::string comparison_markdown(const Comparison& comparison);

// The columns by which the points of two files are matched.

struct MatchColumns {
  std::vector<std::string> key;
  std::vector<Difference> differences;
};

Result<MatchColumns> match_columns(const ResultFile& a, const ResultFile& b,
                                   const CompareRequest& request);

// A text that is equal for equal values, regardless of how they are written.
std::string canonical(const std::string& column, const Cell& value);

// Merges measured repetitions, one row each, into one row per point, in the order of their first
// rows. `time_s`, in seconds, is the median over runs (`mpirun`) of the medians over repetitions,
// as in the PGMPITuneLib paper. A file without repetitions is returned unchanged.
ResultFile with_medians(ResultFile file);

}  // namespace tutti::reports
