// SPDX-License-Identifier: BSD-3-Clause
// Rules as Open MPI's file of dynamic rules can hold them.
#pragma once

#include "algorithms/selection/write_rules.hpp"
#include "sim/select/rules.hpp"

namespace tutti::studies::select {

// What such a file can say of the collective.
RuleSpec spec_of_rules_file(const std::string& collective, double most_loss);

// `rules`: made by that wish.
algorithms::selection::WrittenCollective written(const TimeTable& table, const RuleSet& rules);

}  // namespace tutti::studies::select
