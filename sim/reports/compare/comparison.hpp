// SPDX-License-Identifier: BSD-3-Clause
// Two files of results, point by point.
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/plots/grid.hpp"
#include "sim/reports/tables/result_file.hpp"

namespace tutti::reports {

struct CompareRequest {
  std::optional<std::vector<std::string>> key = {};  // columns to match by; default: see `compare`
  std::optional<std::string> y = {};  // default: time_s, time_mean_s, ..., the first that both have
};

struct ComparedPoint {
  Key key;
  double a = 0;
  double b = 0;
  double ratio = 1;  // b / a
};

// A column in which each file has one value, another one than the other file. No value: of a key of
// --set that the file's platform gives itself.
struct Difference {
  std::string column;
  Cell a;
  Cell b;
  bool requested = true;  // a parameter, nothing that may follow from one
};

// Of the versions of Tutti and SimGrid that made the files.
inline constexpr std::string_view version_column = "Tutti";

// Which of the points are printed, and in which order.
struct CompareView {
  bool only_changed = false;
  double tolerance = 0.005;              // of |B/A - 1|: what counts as unchanged
  std::optional<std::string> sort = {};  // a column of the key, or "ratio": the largest first
};

struct Comparison {
  std::string file_a;
  std::string file_b;
  std::string y;
  std::vector<std::string> key;  // the columns of the points' keys
  std::vector<bool> varies;      // by column of the key
  std::vector<Difference> differences;
  std::vector<ComparedPoint> points;  // with a value in both; by key
  std::vector<ComparedPoint> rows;    // of these, what is printed
  std::string rows_note;              // where those are not all
  std::vector<Key> only_a;            // no such point in the other file
  std::vector<Key> only_b;
  std::vector<Key> lost;                // a value in A, a point without one in B
  std::vector<ComparedPoint> no_ratio;  // values of which one is 0, or of another sign
  std::size_t gained = 0;               // a value in B, a point without one in A
  std::size_t no_value = 0;             // points in both, without a value in either
  std::vector<std::string> failed_a;    // points that have no row: why
  std::vector<std::string> failed_b;
};

// Points match that agree in all parameters which both files tell, but for those in which each file
// has one value of its own: they are what is compared. Columns that may follow from parameters
// (segments that rules chose) count only where points cannot be told apart without them.
// Errors of kind usage: no common value column, points that cannot be told apart, nothing matches.
Result<Comparison> compare(const ResultFile& a, const ResultFile& b, const CompareRequest& request);

// Chooses the rows. Errors of kind usage: no column of that name.
std::optional<Error> arrange(Comparison& comparison, const CompareView& view);

// "1 MiB, 576 processes": the size, the processes, and what varies.
std::string place_of(const Comparison& comparison, const Key& key);

struct Summary {
  double geometric_mean = 1;  // of the ratios
  double median = 1;
  const ComparedPoint* least = nullptr;
  const ComparedPoint* greatest = nullptr;
};
Summary summary_of(const Comparison& comparison);

// Sentences for a person: what the files are and where they differ, what came out, and what could
// not be compared.
std::vector<std::string> head_lines(const Comparison& comparison);
std::vector<std::string> summary_lines(const Comparison& comparison);
std::vector<std::string> omitted_lines(const Comparison& comparison);

// At most 80 columns wide.
std::string comparison_text(const Comparison& comparison);
std::string comparison_csv(const Comparison& comparison);
std::string comparison_json(const Comparison& comparison);
std::string comparison_jsonl(const Comparison& comparison);
std::string comparison_markdown(const Comparison& comparison);

// By which columns the points of two files are matched.

struct MatchColumns {
  std::vector<std::string> key;
  std::vector<Difference> differences;
};

Result<MatchColumns> match_columns(const ResultFile& a, const ResultFile& b,
                                   const CompareRequest& request);

// Equal for values that are the same, however they are written.
std::string canonical(const std::string& column, const Cell& value);

// Measured repetitions, a row each, as one value of their point.

// A row for each point, in the order of their first ones: its `time_s`, in seconds, is the median
// over the runs (`mpirun`) of the medians of their repetitions, as PGMPITuneLib's paper counts. A
// file without repetitions comes back as it is.
ResultFile with_medians(ResultFile file);

}  // namespace tutti::reports
