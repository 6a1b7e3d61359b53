// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/guidelines/mockup.hpp"

#include "algorithms/guidelines/mockups.hpp"

namespace tutti::algorithms::guidelines {

std::span<const Mockup* const> all_mockups() {
  static constexpr std::array table{
      &allgather_as_gather_bcast,
      &allgather_as_alltoall,
      &allgather_as_allreduce,
      &allgather_as_allgatherv,
      &allreduce_as_reduce_bcast,
      &allreduce_as_reducescatterblock_allgather,
      &allreduce_as_reducescatter_allgatherv,
      &alltoall_as_alltoallv,
      &bcast_as_allgatherv,
      &bcast_as_scatter_allgather,
      &gather_as_allgather,
      &gather_as_gatherv,
      &gather_as_reduce,
      &reduce_as_allreduce,
      &reduce_as_reducescatterblock_gather,
      &reduce_as_reducescatter_gatherv,
      &reducescatterblock_as_reduce_scatter,
      &reducescatterblock_as_reducescatter,
      &reducescatterblock_as_allreduce,
      &scan_as_exscan_reducelocal,
      &scatter_as_bcast,
      &scatter_as_scatterv,
      &reduce_as_reducescatter,
      &allgather_as_allgather_lane,
      &allgather_as_allgather_lane_zero,
      &allgather_as_allgather_hier,
      &allgather_as_allgather_circulant,
      &allreduce_as_allreduce_lane,
      &allreduce_as_allreduce_hier,
      &allreduce_as_allreduce_circulant,
      &allreduce_as_allreduce_redscatter_allgatherv_circulant,
      &alltoall_as_alltoall_lane,
      &bcast_as_bcast_lane,
      &bcast_as_bcast_hier,
      &bcast_as_schedule_bcast,
      &gather_as_gather_hier,
      &gather_as_gather_lane,
      &reduce_as_reduce_hier,
      &reduce_as_reduce_lane,
      &reduce_as_reduce_circulant,
      &reduce_as_reduce_scatter_circulant,
      &reducescatterblock_as_reducescatterblock_hier,
      &reducescatterblock_as_reducescatterblock_lane,
      &reducescatterblock_as_reducescatterblock_circulant,
      &scan_as_scan_hier,
      &scan_as_scan_lane,
      &scatter_as_scatter_hier,
      &scatter_as_scatter_lane,
  };
  return table;
}

std::vector<const Mockup*> mockups_of(std::string_view collective) {
  std::vector<const Mockup*> found;
  for (const Mockup* mockup : all_mockups())
    if (mockup->algorithm.collective == collective) found.push_back(mockup);
  return found;
}

const Mockup* find_mockup(std::string_view collective, std::string_view name) {
  for (const Mockup* mockup : mockups_of(collective))
    if (mockup->algorithm.name == name) return mockup;
  return nullptr;
}

const Algorithm* find_algorithm_or_mockup(std::string_view collective, std::string_view name) {
  if (const Algorithm* algorithm = find_algorithm(collective, name)) return algorithm;
  const Mockup* mockup = find_mockup(collective, name);
  return mockup == nullptr ? nullptr : &mockup->algorithm;
}

}  // namespace tutti::algorithms::guidelines
