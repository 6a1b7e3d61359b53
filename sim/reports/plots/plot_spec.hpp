// SPDX-License-Identifier: BSD-3-Clause
// A requested plot: pairs of an option's name and its value.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::reports {

// Names are options without dashes: x, y; series, facet, facet_rows (comma-separated columns);
// relative; log (x, y, xy, none); kind (lines, winner, fit); title; only (comma-separated
// COLUMN=TEXT).
using PlotWords = std::vector<std::pair<std::string, std::string>>;

}  // namespace tutti::reports
