// SPDX-License-Identifier: BSD-3-Clause
// MPICH's circ_graph allreduce: its reduction to rank 0, then its broadcast, with one queue of
// requests (block_queue.hpp): a block is broadcast as soon as it is complete. Derived: (n-1+q) (2
// exchange + c) of a segment, for n segments.
#include "algorithms/allreduce/allreduce.hpp"
#include "algorithms/block_queue.hpp"

namespace tutti::algorithms {
namespace {

Task allreduce_circ_graph(Rank& me, CollectiveArgs args) {
  const Segments blocks = mpich::chunks_of_elements(args);
  const Slice vector = reduction::vector_in(runtime::recv_buffer, args.message_bytes);
  me.allocate(args.message_bytes);
  me.copy(vector, reduction::vector_in(runtime::send_buffer, args.message_bytes));
  mpich::BlockQueue queue(me, blocks, vector);
  queue.combine_from(reduction::vector_in(runtime::scratch_buffer, args.message_bytes));
  co_await mpich::run_up(me, queue, 0, blocks.count());
  queue.receive_in_place();
  co_await mpich::run_down(me, queue, 0, blocks.count());
  co_await queue.finish();
}

Seconds allreduce_circ_graph_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const Segments blocks = mpich::chunks_of_elements(args.call);
  return mpich::circ_graph_reduce_cost(blocks, args.procs, cost) +
         mpich::circ_graph_cost(blocks, args.procs, cost);
}

std::int64_t allreduce_circ_graph_messages(const ModelArgs& args) {
  return 2 * mpich::circ_graph_messages(mpich::chunks_of_elements(args.call), args.procs);
}

}  // namespace

const Algorithm allreduce::circ_graph{
    .segmented = true,
    .default_segment = mpich::default_chunk,
    .restriction = reduction::needs_commutative,
    .program = reduction::program<allreduce_circ_graph>,
    .cost = reduction::cost<allreduce_circ_graph_cost>,
    .messages = reduction::messages<allreduce_circ_graph_messages>,
    .runs = reduction::is_commutative,
};

}  // namespace tutti::algorithms
