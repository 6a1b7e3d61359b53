// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/ring_reduce.hpp"

namespace tutti::algorithms {

Slice RingPieces::piece(std::int64_t block, std::int64_t phase, std::int32_t buffer) const {
  const Slice whole = blocks_.block(block, buffer);
  if (phases_ == 1) return whole;
  const RankBlocks pieces = RankBlocks::of_vector(
      {.message_bytes = whole.bytes, .element_bytes = element_bytes_}, phases_);
  return whole.part(pieces.offset(phase), pieces.bytes(phase));
}

std::vector<StepPhase> ring_reduce_steps(const RingPieces& pieces, int procs, std::int64_t ahead) {
  constexpr std::int64_t most_phases = 8;
  std::vector<StepPhase> phases;
  if (pieces.phases() > most_phases) return phases;
  for (std::int64_t phase = 0; phase < pieces.phases(); ++phase)
    phases.push_back(around_a_ring(procs, ahead, [pieces, phase](std::int64_t block) {
      return pieces.piece(block, phase, runtime::recv_buffer).bytes;
    }));
  return phases;
}

namespace {

Task run_ring_reduce(Rank& me, RingPieces pieces, std::int64_t phase, RingCall call) {
  const std::int64_t procs = me.size();
  const auto right = static_cast<RankId>((me.id() + 1) % procs);
  const auto left = static_cast<RankId>((me.id() + procs - 1) % procs);
  // The piece that the rank receives in `step` and sends in the next one.
  const auto piece = [&](std::int64_t step) {
    const std::int64_t block = (me.id() + call.ahead + 2 * procs - step) % procs;
    return pieces.piece(block, phase, call.buffer);
  };
  const auto incoming = [&](std::int64_t step) {
    return Slice{.bytes = piece(step).bytes,
                 .buffer = runtime::scratch_buffer + 1 + static_cast<std::int32_t>(step % 2)};
  };
  for (const std::int64_t buffer : {1, 2}) me.allocate(incoming(buffer).bytes);
  Request following = me.irecv({.from = left, .data = incoming(1)});
  for (StepLoop steps(me, call.sample, static_cast<std::size_t>(phase), procs - 1); steps.next();) {
    const std::int64_t step = steps.step();
    const Request current = following;
    co_await me.send({.to = right, .data = piece(step - 1)});
    if (!steps.is_last()) following = me.irecv({.from = left, .data = incoming(step + 1)});
    co_await me.wait(current);
    me.combine(piece(step), incoming(step), Operand::left);
  }
}

}  // namespace

Task ring_reduce(Rank& me, RingPieces pieces, std::int64_t phase, RingCall call) {
  return run_ring_reduce(me, pieces, phase, call);
}

}  // namespace tutti::algorithms
