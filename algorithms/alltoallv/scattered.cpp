// SPDX-License-Identifier: BSD-3-Clause
// MPICH's scattered alltoallv (alltoall/batches.hpp). Empty blocks are not sent.
// Derived: the rank with the longest blocks sends a batch of n peers in hop + (n-1) next.
#include "algorithms/algorithm.hpp"
#include "algorithms/alltoall/batches.hpp"

namespace tutti::algorithms {
namespace {

Seconds alltoallv_scattered_cost(const ModelArgs& args, const models::MessageCost& cost) {
  return batches_cost(args, RankBlocks::of_blocks(args.call, args.procs).longest(), cost);
}

std::int64_t alltoallv_scattered_messages(const ModelArgs& args) {
  return RankBlocks::of_blocks(args.call, args.procs).filled() * (args.procs - 1);
}

}  // namespace

const Algorithm alltoallv::scattered{
    .limits_requests = true,
    .program = mpich::program<exchange_in_batches>,
    .cost = mpich::cost<alltoallv_scattered_cost>,
    .messages = mpich::messages<alltoallv_scattered_messages>,
};

}  // namespace tutti::algorithms
