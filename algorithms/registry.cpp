// SPDX-License-Identifier: BSD-3-Clause
#include <array>

#include "algorithms/allgather/allgather.hpp"
#include "algorithms/allreduce/allreduce.hpp"
#include "algorithms/bcast/bcast.hpp"
#include "algorithms/collective.hpp"
#include "algorithms/exscan/exscan.hpp"
#include "algorithms/reduce/reduce.hpp"
#include "algorithms/reduce_scatter/reduce_scatter.hpp"
#include "algorithms/scan/scan.hpp"

namespace tutti::algorithms {

std::span<const Collective> all_collectives() {
  static constexpr Collective table[] = {
      {.name = "bcast", .rooted = true},
      {.name = "allgather", .in_blocks = true},
      {.name = "allgatherv", .in_blocks = true, .has_counts = true},
      {.name = "allreduce", .reduces = true},
      {.name = "alltoall", .in_blocks = true},
      {.name = "alltoallv", .in_blocks = true, .has_counts = true},
      {.name = "barrier"},
      {.name = "gather", .rooted = true, .in_blocks = true},
      {.name = "gatherv", .rooted = true, .in_blocks = true, .has_counts = true},
      {.name = "scatter", .rooted = true, .in_blocks = true},
      {.name = "scatterv", .rooted = true, .in_blocks = true, .has_counts = true},
      {.name = "reduce", .rooted = true, .reduces = true},
      {.name = "reduce_scatter", .reduces = true, .has_counts = true},
      {.name = "reduce_scatter_block", .in_blocks = true, .reduces = true},
      {.name = "scan", .reduces = true},
      {.name = "exscan", .reduces = true},
  };
  return table;
}

const Collective* find_collective(std::string_view name) {
  for (const Collective& collective : all_collectives())
    if (collective.name == name) return &collective;
  return nullptr;
}

std::span<const Algorithm> all_algorithms() {
  static const std::array table{
      bcast::basic_linear,
      bcast::chain,
      bcast::pipeline,
      bcast::split_binary_tree,
      bcast::binary_tree,
      bcast::binomial,
      bcast::knomial,
      bcast::scatter_allgather,
      bcast::scatter_allgather_ring,
      allgather::bruck,
      allgather::recursive_doubling,
      allreduce::basic_linear,
      allreduce::nonoverlapping,
      allreduce::recursive_doubling,
      allreduce::ring,
      allreduce::segmented_ring,
      allreduce::rabenseifner,
      allreduce::reduce_scatter_allgather,
      reduce::linear,
      reduce::chain,
      reduce::pipeline,
      reduce::binary,
      reduce::binomial,
      reduce::in_order_binary,
      reduce::rabenseifner,
      reduce_scatter::non_overlapping,
      reduce_scatter::recursive_halving,
      reduce_scatter::ring,
      reduce_scatter::butterfly,
      reduce_scatter_block::basic_linear,
      reduce_scatter_block::recursive_doubling,
      reduce_scatter_block::recursive_halving,
      reduce_scatter_block::butterfly,
      scan::linear,
      scan::recursive_doubling,
      exscan::linear,
      exscan::recursive_doubling,
  };
  return table;
}

std::vector<const Algorithm*> algorithms_of(std::string_view collective) {
  std::vector<const Algorithm*> found;
  for (const Algorithm& algorithm : all_algorithms())
    if (algorithm.collective == collective) found.push_back(&algorithm);
  return found;
}

const Algorithm* find_algorithm(std::string_view collective, std::string_view name) {
  for (const Algorithm& algorithm : all_algorithms())
    if (algorithm.collective == collective && algorithm.name == name) return &algorithm;
  return nullptr;
}

}  // namespace tutti::algorithms
