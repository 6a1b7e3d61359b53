// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/plots/drawable.hpp"

#include "sim/reports/plots/grid.hpp"
#include "sim/reports/plots/plot_words.hpp"

namespace tutti::reports {
namespace {

bool is_drawable(const ResultFile& file, const PlotWords& words) {
  const auto spec = plot_spec(words);
  if (!spec) return false;
  const auto grid = grid_of(file, spec->request);
  return grid && lines_picture(*grid, spec->title, spec->log);
}

}  // namespace

PlotWords first_drawable(const Table& points, const std::vector<PlotWords>& plots) {
  ResultFile file;
  file.table = points;
  for (const auto& words : plots)
    if (is_drawable(file, words)) return words;
  return plots.front();
}

}  // namespace tutti::reports
