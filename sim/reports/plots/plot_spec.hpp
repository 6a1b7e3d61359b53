// SPDX-License-Identifier: BSD-3-Clause
// A plot as somebody asks for it: pairs of an option's name and its words.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::reports {

// By the name of an option without dashes: x, y, series, facet, rows (columns, with commas),
// relative, log (x, y, xy, none), kind (lines, winner, fit), title, only (COLUMN=TEXT, with
// commas).
using PlotWords = std::vector<std::pair<std::string, std::string>>;

}  // namespace tutti::reports
