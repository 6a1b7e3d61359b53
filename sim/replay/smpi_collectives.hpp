// SPDX-License-Identifier: BSD-3-Clause
// The collectives of SMPI's default selector (SimGrid 3.32: smpi_default_selector.cpp,
// smpi_nbc_impl.cpp), with the messages of the real ones in the same order.
//
//   gather(v), scatter(v), reduce    all messages between the root and the others at once
//   allgather(v), alltoallv          all messages between all ranks at once
//   scan, exscan                     all messages to higher ranks at once
//   bcast                            binomial tree
//   allreduce                        reduce to rank 0, then bcast
//   reduce_scatter                   equal counts: reduce to rank 0, then scatterv; otherwise
//                                    pairwise, or recursive doubling up to 524,288 elements
//   barrier                          rank 0 collects and releases
//   alltoall                         linear, pairs, or Bruck, by the rules of Open MPI 4.1
//
// Each rank's own line determines the sizes of the messages that it sends.
#pragma once

#include "sim/base/common.hpp"
#include "sim/runtime/rank.hpp"
#include "workloads/traces/trace.hpp"

namespace tutti::studies::replay {

// A call of a rank.
struct SmpiCall {
  workloads::traces::CollectiveOp op = workloads::traces::CollectiveOp::other;
  runtime::RankId root = 0;
  Bytes own_bytes = 0;  // bytes_per_rank of this rank
  // TraceDefinitions::blocks_of; null: equal blocks.
  const workloads::traces::BlockList* blocks = nullptr;
};

// `me` is the rank within the communicator. The block list must outlive the task.
runtime::Task run_as_smpi(runtime::Rank& me, SmpiCall call);

}  // namespace tutti::studies::replay
