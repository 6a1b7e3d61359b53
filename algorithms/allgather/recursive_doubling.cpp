// SPDX-License-Identifier: BSD-3-Clause
// Allgather by recursive doubling: in step d = 1, 2, 4, ... partners rank and rank xor d exchange
// all their d blocks. If P is not a power of two: bruck.
//   Table 4.1: Hockney log2(P) l + (P-1) m/b, LogGP log2(P) (o + max(g, L+o) - G) + (P-1) m G
// If P is a power of two, both algorithms exchange 1, 2, 4, ... blocks and have the same cost.

#include "algorithms/allgather/allgather.hpp"

namespace tutti::algorithms {
namespace {

Task exchange_doubling(Rank& me, CollectiveArgs args) {
  const Bytes bytes = args.message_bytes;
  const Slice mine{.bytes = bytes, .buffer = runtime::send_buffer};
  const Slice result{.bytes = bytes * me.size(), .buffer = runtime::recv_buffer};
  me.copy(result.part(me.id() * bytes, bytes), mine);
  for (std::int64_t distance = 1; distance < me.size(); distance *= 2) {
    const std::int64_t partner = me.id() ^ distance;
    const std::int64_t first = me.id() & ~(distance - 1);  // first of the blocks that this rank has
    co_await me.sendrecv({.to = static_cast<RankId>(partner),
                          .send = result.part(first * bytes, distance * bytes),
                          .from = static_cast<RankId>(partner),
                          .recv = result.part((first ^ distance) * bytes, distance * bytes)});
  }
}

Task allgather_recursive_doubling(Rank& me, CollectiveArgs args) {
  return mpich::is_power_of_two(me.size()) ? exchange_doubling(me, args)
                                           : allgather_bruck(me, args);
}

std::string_view allgather_recursive_doubling_falls_back_to(const ModelArgs& args) {
  return mpich::is_power_of_two(args.procs) ? "" : "bruck";
}

}  // namespace

const Algorithm allgather::recursive_doubling{
    .restriction = "a power-of-two P",
    .program = allgather_recursive_doubling,
    .cost = allgather_bruck_cost,
    .messages = one_per_round,
    .falls_back_to = allgather_recursive_doubling_falls_back_to,
};

}  // namespace tutti::algorithms
