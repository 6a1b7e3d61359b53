// SPDX-License-Identifier: BSD-3-Clause
// Choice among several plots of a table.
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/plots/plot_words.hpp"

namespace tutti::reports {

// Returns the first plot that can be drawn from `points`: with at most one value at each place, and
// not too many panels and curves. If none can be drawn, returns the first one; its error then
// reports the reason. `plots` must not be empty.
PlotWords first_drawable(const Table& points, const std::vector<PlotWords>& plots);
// Inserts a plot before `plots` that shows measured times as marks over the fitted or simulated
// lines, if `points` can be drawn in this way.
std::vector<PlotWords> with_fit_plot(const Table& points, const char* title,
                                     std::vector<PlotWords> plots);

// The plot to draw of those that a file suggests.
struct PlotChoice {
  PlotWords words;
  // Options that select each of the suggested plots that `words` does not show, with its title.
  std::vector<std::string> others;
};

// Merges plots of different rows (`only`) into panels of one plot if they fit; else chooses the
// first plot that can be drawn, or the first one if none can. `file.plots` must not be empty.
PlotChoice choose_plot(const ResultFile& file);

// The title of the suggested plot of measured over fitted times, or empty.
std::string title_of_fit(const ResultFile& file);

}  // namespace tutti::reports
