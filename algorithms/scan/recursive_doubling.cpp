// SPDX-License-Identifier: BSD-3-Clause
// Recursive doubling for scan and exscan: in step d = 1, 2, 4, ... partners rank and rank xor d
// exchange the combined vectors of their groups of d ranks; the upper partner also combines the
// received vector with its prefix. Preserves the order of the operands.
#include "algorithms/algorithm.hpp"
#include "algorithms/incomplete_groups.hpp"

namespace tutti::algorithms {
namespace {

enum class Own { within, without };  // own vector within the prefix (scan) or not (exscan)

template <Own own>
Task prefix_doubling(Rank& me, CollectiveArgs args) {
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

// Derived, D = ceil(log2 P): D (exchange(m) + 2 combine(m)), for a rank above all its partners;
// exscan has one operation less, since it copies the first prefix.
template <Own own>
Seconds prefix_doubling_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const int steps = doubling_rounds(args.procs);
  const int combines = own == Own::within ? 2 * steps : 2 * steps - 1;
  const Bytes m = args.call.message_bytes;
  return steps * cost.exchange(m) + combines * cost.combine(m);
}

// One message per rank and step, except for ranks whose partner does not exist.
std::int64_t prefix_doubling_messages(const ModelArgs& args) {
  std::int64_t total = 0;
  for (std::int64_t distance = 1; distance < args.procs; distance *= 2)
    total += ranks_with_partner(args.procs, distance);
  return total;
}

}  // namespace

const Algorithm scan::recursive_doubling{
    .program = reduction::program<prefix_doubling<Own::within>, reduction::Alone::keeps_own>,
    .cost = reduction::cost<prefix_doubling_cost<Own::within>>,
    .messages = reduction::messages<prefix_doubling_messages>,
};

const Algorithm exscan::recursive_doubling{
    .program = reduction::program<prefix_doubling<Own::without>, reduction::Alone::has_none>,
    .cost = reduction::cost<prefix_doubling_cost<Own::without>>,
    .messages = reduction::messages<prefix_doubling_messages>,
};

}  // namespace tutti::algorithms
