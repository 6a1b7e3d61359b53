// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/scan/prefix_doubling.hpp"

#include "algorithms/incomplete_groups.hpp"
#include "algorithms/reduction.hpp"
#include "sim/base/common.hpp"

namespace tutti::algorithms {

Task prefix_doubling(Rank& me, CollectiveArgs args, Own own) {
  const Slice prefix = reduction::vector_in(runtime::recv_buffer, args.message_bytes);
  const Slice contribution = reduction::vector_in(runtime::send_buffer, args.message_bytes);
  Slice mine = reduction::vector_in(runtime::scratch_buffer, args.message_bytes);
  Slice other = reduction::vector_in(runtime::scratch_buffer + 1, args.message_bytes);
  bool has_prefix = own == Own::within;
  if (has_prefix) me.copy(prefix, contribution);
  me.copy(mine, has_prefix ? prefix : contribution);
  for (std::int64_t distance = 1; distance < me.size(); distance *= 2) {
    const auto partner = static_cast<RankId>(me.id() ^ distance);
    if (partner >= me.size()) continue;
    co_await me.sendrecv({.to = partner, .send = mine, .from = partner, .recv = other});
    if (me.id() > partner) {
      if (has_prefix)
        me.combine(prefix, other, Operand::left);
      else
        me.copy(prefix, other);
      has_prefix = true;
    } else if (!args.commutative) {
      std::swap(mine, other);
    }
    me.combine(mine, other, Operand::left);
  }
}

Seconds prefix_doubling_cost(const ModelArgs& args, Own own, const models::MessageCost& cost) {
  // ceil(log2 P) is the number of bits of P - 1.
  const int steps = std::bit_width(static_cast<unsigned>(args.procs - 1));
  const int combines = own == Own::within ? 2 * steps : 2 * steps - 1;
  const Bytes m = args.call.message_bytes;
  return steps * cost.exchange(m) + combines * cost.combine(m);
}

std::int64_t prefix_doubling_messages(const ModelArgs& args) {
  std::int64_t total = 0;
  for (std::int64_t distance = 1; distance < args.procs; distance *= 2)
    total += ranks_with_partner(args.procs, distance);
  return total;
}

}  // namespace tutti::algorithms
