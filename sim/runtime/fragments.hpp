// SPDX-License-Identifier: BSD-3-Clause
// How long a message takes that is cut into fragments, on a path that it has for itself.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::runtime {

// A fragment is prepared (its memory registered, or copied into shared memory), announced, and
// moves. One is prepared at a time and one moves at a time, both in order; the preparation of
// fragment j waits until fragment j - depth has arrived. That is, from the first preparation on,
// with p_j for the preparation and t_j for the way of the bytes,
//   prepared_j = max(prepared_(j-1), arrived_(j-depth)) + p_j
//   arrived_j  = max(prepared_j + round_trip, arrived_(j-1)) + t_j
// This is the pipeline of Open MPI's pml/ob1 over btl/openib (fragments of
// btl_openib_rdma_pipeline_frag_size, pml_ob1_recv_pipeline_depth of them), and of its btl/sm.
struct FragmentPipeline {
  // Of one fragment.
  struct Stage {
    Seconds prepare_s = 0;
    Seconds move_s = 0;
  };
  std::int64_t fragments = 1;
  std::int64_t depth = 0;  // 0: no limit
  Stage each;              // of all but the last
  Stage last;              // which may be shorter
  Seconds round_trip_s = 0;

  // arrived_fragments, in closed form: a message may have millions of fragments.
  Seconds duration_s() const;
};

}  // namespace tutti::runtime
