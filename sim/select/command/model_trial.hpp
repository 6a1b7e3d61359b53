// SPDX-License-Identifier: BSD-3-Clause
// What rules made of predictions are worth: the calls that they choose are simulated in every cell,
// and in a random tenth of the cells all that competed.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/commands/document_output.hpp"
#include "sim/commands/point_run.hpp"
#include "sim/select/rules.hpp"
#include "sim/studies/point.hpp"

namespace tutti::commands {

// Rules of one collective, from predicted times.
struct PredictedRules {
  const studies::select::TimeTable& table;
  const studies::select::RuleSet& rules;
  const studies::select::RuleWish& wish;
};

struct ModelTrial {
  std::size_t cells = 0;       // whose chosen call was simulated
  double median_error = 0;     // |predicted / simulated - 1| of these calls
  double largest_error = 0;    // the same
  std::size_t full_cells = 0;  // in which all that competed were simulated
  double mean_loss = 0;        // of the chosen call against the best there
  double largest_loss = 0;
  std::string worst_at = {};  // "bcast, 40 processes, 48 KiB"; empty: nothing is lost

  // Sentences for reports and for the heads of files.
  std::vector<std::string> lines(const std::string& models) const;
};

// The seed by which the tenth is drawn.
inline constexpr std::uint64_t trial_seed = 1;

// The calls of a cell, by candidate; none where it does not run.
using CallsOfCell = std::function<Result<std::vector<std::optional<studies::Point>>>(
    const std::string& collective, const studies::select::TimedCell& cell)>;

// The exit code of the simulations goes to `run`, with what failed.
ModelTrial try_rules(const std::vector<PredictedRules>& all, const CallsOfCell& calls_of,
                     const platforms::Machine& machine, int jobs, const Diagnostics& diagnostics,
                     CheckRun& run);

}  // namespace tutti::commands
