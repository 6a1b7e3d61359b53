// SPDX-License-Identifier: BSD-3-Clause
// MPICH's binomial broadcast: in an in-order binomial tree, each rank receives the message and
// sends it to its children with blocking sends, that with the largest subtree first. Never
// segmented. Derived: child v + 2^j of a rank with n ranks below 2^d gets the message after d-1-j
// sends:
//   t(n) = max over j of (d-1-j) next + hop + t(min(2^j, n - 2^j))
// For a power of two: Hockney d (l + m/b), LogGP d (L + 2 o + (m-1) G) if g <= L + 2 o.
#include <ranges>

#include "algorithms/bcast/bcast.hpp"

namespace tutti::algorithms {
namespace {

Task bcast_binomial_mpich(Rank& me, CollectiveArgs args) {
  const trees::Node node = trees::in_order_binomial(trees::position_of(me, args.root));
  const Slice message{.bytes = args.message_bytes, .buffer = runtime::recv_buffer};
  if (node.parent != trees::no_parent) co_await me.recv({.from = node.parent, .data = message});
  for (const RankId child : std::views::reverse(node.children))
    co_await me.send({.to = child, .data = message});
}

// The time until all `ranks` ranks of a subtree have the message of its root.
Seconds largest_first_cost(std::int64_t ranks, Seconds hop_s, Seconds next_s) {
  std::vector<Seconds> of_power{0};  // by the logarithm of the number of ranks
  const auto longest = [&](std::int64_t count) {
    const auto depth = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(count - 1)));
    Seconds longest_s = 0;
    for (int j = 0; j < depth; ++j) {
      const bool is_cut = j == depth - 1 && count < std::int64_t{2} << j;
      const Seconds below_s =
          is_cut ? largest_first_cost(count - (std::int64_t{1} << j), hop_s, next_s)
                 : of_power[static_cast<std::size_t>(j)];
      longest_s = std::max(longest_s, (depth - 1 - j) * next_s + hop_s + below_s);
    }
    return longest_s;
  };
  for (std::int64_t count = 2; count < ranks; count *= 2) of_power.push_back(longest(count));
  return longest(ranks);
}

Seconds bcast_binomial_mpich_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const Bytes m = args.call.message_bytes;
  return largest_first_cost(args.procs, cost.hop(m), cost.next(m));
}

}  // namespace

const Algorithm bcast::binomial_mpich{
    .program = mpich::program<bcast_binomial_mpich>,
    .cost = mpich::cost<bcast_binomial_mpich_cost>,
    .messages = mpich::messages<one_per_other>,
};

}  // namespace tutti::algorithms
