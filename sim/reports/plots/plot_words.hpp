// SPDX-License-Identifier: BSD-3-Clause
// Reads the specification of a plot: options of `sim plot`, keys of [[report.plot]].
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/plots/picture.hpp"
#include "sim/reports/plots/plot_spec.hpp"

namespace tutti::reports {

struct PlotSpec {
  PlotRequest request;
  std::optional<LogAxes> log;
  bool winner = false;
  bool is_fit = false;  // measured values as marks over a fitted line
  std::string title;    // empty: name of the study
};

// The request of `spec` for a table. For a fit, y is the fitted or simulated time, and the marks
// are the measured times; it is an error of kind usage if the table has no such pair of columns.
Result<PlotRequest> request_in(const Table& table, const PlotSpec& spec);

// Errors are of kind usage, with the option ("--log") as their place.
Result<PlotSpec> plot_spec(const PlotWords& words);

}  // namespace tutti::reports
