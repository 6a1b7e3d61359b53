// SPDX-License-Identifier: BSD-3-Clause
// The algorithms that sets of parameters choose, as rules for Open MPI's coll_tuned: each holds
// from the processes and the message size on that its set was found for, up to those of the next
// set. What is smaller is left to Open MPI's own rules.
#pragma once

#include <vector>

#include "algorithms/selection/write_rules.hpp"
#include "sim/params/parameter_set.hpp"

namespace tutti::studies::params {

struct SetsRules {
  std::vector<algorithms::selection::WrittenCollective> collectives;
  std::vector<store::NamedText> left_out;  // "set 3: bcast/algorithm", and why
};

// Of sets with the same place and size the first counts.
SetsRules rules_of(const std::vector<store::ParameterSet>& sets);

}  // namespace tutti::studies::params
