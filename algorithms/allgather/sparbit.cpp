// SPDX-License-Identifier: BSD-3-Clause
// Sparbit: the steps of Bruck's allgather with the longest distance first: in each step a rank
// sends all its blocks to rank + d and receives as many from rank - d, d = 2^(D-1), ..., 2, 1, each
// block in a message of its own. If P is not a power of two, the last block is omitted in some
// steps, since it would arrive twice. Each block arrives at its place.
//   Derived, D = ceil(log2 P): in each step an exchange of a block, then the next of each further
//   one: D exchange(m) + (P-1-D) next(m)

#include "algorithms/allgather/allgather.hpp"

namespace tutti::algorithms {
namespace {

struct SparbitStep {
  std::int64_t distance = 0;
  std::int64_t count = 0;  // blocks that a rank sends
};

// A step omits a block if its distance is a zero bit of P above the lowest one bit, or that bit.
std::vector<SparbitStep> sparbit_steps(std::uint32_t procs) {
  std::vector<SparbitStep> steps;
  const int lowest = std::countr_zero(procs);
  const std::uint32_t omitting = (~(procs >> lowest) | 1U) << lowest;
  std::int64_t held = 1;
  for (int bit = std::bit_width(procs - 1) - 1; bit >= 0; --bit) {
    const std::uint32_t distance = 1U << bit;
    const int omitted = (distance & omitting) == distance ? 1 : 0;
    steps.push_back({distance, held - omitted});
    held = 2 * held - omitted;
  }
  return steps;
}

Task run_sparbit(Rank& me, CollectiveArgs args, bool skips_empty) {
  const RankBlocks blocks = RankBlocks::of_blocks(args, me.size());
  copy_own_block(me, blocks);
  const std::int64_t procs = me.size();
  const auto below = [&](std::int64_t distance) {
    return static_cast<RankId>(((me.id() - distance) % procs + procs) % procs);
  };
  std::vector<Request> requests;
  for (const SparbitStep& step : sparbit_steps(static_cast<std::uint32_t>(procs))) {
    requests.clear();
    for (std::int64_t i = 0; i < step.count; ++i) {
      const Slice sent = blocks.block(below(2 * i * step.distance));
      const Slice received = blocks.block(below((2 * i + 1) * step.distance));
      if (!skips_empty || sent.bytes > 0)
        requests.push_back(me.isend({.to = below(-step.distance), .data = sent}));
      if (!skips_empty || received.bytes > 0)
        requests.push_back(me.irecv({.from = below(step.distance), .data = received}));
    }
    co_await me.wait_all(requests);
  }
}

Task allgather_sparbit(Rank& me, CollectiveArgs args) { return run_sparbit(me, args, false); }

Seconds allgather_sparbit_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const Bytes bytes = RankBlocks::of_blocks(args.call, args.procs).longest();
  Seconds total_s = 0;
  for (const SparbitStep& step : sparbit_steps(static_cast<std::uint32_t>(args.procs)))
    if (step.count > 0)
      total_s += cost.exchange(bytes) + static_cast<double>(step.count - 1) * cost.next(bytes);
  return total_s;
}

// It does not send empty blocks.
Task allgatherv_sparbit(Rank& me, CollectiveArgs args) { return run_sparbit(me, args, true); }

// Every rank receives each non-empty block of another rank once.
std::int64_t allgatherv_sparbit_messages(const ModelArgs& args) {
  return RankBlocks::of_blocks(args.call, args.procs).filled() * (args.procs - 1);
}

}  // namespace

constinit const Algorithm allgather::sparbit{
    .program = allgather_sparbit,
    .cost = allgather_sparbit_cost,
    .messages = one_per_pair,
};

const Algorithm allgatherv::sparbit{
    .program = allgatherv_sparbit,
    .cost = allgather_sparbit_cost,
    .messages = allgatherv_sparbit_messages,
};

}  // namespace tutti::algorithms
