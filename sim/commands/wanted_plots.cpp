// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/wanted_plots.hpp"

namespace tutti::commands {

Result<std::vector<reports::PlotSpec>> wanted_plots(const studies::StudyFile& study) {
  std::vector<reports::PlotSpec> plots;
  ErrorList errors;
  for (const studies::StudyPlot& wanted : study.plots) {
    auto plot = reports::plot_spec(wanted.options);
    if (plot)
      plots.push_back(*std::move(plot));
    else
      for (const Error& error : plot.errors())
        errors.add(error_at(study, wanted.spot, error.message, error.hint));
  }
  if (!errors.empty()) return errors.errors();
  return plots;
}

}  // namespace tutti::commands
