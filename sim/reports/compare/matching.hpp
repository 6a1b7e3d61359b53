// SPDX-License-Identifier: BSD-3-Clause
// By which columns the points of two files are matched.
#pragma once

#include "sim/reports/compare/comparison.hpp"

namespace tutti::reports {

struct MatchColumns {
  std::vector<std::string> key;
  std::vector<Difference> differences;
};

Result<MatchColumns> match_columns(const ResultFile& a, const ResultFile& b,
                                   const CompareRequest& request);

// Equal for values that are the same, however they are written.
std::string canonical(const std::string& column, const Cell& value);

}  // namespace tutti::reports
