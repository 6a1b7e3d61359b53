// SPDX-License-Identifier: BSD-3-Clause

#include "algorithms/allgather/allgather.hpp"
#include "algorithms/allgatherv/allgatherv.hpp"
#include "algorithms/allreduce/allreduce.hpp"
#include "algorithms/alltoall/alltoall.hpp"
#include "algorithms/alltoallv/alltoallv.hpp"
#include "algorithms/barrier/barrier.hpp"
#include "algorithms/bcast/bcast.hpp"
#include "algorithms/exscan/exscan.hpp"
#include "algorithms/gather/gather.hpp"
#include "algorithms/gatherv/gatherv.hpp"
#include "algorithms/han/han.hpp"
#include "algorithms/hardware/hardware.hpp"
#include "algorithms/hierarchical/hierarchical.hpp"
#include "algorithms/reduce/reduce.hpp"
#include "algorithms/reduce_scatter/reduce_scatter.hpp"
#include "algorithms/scan/scan.hpp"
#include "algorithms/scatter/scatter.hpp"
#include "algorithms/scatterv/scatterv.hpp"

namespace tutti::algorithms {

std::span<const Collective> all_collectives() {
  static constexpr Collective table[] = {
      {.name = "bcast", .rooted = true},
      {.name = "allgather", .in_blocks = true},
      {.name = "allgatherv", .in_blocks = true, .has_counts = true},
      {.name = "allreduce", .reduces = true},
      {.name = "alltoall", .in_blocks = true},
      {.name = "alltoallv", .in_blocks = true, .has_counts = true},
      {.name = "barrier", .has_message = false},
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
  // What `sim run schedule` simulates: no collective of MPI, and not in any list.
  static constexpr Collective schedule{.name = "schedule", .has_message = false};
  return name == schedule.name ? &schedule : nullptr;
}

namespace {

// With the algorithms of MPICH, which come last in each collective.
std::vector<Algorithm> grouped(std::span<const Algorithm> table) {
  std::vector<Algorithm> all;
  for (const Collective& collective : all_collectives())
    for (const auto algorithms : {table, mpich::algorithms()})
      for (const Algorithm& algorithm : algorithms)
        if (algorithm.collective == collective.name) all.push_back(algorithm);
  return all;
}

}  // namespace

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
      bcast::bine_lat,
      bcast::bine_lat_reversed,
      bcast::bine_lat_new,
      bcast::bine_lat_i_new,
      bcast::bine_bdw_static,
      bcast::bine_bdw_remap,
      bcast::circulant,
      hierarchical::bcast,
      han::bcast,
      han::bcast_simple,
      hardware::bcast,
      allgather::linear,
      allgather::bruck,
      allgather::recursive_doubling,
      allgather::ring,
      allgather::neighbor,
      allgather::two_proc,
      allgather::sparbit,
      allgather::direct_messaging,
      allgather::k_bruck,
      allgather::bine_permute_remap,
      allgather::bine_permute_static,
      allgather::bine_send_remap,
      allgather::bine_send_static,
      allgather::bine_2_blocks,
      allgather::bine_2_blocks_dtype,
      allgather::bine_block_by_block,
      allgather::bine_block_by_block_any_even,
      allgather::swing,
      allgather::circulant,
      hierarchical::allgather,
      han::allgather,
      allgatherv::gather_and_bcast,
      allgatherv::bruck,
      allgatherv::ring,
      allgatherv::neighbor,
      allgatherv::two_proc,
      allgatherv::sparbit,
      allgatherv::circulant,
      allreduce::basic_linear,
      allreduce::nonoverlapping,
      allreduce::recursive_doubling,
      allreduce::ring,
      allreduce::segmented_ring,
      allreduce::rabenseifner,
      allreduce::redscat_allgather,
      allreduce::allgather_reduce,
      allreduce::reduce_scatter_allgather,
      allreduce::bine_lat,
      allreduce::bine_bdw_static,
      allreduce::bine_bdw_remap,
      allreduce::bine_bdw_remap_segmented,
      allreduce::bine_block_by_block_any_even,
      allreduce::swing_lat,
      allreduce::swing_bdw,
      allreduce::circulant,
      hierarchical::allreduce,
      han::allreduce,
      han::allreduce_simple,
      han::allreduce_reproducible,
      hardware::allreduce,
      alltoall::linear,
      alltoall::pairwise,
      alltoall::modified_bruck,
      alltoall::linear_sync,
      alltoall::two_proc,
      alltoall::bine,
      alltoallv::basic_linear,
      alltoallv::pairwise,
      barrier::linear,
      barrier::double_ring,
      barrier::recursive_doubling,
      barrier::bruck,
      barrier::two_proc,
      barrier::tree,
      hierarchical::barrier,
      han::barrier,
      hardware::barrier,
      gather::basic_linear,
      gather::binomial,
      gather::linear_sync,
      gather::bine,
      han::gather,
      gatherv::linear,
      han::gatherv,
      scatter::basic_linear,
      scatter::binomial,
      scatter::linear_nb,
      scatter::bine,
      han::scatter,
      scatterv::linear,
      han::scatterv,
      reduce::linear,
      reduce::chain,
      reduce::pipeline,
      reduce::binary,
      reduce::binomial,
      reduce::in_order_binary,
      reduce::rabenseifner,
      reduce::knomial,
      reduce::bine_lat,
      reduce::bine_bdw,
      reduce::circulant,
      hierarchical::reduce,
      han::reduce,
      han::reduce_simple,
      han::reduce_reproducible,
      hardware::reduce,
      reduce_scatter::non_overlapping,
      reduce_scatter::recursive_halving,
      reduce_scatter::ring,
      reduce_scatter::butterfly,
      reduce_scatter::bine_static,
      reduce_scatter::bine_send_remap,
      reduce_scatter::bine_permute_remap,
      reduce_scatter::bine_block_by_block,
      reduce_scatter::bine_block_by_block_any_even,
      reduce_scatter::swing,
      reduce_scatter::circulant,
      reduce_scatter_block::basic_linear,
      reduce_scatter_block::recursive_doubling,
      reduce_scatter_block::recursive_halving,
      reduce_scatter_block::butterfly,
      reduce_scatter_block::circulant,
      scan::linear,
      scan::recursive_doubling,
      exscan::linear,
      exscan::recursive_doubling,
  };
  static const std::vector<Algorithm> all = grouped(table);
  return all;
}

std::vector<const Algorithm*> algorithms_of(std::string_view collective) {
  std::vector<const Algorithm*> chosen;
  for (const Algorithm& algorithm : all_algorithms())
    if (algorithm.collective == collective) chosen.push_back(&algorithm);
  return chosen;
}

const Algorithm* find_algorithm(std::string_view collective, std::string_view name) {
  for (const Algorithm& algorithm : all_algorithms())
    if (algorithm.collective == collective && algorithm.name == name) return &algorithm;
  return nullptr;
}

std::string runs_as(const Algorithm& algorithm, const ModelArgs& args) {
  if (algorithm.falls_back_to != nullptr)
    if (const auto name = algorithm.falls_back_to(args); !name.empty()) {
      const std::string parts = runs_as(*find_algorithm(algorithm.collective, name), args);
      return parts.empty() ? std::string(name) : std::string(name) + ": " + parts;
    }
  return algorithm.made_of == nullptr ? std::string{} : algorithm.made_of(args);
}

}  // namespace tutti::algorithms
