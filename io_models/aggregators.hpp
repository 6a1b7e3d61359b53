// SPDX-License-Identifier: BSD-3-Clause
// Which ranks are the aggregators.
#pragma once

#include <string_view>
#include <vector>

#include "platforms/placement.hpp"
#include "sim/base/result.hpp"
#include "sim/runtime/types.hpp"

namespace tutti::io_models {

enum class AggregatorPlacement : std::uint8_t {
  groups,  // Open MPI's vulcan: the first rank of each of A groups of consecutive ranks, of P / A
           // ranks, the first P mod A groups one more
  spread,  // Open MPI's two_phase and dynamic_gen2: rank floor(i P / A)
  first,   // ROMIO with cb_config_list=*:*: ranks 0 .. A-1
  nodes    // over the nodes in turn: each node's first rank, then each one's second, ...
};

inline constexpr std::string_view placement_names[] = {"groups", "spread", "first", "nodes"};

// The `place` of the error is left empty: the caller knows which option it reads.
Result<AggregatorPlacement> parse_aggregator_placement(std::string_view word);

// By number of the aggregator; 1 <= aggregators <= procs.
std::vector<runtime::RankId> place_aggregators(AggregatorPlacement how, int aggregators,
                                               const platforms::Placement& placement);

}  // namespace tutti::io_models
