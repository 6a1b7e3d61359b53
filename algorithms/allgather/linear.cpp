// SPDX-License-Identifier: BSD-3-Clause
// Linear allgather: a gather to rank 0, then a broadcast of the whole result, each by the algorithm
// that Open MPI's decision function picks for it.
//   Derived: T(gather, m) + T(bcast, P m), of the algorithms picked
#include "algorithms/allgather/allgather.hpp"
#include "algorithms/selection/decided.hpp"

namespace tutti::algorithms {
namespace {

using runtime::Rank;
using runtime::Task;

CollectiveArgs gather_args(CollectiveArgs args) {
  args.root = 0;
  return args;
}

CollectiveArgs bcast_args(CollectiveArgs args, std::int64_t procs) {
  args.root = 0;
  args.message_bytes *= procs;
  return args;
}

Task allgather_linear(Rank& me, CollectiveArgs args) {
  co_await selection::run_decided("gather", me, gather_args(args));
  co_await selection::run_decided("bcast", me, bcast_args(args, me.size()));
}

Seconds allgather_linear_cost(const ModelArgs& args, const models::MessageCost& cost) {
  return selection::cost_of_decided("gather", {args.procs, gather_args(args.call)}, cost) +
         selection::cost_of_decided("bcast", {args.procs, bcast_args(args.call, args.procs)}, cost);
}

std::int64_t allgather_linear_messages(const ModelArgs& args) {
  return selection::messages_of_decided("gather", {args.procs, gather_args(args.call)}) +
         selection::messages_of_decided("bcast", {args.procs, bcast_args(args.call, args.procs)});
}

}  // namespace

const Algorithm allgather::linear{
    .collective = "allgather",
    .name = "linear",
    .id = 1,
    .reference = "Open MPI, coll_base_allgather.c",
    .summary = "a gather to rank 0, then a broadcast of the whole result",
    .program = allgather_linear,
    .cost = allgather_linear_cost,
    .messages = allgather_linear_messages,
};

}  // namespace tutti::algorithms
