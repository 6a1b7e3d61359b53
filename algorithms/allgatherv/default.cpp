// SPDX-License-Identifier: BSD-3-Clause
// Open MPI's default allgatherv: a gatherv to rank 0, then a broadcast of the whole result, each by
// the algorithm that its decision function picks. The broadcast is of ONE element, a datatype made
// of all blocks: what cuts its message into blocks or segments does not.
//   Derived: T(gatherv) + T(bcast of all blocks), of the algorithms picked
#include <algorithm>

#include "algorithms/allgatherv/allgatherv.hpp"
#include "algorithms/rank_blocks.hpp"
#include "algorithms/selection/decided.hpp"

namespace tutti::algorithms {
namespace {

using runtime::Rank;
using runtime::Task;

CollectiveArgs gatherv_args(CollectiveArgs args) {
  args.root = 0;
  return args;
}

CollectiveArgs bcast_args(const CollectiveArgs& args, std::int64_t procs) {
  const Bytes bytes = RankBlocks::of_blocks(args, procs).total();
  return {.message_bytes = bytes, .root = 0, .element_bytes = std::max<Bytes>(bytes, 1)};
}

Task allgatherv_default(Rank& me, CollectiveArgs args) {
  co_await selection::run_decided("gatherv", me, gatherv_args(args));
  co_await selection::run_decided("bcast", me, bcast_args(args, me.size()));
}

Seconds allgatherv_default_cost(const ModelArgs& args, const models::MessageCost& cost) {
  return selection::cost_of_decided("gatherv", {args.procs, gatherv_args(args.call)}, cost) +
         selection::cost_of_decided("bcast", {args.procs, bcast_args(args.call, args.procs)}, cost);
}

std::int64_t allgatherv_default_messages(const ModelArgs& args) {
  return selection::messages_of_decided("gatherv", {args.procs, gatherv_args(args.call)}) +
         selection::messages_of_decided("bcast", {args.procs, bcast_args(args.call, args.procs)});
}

}  // namespace

const Algorithm allgatherv::gather_and_bcast{
    .collective = "allgatherv",
    .name = "default",
    .id = 1,
    .reference = "Open MPI, coll_base_allgatherv.c",
    .summary = "a gatherv to rank 0, then a broadcast of the whole result",
    .program = allgatherv_default,
    .cost = allgatherv_default_cost,
    .messages = allgatherv_default_messages,
};

}  // namespace tutti::algorithms
