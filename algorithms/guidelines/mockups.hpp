// SPDX-License-Identifier: BSD-3-Clause
// The mock-ups of PGMPITuneLib, with its names.
#pragma once

#include "algorithms/guidelines/mockup.hpp"

namespace tutti::algorithms::guidelines {

extern const Mockup allgather_as_gather_bcast;
extern const Mockup allgather_as_alltoall;
extern const Mockup allgather_as_allreduce;
extern const Mockup allgather_as_allgatherv;
extern const Mockup allreduce_as_reduce_bcast;
extern const Mockup allreduce_as_reducescatterblock_allgather;
extern const Mockup allreduce_as_reducescatter_allgatherv;
extern const Mockup alltoall_as_alltoallv;
extern const Mockup bcast_as_allgatherv;
extern const Mockup bcast_as_scatter_allgather;
extern const Mockup gather_as_allgather;
extern const Mockup gather_as_gatherv;
extern const Mockup gather_as_reduce;
extern const Mockup reduce_as_allreduce;
extern const Mockup reduce_as_reducescatterblock_gather;
extern const Mockup reduce_as_reducescatter_gatherv;
extern const Mockup reducescatterblock_as_reduce_scatter;
extern const Mockup reducescatterblock_as_reducescatter;
extern const Mockup reducescatterblock_as_allreduce;
extern const Mockup scan_as_exscan_reducelocal;
extern const Mockup scatter_as_bcast;
extern const Mockup scatter_as_scatterv;
extern const Mockup reduce_as_reducescatter;
extern const Mockup allgather_as_allgather_lane;
extern const Mockup allgather_as_allgather_lane_zero;
extern const Mockup allgather_as_allgather_hier;
extern const Mockup allgather_as_allgather_circulant;
extern const Mockup allreduce_as_allreduce_lane;
extern const Mockup allreduce_as_allreduce_hier;
extern const Mockup allreduce_as_allreduce_circulant;
extern const Mockup allreduce_as_allreduce_redscatter_allgatherv_circulant;
extern const Mockup alltoall_as_alltoall_lane;
extern const Mockup bcast_as_bcast_lane;
extern const Mockup bcast_as_bcast_hier;
extern const Mockup bcast_as_schedule_bcast;
extern const Mockup gather_as_gather_hier;
extern const Mockup gather_as_gather_lane;
extern const Mockup reduce_as_reduce_hier;
extern const Mockup reduce_as_reduce_lane;
extern const Mockup reduce_as_reduce_circulant;
extern const Mockup reduce_as_reduce_scatter_circulant;
extern const Mockup reducescatterblock_as_reducescatterblock_hier;
extern const Mockup reducescatterblock_as_reducescatterblock_lane;
extern const Mockup reducescatterblock_as_reducescatterblock_circulant;
extern const Mockup scan_as_scan_hier;
extern const Mockup scan_as_scan_lane;
extern const Mockup scatter_as_scatter_hier;
extern const Mockup scatter_as_scatter_lane;

}  // namespace tutti::algorithms::guidelines
