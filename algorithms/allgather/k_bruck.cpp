// SPDX-License-Identifier: BSD-3-Clause
// Bruck's allgather for several ports: in the step of d = 1, k, k^2, ... (k: `fanout`) each rank
// sends its first min(d, P - j d) blocks to rank - j d for j = 1 .. k-1 at once, and receives as
// many from rank + j d. Finally every rank but 0 rotates the result. In Open MPI main it replaces
// bruck, and a radix of 2 runs where recursive_doubling falls back.
//   Derived: in each step an exchange of the longest message, then the next of each other one
#include "algorithms/allgather/allgather.hpp"
#include "algorithms/radix_bruck.hpp"

namespace tutti::algorithms {
namespace {

constexpr int default_ports_radix = 2;

// The number of blocks of message j of a step.
std::int64_t ports_blocks(std::int64_t distance, std::int64_t j, std::int64_t procs) {
  return std::min(distance, procs - j * distance);
}

Task allgather_k_bruck(Rank& me, CollectiveArgs args) {
  const Bytes bytes = args.message_bytes;
  const std::int64_t procs = me.size();
  const std::int64_t radix = fanout_or(default_ports_radix, args);
  me.copy({.bytes = bytes}, {.bytes = bytes, .buffer = runtime::send_buffer});
  std::vector<Request> requests;
  for (std::int64_t distance = 1; distance < procs; distance *= radix) {
    requests.clear();
    for (std::int64_t j = 1; j < radix && j * distance < procs; ++j) {
      const std::int64_t far = j * distance;
      const Bytes length = ports_blocks(distance, j, procs) * bytes;
      requests.push_back(me.irecv({.from = static_cast<RankId>((me.id() + far) % procs),
                                   .data = {.offset = far * bytes, .bytes = length}}));
      requests.push_back(me.isend(
          {.to = static_cast<RankId>((me.id() + procs - far) % procs), .data = {.bytes = length}}));
    }
    co_await me.wait_all(requests);
  }
  if (me.id() != 0) turn_blocks(me, bytes);
}

Seconds allgather_k_bruck_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const std::int64_t radix = fanout_or(default_ports_radix, args.call);
  const Bytes bytes = args.call.message_bytes;
  Seconds total_s = 0;
  for (std::int64_t distance = 1; distance < args.procs; distance *= radix) {
    total_s += cost.exchange(ports_blocks(distance, 1, args.procs) * bytes);
    for (std::int64_t j = 2; j < radix && j * distance < args.procs; ++j)
      total_s += cost.next(ports_blocks(distance, j, args.procs) * bytes);
  }
  return total_s;
}

std::int64_t allgather_k_bruck_messages(const ModelArgs& args) {
  return radix_bruck_messages(args.procs, fanout_or(default_ports_radix, args.call));
}

}  // namespace

const Algorithm allgather::k_bruck{
    .default_fanout = default_ports_radix,
    .least_fanout = 2,
    .program = allgather_k_bruck,
    .cost = allgather_k_bruck_cost,
    .messages = allgather_k_bruck_messages,
};

}  // namespace tutti::algorithms
