// SPDX-License-Identifier: BSD-3-Clause
// The time of a fragmented message on an otherwise idle path.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::runtime {

// A fragment is prepared (its memory is registered, or it is copied into shared memory), announced,
// and transferred. Preparations and transfers are sequential; the preparation of fragment j waits
// until fragment j - depth has arrived. From the first preparation on, with p_j for the time of the
// preparation and t_j for that of the transfer,
//   prepared_j = max(prepared_(j-1), arrived_(j-depth)) + p_j
//   arrived_j  = max(prepared_j + round_trip, arrived_(j-1)) + t_j
// This is the pipeline of Open MPI's pml/ob1 over btl/openib (fragments of
// btl_openib_rdma_pipeline_frag_size, pml_ob1_recv_pipeline_depth of them), and of its btl/sm.
struct FragmentPipeline {
  // The times of one fragment.
  struct Stage {
    Seconds prepare_s = 0;
    Seconds move_s = 0;
  };
  std::int64_t fragments = 1;
  std::int64_t depth = 0;  // 0: no limit
  Stage full;              // all fragments except the last one
  Stage last;              // which may be shorter
  Seconds round_trip_s = 0;

  // arrived_n of the last fragment n, in closed form, because n may be in the millions.
  Seconds duration_s() const;
};

}  // namespace tutti::runtime
