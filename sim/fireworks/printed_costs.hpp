// SPDX-License-Identifier: BSD-3-Clause
// What cFireworks prints of its regressions, beside ours.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/fireworks/cost_model.hpp"

namespace tutti::studies::fireworks {

struct PrintedCost {
  std::string item;
  std::string printed;  // empty: not printed of this machine
  std::optional<double> ours;
};

// Of a machine of the paper ("tachyon1", "tachyon2") and one hot spot with messages of its size;
// empty: it has none such. `samples`: those that the model was fitted to.
std::vector<PrintedCost> beside_printed_costs(std::string_view platform, const CostModel& model,
                                              const std::vector<Sample>& samples);

}  // namespace tutti::studies::fireworks
