// SPDX-License-Identifier: BSD-3-Clause
// What a picture shows, as words say it: options of `sim plot`, keys of [[report.plot]].
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/plots/picture.hpp"
#include "sim/reports/plots/plot_spec.hpp"

namespace tutti::reports {

struct PlotSpec {
  PlotRequest request;
  std::optional<LogAxes> log;
  bool winner = false;
  std::string title;  // empty: of the study
};

// Errors of kind usage, with the option ("--log") as their place.
Result<PlotSpec> plot_spec(const PlotWords& words);

}  // namespace tutti::reports
