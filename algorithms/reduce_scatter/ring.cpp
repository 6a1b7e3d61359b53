// SPDX-License-Identifier: BSD-3-Clause
// Ring reduce_scatter: each block travels once around a ring and ends at its rank; every rank
// combines it with its own block. Derived: (P-1) (hop + combine) of the longest block.
#include "algorithms/reduce_scatter/reduce_scatter.hpp"
#include "algorithms/ring_reduce.hpp"

namespace tutti::algorithms {
namespace {

constexpr std::int64_t ahead = -1;

Task reduce_scatter_ring(Rank& me, CollectiveArgs args) {
  constexpr std::int32_t vector = runtime::scratch_buffer;
  const RingPieces pieces(args, me.size());
  const Bytes total_bytes = pieces.blocks().total();
  me.allocate(total_bytes);
  me.copy(reduction::vector_in(vector, total_bytes),
          reduction::vector_in(runtime::send_buffer, total_bytes));
  co_await ring_reduce(me, pieces, 0, {.buffer = vector, .ahead = ahead, .sample = args.sample});
  const Slice result = pieces.blocks().block(me.id(), vector);
  me.copy(reduction::vector_in(runtime::recv_buffer, result.bytes), result);
}

Seconds reduce_scatter_ring_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const Bytes bytes = RankBlocks::of_vector(args.call, args.procs).longest();
  return (args.procs - 1) * (cost.hop(bytes) + cost.combine(bytes));
}

std::vector<StepPhase> reduce_scatter_ring_steps(const ModelArgs& args) {
  if (args.call.counts != nullptr) return {};
  return ring_reduce_steps(RingPieces(args.call, args.procs), args.procs, ahead);
}

}  // namespace

const Algorithm reduce_scatter::ring{
    .restriction = reduction::needs_commutative,
    .program = reduction::program<reduce_scatter_ring>,
    .cost = reduction::cost<reduce_scatter_ring_cost>,
    .messages = reduction::messages<one_per_pair>,
    .runs = reduction::is_commutative,
    .steps = reduction::steps<reduce_scatter_ring_steps>,
};

}  // namespace tutti::algorithms
