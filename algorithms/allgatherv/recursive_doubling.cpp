// SPDX-License-Identifier: BSD-3-Clause
// MPICH's allgatherv by recursive doubling: in step d = 1, 2, 4, ... partners rank and rank xor d
// exchange all blocks of their groups of d ranks, in a temporary buffer of all blocks. If P is not
// a power of two, MPICH's decision tree chooses again: bruck below 80 KiB of result, else
// ring_mpich in pieces of 32 KiB. Derived: a step is an exchange of the longest run of that many
// blocks; for equal blocks the cost of allgather's recursive_doubling.
#include "algorithms/allgather/allgather.hpp"

namespace tutti::algorithms {
namespace {

constexpr Bytes short_result = 80 * 1024;   // MPIR_CVAR_ALLGATHER_SHORT_MSG_SIZE
constexpr Bytes default_piece = 32 * 1024;  // MPIR_CVAR_ALLGATHERV_PIPELINE_MSG_SIZE

// What runs if P is not a power of two.
const Algorithm& chosen_again(std::int64_t procs, const CollectiveArgs& args) {
  return mpich::all_bytes(args, procs) < short_result ? allgatherv::bruck : allgatherv::ring_mpich;
}

CollectiveArgs in_pieces(CollectiveArgs args) {
  args.segment_bytes = default_piece;
  return args;
}

Task exchange_runs(Rank& me, CollectiveArgs args) {
  constexpr std::int32_t all = runtime::scratch_buffer;
  const RankBlocks blocks = RankBlocks::of_blocks(args, me.size());
  me.allocate(blocks.total());
  me.copy(blocks.block(me.id(), all),
          {.bytes = blocks.bytes(me.id()), .buffer = runtime::send_buffer});
  for (RankId distance = 1; distance < me.size(); distance *= 2) {
    const RankId partner = me.id() ^ distance;
    const RankId first = me.id() & ~(distance - 1);  // first of the blocks that this rank has
    co_await me.sendrecv({.to = partner,
                          .send = blocks.run(first, distance, all),
                          .from = partner,
                          .recv = blocks.run(first ^ distance, distance, all)});
  }
  me.copy(blocks.run(0, me.size()), blocks.run(0, me.size(), all));
}

Task allgatherv_recursive_doubling(Rank& me, CollectiveArgs args) {
  if (mpich::is_power_of_two(me.size())) return exchange_runs(me, args);
  return chosen_again(me.size(), args).program(me, in_pieces(args));
}

Seconds allgatherv_recursive_doubling_cost(const ModelArgs& args, const models::MessageCost& cost) {
  if (!mpich::is_power_of_two(args.procs))
    return chosen_again(args.procs, args.call)
        .cost({args.procs, in_pieces(args.call), args.combine_Bps}, cost);
  const RankBlocks blocks = RankBlocks::of_blocks(args.call, args.procs);
  Seconds total_s = 0;
  for (std::int64_t distance = 1; distance < args.procs; distance *= 2)
    total_s += cost.exchange(blocks.longest_run(distance));
  return total_s;
}

std::int64_t allgatherv_recursive_doubling_messages(const ModelArgs& args) {
  if (!mpich::is_power_of_two(args.procs))
    return chosen_again(args.procs, args.call).messages({args.procs, in_pieces(args.call)});
  return one_per_round(args);
}

std::string_view allgatherv_recursive_doubling_falls_back_to(const ModelArgs& args) {
  return mpich::is_power_of_two(args.procs) ? ""
                                            : registered(chosen_again(args.procs, args.call)).name;
}

}  // namespace

const Algorithm allgatherv::recursive_doubling{
    .restriction = "a power-of-two P",
    .program = mpich::program<allgatherv_recursive_doubling>,
    .cost = mpich::cost<allgatherv_recursive_doubling_cost>,
    .messages = mpich::messages<allgatherv_recursive_doubling_messages>,
    .falls_back_to = allgatherv_recursive_doubling_falls_back_to,
};

}  // namespace tutti::algorithms
