// SPDX-License-Identifier: BSD-3-Clause
// By which columns the points of two files are matched.
#pragma once

#include "sim/reports/compare/comparison.hpp"
#include "sim/reports/tables/result_file.hpp"

namespace tutti::reports {

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
