// SPDX-License-Identifier: BSD-3-Clause
// Ranks of an option: 0-15,20.
#pragma once

#include <string_view>
#include <vector>

#include "sim/base/result.hpp"
#include "sim/engines/inside/rank_ranges.hpp"

namespace tutti::options {

// In rising order, without overlaps. Errors (their place is left to the caller): what is no rank
// from 0 on, or no range; ranges that go down.
Result<std::vector<engines::RankRange>> parse_ranks(std::string_view text);

// Those below `procs`.
std::vector<engines::RankRange> below(std::vector<engines::RankRange> ranks, int procs);

}  // namespace tutti::options
