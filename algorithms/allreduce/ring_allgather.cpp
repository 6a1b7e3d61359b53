// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/allreduce/ring_allgather.hpp"

#include "algorithms/ring_reduce.hpp"

namespace tutti::algorithms {

Task ring_phases_and_allgather(Rank& me, CollectiveArgs args, std::int64_t phases) {
  const std::int64_t procs = me.size();
  const RingPieces pieces(args, procs, phases);
  me.copy(reduction::vector_in(runtime::recv_buffer, args.message_bytes),
          reduction::vector_in(runtime::send_buffer, args.message_bytes));
  for (std::int64_t phase = 0; phase < phases; ++phase)
    co_await ring_reduce(me, pieces, phase, {.sample = args.sample});
  const auto right = static_cast<RankId>((me.id() + 1) % procs);
  const auto left = static_cast<RankId>((me.id() + procs - 1) % procs);
  for (StepLoop steps(me, args.sample, static_cast<std::size_t>(phases), procs - 1);
       steps.next();) {
    const std::int64_t coming = (me.id() + procs - (steps.step() - 1)) % procs;
    co_await me.sendrecv({.to = right,
                          .send = pieces.blocks().block((coming + 1) % procs),
                          .from = left,
                          .recv = pieces.blocks().block(coming)});
  }
}

std::vector<StepPhase> ring_phases_steps(const ModelArgs& args, std::int64_t phases) {
  const RingPieces pieces(args.call, args.procs, phases);
  std::vector<StepPhase> steps = ring_reduce_steps(pieces, args.procs, 0);
  if (steps.empty()) return steps;
  steps.push_back(around_a_ring(args.procs, 1, [blocks = pieces.blocks()](std::int64_t block) {
    return blocks.bytes(block);
  }));
  return steps;
}

Seconds ring_phases_cost(const ModelArgs& args, std::int64_t phases,
                         const models::MessageCost& cost) {
  const RingPieces pieces(args.call, args.procs, phases);
  Seconds step_s = cost.hop(pieces.blocks().bytes(0));  // a step of the allgather
  for (std::int64_t phase = 0; phase < phases; ++phase) {
    const Bytes bytes = pieces.piece(0, phase, runtime::recv_buffer).bytes;
    step_s += cost.hop(bytes) + cost.combine(bytes);
  }
  return (args.procs - 1) * step_s;
}

std::int64_t ring_phases_messages(const ModelArgs& args, std::int64_t phases) {
  const std::int64_t procs = args.procs;
  return procs * (procs - 1) * (phases + 1);
}

}  // namespace tutti::algorithms
