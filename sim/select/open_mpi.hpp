// SPDX-License-Identifier: BSD-3-Clause
// Restricts rules to what Open MPI's file of dynamic rules supports.
#pragma once

#include "algorithms/selection/write_rules.hpp"
#include "sim/select/rules.hpp"

namespace tutti::studies::select {

// What the file can distinguish and select for the collective.
RuleSpec spec_of_rules_file(const std::string& collective, double most_loss);

// `rules`: made with that spec.
algorithms::selection::WrittenCollective written(const TimeTable& table, const RuleSet& rules);

}  // namespace tutti::studies::select
