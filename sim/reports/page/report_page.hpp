// SPDX-License-Identifier: BSD-3-Clause
// Results as one HTML file that needs nothing else: no server, no network, no other file.
#pragma once

#include <string>

#include "sim/reports/plots/plot_words.hpp"
#include "sim/reports/tables/result_file.hpp"

namespace tutti::reports {

// Without `plots` a map of winners and lines of all that varies, as far as they can be drawn; where
// not, the page says why. Plots that were asked for and cannot be drawn are errors of kind usage.
Result<std::string> report_page(const ResultFile& file, const std::vector<PlotSpec>& plots);

}  // namespace tutti::reports
