// SPDX-License-Identifier: BSD-3-Clause
// MPICH's reduce_scatter by recursive exchange of radix k (`fanout`; recexch.hpp): in each phase,
// the highest digit first, a rank sends each of its k-1 partners the blocks of the partner's group,
// and combines those of its own group with the blocks that the partner sends; one partner after the
// other. Ranks that drop out send their vector to their representative and get their block.
// MPICH has it for nonblocking calls (ireduce_scatter_tsp_recexch.c), which its blocking calls use
// with MPIR_CVAR_REDUCE_SCATTER_INTRA_ALGORITHM=nb. Derived: (k-1) (exchange + c) of the longest
// groups; with r ranks that drop out per representative: hop(M) + (r-1) next(M) + r c(M), and at
// the end hop + (r-1) next of a block.
#include "algorithms/recexch.hpp"

#include "algorithms/reduce_scatter/reduce_scatter.hpp"

namespace tutti::algorithms {
namespace {

class GroupSums {
 public:
  GroupSums(const RankBlocks& blocks, int fanout)
      : exchange_(static_cast<RankId>(blocks.count()),
                  fanout == 0 ? default_exchange_radix : fanout),
        blocks_(blocks) {}

  const RecursiveExchange& exchange() const { return exchange_; }
  const RankBlocks& blocks() const { return blocks_; }
  // The blocks of the group of k^phase numbers to which `number` belongs.
  Slice group(RankId number, int phase, std::int32_t buffer) const {
    const std::int64_t first = exchange_.group(number, phase);
    const RankId begin = exchange_.first_rank(first);
    const RankId end = exchange_.first_rank(first + exchange_.group_size(phase));
    return blocks_.run(begin, end - begin, buffer);
  }
  Bytes longest_group(int phase) const {
    Bytes longest = 0;
    const std::int64_t size = exchange_.group_size(phase);
    for (std::int64_t first = 0; first < exchange_.size(); first += size)
      longest = std::max(longest, group(static_cast<RankId>(first), phase, 0).bytes);
    return longest;
  }

 private:
  RecursiveExchange exchange_;
  RankBlocks blocks_;
};

constexpr std::int32_t sums_buffer = runtime::scratch_buffer;
constexpr std::int32_t arriving_buffer = runtime::scratch_buffer + 1;

Task exchange_sums(Rank& me, const GroupSums& groups) {
  const RecursiveExchange& exchange = groups.exchange();
  const RankId v = exchange.number(me.id());
  for (int phase = exchange.phases() - 1; phase >= 0; --phase)
    for (const RankId other : exchange.neighbors(v, phase)) {
      const RankId partner = exchange.rank(other);
      const Slice kept = groups.group(v, phase, sums_buffer);
      const Slice arriving{kept.offset, kept.bytes, arriving_buffer};
      const Request requests[] = {
          me.isend({.to = partner, .data = groups.group(other, phase, sums_buffer)}),
          me.irecv({.from = partner, .data = arriving})};
      co_await me.wait_all(requests);
      me.combine(kept, arriving, Operand::left);
    }
}

Task scatter_by_exchange(Rank& me, RankBlocks blocks, int fanout) {
  const GroupSums groups(blocks, fanout);
  const RecursiveExchange& exchange = groups.exchange();
  const Slice own{0, blocks.bytes(me.id()), runtime::recv_buffer};
  if (!exchange.takes_part(me.id())) {
    const RankId other = exchange.representative(me.id());
    co_await me.send({.to = other, .data = blocks.run(0, me.size(), runtime::send_buffer)});
    co_await me.recv({.from = other, .data = own});
    co_return;
  }
  const Slice whole = blocks.run(0, me.size(), sums_buffer);
  const Slice arriving = blocks.run(0, me.size(), arriving_buffer);
  me.allocate(2 * whole.bytes);
  me.copy(whole, blocks.run(0, me.size(), runtime::send_buffer));
  const auto represented = exchange.represented(me.id());
  for (const RankId from : represented) {
    co_await me.recv({.from = from, .data = arriving});
    me.combine(whole, arriving, Operand::left);
  }
  co_await exchange_sums(me, groups);
  me.copy(own, blocks.block(me.id(), sums_buffer));
  std::vector<Request> sends;
  for (const RankId to : represented)
    sends.push_back(me.isend({.to = to, .data = blocks.block(to, sums_buffer)}));
  co_await me.wait_all(sends);
}

using RecexchBlocks = RankBlocks (*)(const CollectiveArgs& args, std::int64_t procs);

template <RecexchBlocks blocks_of>
Task reduce_scatter_recexch(Rank& me, CollectiveArgs args) {
  return scatter_by_exchange(me, blocks_of(args, me.size()), args.fanout);
}

template <RecexchBlocks blocks_of>
Seconds reduce_scatter_recexch_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const GroupSums groups(blocks_of(args.call, args.procs), args.call.fanout);
  const RecursiveExchange& exchange = groups.exchange();
  Seconds total_s = 0;
  if (const RankId represented = exchange.most_represented(); represented > 0) {
    const Bytes whole = groups.blocks().total();
    const Bytes block = groups.blocks().longest();
    total_s += cost.hop(whole) + (represented - 1) * cost.next(whole) +
               represented * cost.combine(whole) + cost.hop(block) +
               (represented - 1) * cost.next(block);
  }
  for (int phase = 0; phase < exchange.phases(); ++phase) {
    const Bytes bytes = groups.longest_group(phase);
    total_s += (exchange.radix() - 1) * (cost.exchange(bytes) + cost.combine(bytes));
  }
  return total_s;
}

std::int64_t reduce_scatter_recexch_messages(const ModelArgs& args) {
  const RecursiveExchange exchange(args.procs, fanout_or(default_exchange_radix, args.call));
  return std::int64_t{2} * exchange.dropped() + exchange.messages_of_phases();
}

template <RecexchBlocks blocks_of>
Algorithm recexch_with() {
  return {.default_fanout = default_exchange_radix,
          .least_fanout = 2,
          .restriction = reduction::needs_commutative,
          .program = reduction::program<reduce_scatter_recexch<blocks_of>>,
          .cost = reduction::cost<reduce_scatter_recexch_cost<blocks_of>>,
          .messages = reduction::messages<reduce_scatter_recexch_messages>,
          .runs = reduction::is_commutative};
}

}  // namespace

const Algorithm reduce_scatter::recexch = recexch_with<RankBlocks::of_vector>();
const Algorithm reduce_scatter_block::recexch = recexch_with<RankBlocks::of_blocks>();

}  // namespace tutti::algorithms
