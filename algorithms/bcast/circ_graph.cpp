// SPDX-License-Identifier: BSD-3-Clause
// MPICH's circ_graph broadcast (block_queue.hpp). A broadcast of 0 bytes sends nothing.
// Derived: (n-1+q) exchange of a segment, for n segments.
#include "algorithms/bcast/bcast.hpp"
#include "algorithms/block_queue.hpp"

namespace tutti::algorithms {
namespace {

Task bcast_circ_graph(Rank& me, CollectiveArgs args) {
  if (me.size() == 1) co_return;
  const Segments blocks = mpich::chunks_of_bytes(args);
  mpich::BlockQueue queue(me, blocks, {.bytes = args.message_bytes});
  co_await mpich::run_down(me, queue, args.root, blocks.count());
  co_await queue.finish();
}

Seconds bcast_circ_graph_cost(const ModelArgs& args, const models::MessageCost& cost) {
  return mpich::circ_graph_cost(mpich::chunks_of_bytes(args.call), args.procs, cost);
}

std::int64_t bcast_circ_graph_messages(const ModelArgs& args) {
  return mpich::circ_graph_messages(mpich::chunks_of_bytes(args.call), args.procs);
}

}  // namespace

const Algorithm bcast::circ_graph{
    .segmented = true,
    .default_segment = mpich::default_chunk,
    .program = mpich::program<bcast_circ_graph>,
    .cost = mpich::cost<bcast_circ_graph_cost>,
    .messages = mpich::messages<bcast_circ_graph_messages>,
};

}  // namespace tutti::algorithms
