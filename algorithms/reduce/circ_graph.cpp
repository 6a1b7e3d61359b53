// SPDX-License-Identifier: BSD-3-Clause
// MPICH's circ_graph reduction: the rounds of the broadcast backwards (block_queue.hpp); received
// blocks are combined in a temporary buffer (at the root: in the receive buffer).
// Derived: (n-1+q) (exchange + c) of a segment, for n segments.
#include "algorithms/algorithm.hpp"
#include "algorithms/block_queue.hpp"

namespace tutti::algorithms {
namespace {

Task reduce_circ_graph(Rank& me, CollectiveArgs args) {
  const Segments blocks = mpich::chunks_of_elements(args);
  const bool is_root = me.id() == args.root;
  const Slice vector = reduction::vector_in(
      is_root ? runtime::recv_buffer : runtime::scratch_buffer, args.message_bytes);
  if (!is_root) me.allocate(args.message_bytes);
  me.allocate(args.message_bytes);
  me.copy(vector, reduction::vector_in(runtime::send_buffer, args.message_bytes));
  mpich::BlockQueue queue(me, blocks, vector);
  queue.combine_from(reduction::vector_in(runtime::scratch_buffer + 1, args.message_bytes));
  co_await mpich::run_up(me, queue, args.root, blocks.count());
  co_await queue.finish();
}

Seconds reduce_circ_graph_cost(const ModelArgs& args, const models::MessageCost& cost) {
  return mpich::circ_graph_reduce_cost(mpich::chunks_of_elements(args.call), args.procs, cost);
}

std::int64_t reduce_circ_graph_messages(const ModelArgs& args) {
  return mpich::circ_graph_messages(mpich::chunks_of_elements(args.call), args.procs);
}

}  // namespace

const Algorithm reduce::circ_graph{
    .segmented = true,
    .default_segment = mpich::default_chunk,
    .restriction = reduction::needs_commutative,
    .program = reduction::program<reduce_circ_graph>,
    .cost = reduction::cost<reduce_circ_graph_cost>,
    .messages = reduction::messages<reduce_circ_graph_messages>,
    .runs = reduction::is_commutative,
};

}  // namespace tutti::algorithms
