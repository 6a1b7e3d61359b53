// SPDX-License-Identifier: BSD-3-Clause
// MPICH's allgather by recursive exchange of radix k (`fanout`; recexch.hpp), with blocks of any
// sizes (allgatherv). With distance doubling, the k ranks of a phase are those whose numbers differ
// in the lowest digit first; with distance halving, in the highest digit first, after each rank has
// swapped its blocks with the rank of the reversed number. The receives of two phases are posted at
// once. Ranks that drop out send their block to their representative and get the whole result.
// Derived: phases of exchange + (k-2) next of the longest groups; halving: an exchange of the
// longest run of a number; with r ranks that drop out per representative: hop + (r-1) next of a
// block and of the result.
#include "algorithms/recexch.hpp"

#include "algorithms/allgather/allgather.hpp"

namespace tutti::algorithms {
namespace {

enum class Distance : std::uint8_t { doubling, halving };

// One rank's view of the exchange.
class GroupExchange {
 public:
  GroupExchange(const CollectiveArgs& args, RankId procs, Distance distance)
      : exchange_(procs, fanout_or(default_exchange_radix, args)),
        blocks_(RankBlocks::of_blocks(args, procs)),
        distance_(distance) {}

  const RecursiveExchange& exchange() const { return exchange_; }
  const RankBlocks& blocks() const { return blocks_; }
  bool halves() const { return distance_ == Distance::halving; }
  // The digit in which the partners of the step differ.
  int phase(int step) const { return halves() ? exchange_.phases() - 1 - step : step; }
  // The blocks that a number has before the step.
  Slice held(RankId number, int step) const {
    const std::int64_t first =
        exchange_.group(halves() ? exchange_.reversed(number) : number, step);
    return represented_by(first, exchange_.group_size(step));
  }
  // The blocks of the ranks that `count` numbers starting at `first` represent.
  Slice represented_by(std::int64_t first, std::int64_t count) const {
    const RankId begin = exchange_.first_rank(first);
    return blocks_.run(begin, exchange_.first_rank(first + count) - begin);
  }
  Bytes longest_held(int step) const {
    Bytes longest = 0;
    const std::int64_t size = exchange_.group_size(step);
    for (std::int64_t first = 0; first < exchange_.size(); first += size)
      longest = std::max(longest, represented_by(first, size).bytes);
    return longest;
  }

 private:
  RecursiveExchange exchange_;
  RankBlocks blocks_;
  Distance distance_;
};

std::vector<Request> receive_step(Rank& me, const GroupExchange& groups, int step) {
  const RecursiveExchange& exchange = groups.exchange();
  std::vector<Request> receives;
  for (const RankId other : exchange.neighbors(exchange.number(me.id()), groups.phase(step)))
    receives.push_back(me.irecv({.from = exchange.rank(other), .data = groups.held(other, step)}));
  return receives;
}

void send_step(Rank& me, const GroupExchange& groups, int step, std::vector<Request>& sends) {
  const RecursiveExchange& exchange = groups.exchange();
  const RankId v = exchange.number(me.id());
  for (const RankId other : exchange.neighbors(v, groups.phase(step)))
    sends.push_back(me.isend({.to = exchange.rank(other), .data = groups.held(v, step)}));
}

Task exchange_groups(Rank& me, const GroupExchange& groups) {
  for (int step = 0; step < groups.exchange().phases(); step += 2) {
    const bool has_second = step + 1 < groups.exchange().phases();
    std::vector<Request> sends;
    const auto first = receive_step(me, groups, step);
    const auto second = has_second ? receive_step(me, groups, step + 1) : std::vector<Request>{};
    send_step(me, groups, step, sends);
    co_await me.wait_all(first);
    if (has_second) {
      send_step(me, groups, step + 1, sends);
      co_await me.wait_all(second);
    }
    co_await me.wait_all(sends);
  }
}

Task swap_reversed(Rank& me, const GroupExchange& groups) {
  const RecursiveExchange& exchange = groups.exchange();
  const RankId v = exchange.number(me.id());
  const RankId other = exchange.reversed(v);
  if (other == v) co_return;
  const RankId partner = exchange.rank(other);
  co_await me.sendrecv({.to = partner,
                        .send = groups.represented_by(v, 1),
                        .from = partner,
                        .recv = groups.represented_by(other, 1)});
}

Task allgather_by_exchange(Rank& me, CollectiveArgs args, Distance distance) {
  const GroupExchange groups(args, me.size(), distance);
  const RecursiveExchange& exchange = groups.exchange();
  const RankBlocks& blocks = groups.blocks();
  const Slice whole = blocks.run(0, me.size());
  if (!exchange.takes_part(me.id())) {
    const RankId other = exchange.representative(me.id());
    const Slice own{.bytes = blocks.bytes(me.id()), .buffer = runtime::send_buffer};
    co_await me.send({.to = other, .data = own});
    co_await me.recv({.from = other, .data = whole});
    co_return;
  }
  copy_own_block(me, blocks);
  const auto represented = exchange.represented(me.id());
  std::vector<Request> requests;
  for (const RankId from : represented)
    requests.push_back(me.irecv({.from = from, .data = blocks.block(from)}));
  co_await me.wait_all(requests);
  if (groups.halves()) co_await swap_reversed(me, groups);
  co_await exchange_groups(me, groups);
  requests.clear();
  for (const RankId to : represented) requests.push_back(me.isend({.to = to, .data = whole}));
  co_await me.wait_all(requests);
}

template <Distance distance>
Task allgather_recexch(Rank& me, CollectiveArgs args) {
  return allgather_by_exchange(me, args, distance);
}

// Whether a number differs from its reverse.
bool any_is_swapped(const RecursiveExchange& exchange) { return exchange.phases() > 1; }

template <Distance distance>
Seconds allgather_recexch_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const GroupExchange groups(args.call, args.procs, distance);
  const RecursiveExchange& exchange = groups.exchange();
  Seconds total_s = 0;
  if (const RankId represented = exchange.most_represented(); represented > 0)
    for (const Bytes bytes : {groups.blocks().longest(), groups.blocks().total()})
      total_s += cost.hop(bytes) + (represented - 1) * cost.next(bytes);
  if (groups.halves() && any_is_swapped(exchange)) total_s += cost.exchange(groups.longest_held(0));
  for (int step = 0; step < exchange.phases(); ++step)
    total_s += phase_cost(exchange, groups.longest_held(step), cost);
  return total_s;
}

// Numbers that equal their reverse: the upper half of the digits determines the lower one.
std::int64_t palindromes(const RecursiveExchange& exchange) {
  return exchange.group_size((exchange.phases() + 1) / 2);
}

template <Distance distance>
std::int64_t allgather_recexch_messages(const ModelArgs& args) {
  const RecursiveExchange exchange(args.procs, fanout_or(default_exchange_radix, args.call));
  const std::int64_t swaps =
      distance == Distance::halving ? exchange.size() - palindromes(exchange) : 0;
  return std::int64_t{2} * exchange.dropped() + exchange.messages_of_phases() + swaps;
}

template <Distance distance>
constexpr Algorithm recexch_at{
    .default_fanout = default_exchange_radix,
    .least_fanout = 2,
    .program = mpich::program<allgather_recexch<distance>>,
    .cost = mpich::cost<allgather_recexch_cost<distance>>,
    .messages = mpich::messages<allgather_recexch_messages<distance>>,
};

}  // namespace

const Algorithm allgather::recexch_doubling = recexch_at<Distance::doubling>;
const Algorithm allgather::recexch_halving = recexch_at<Distance::halving>;
const Algorithm allgatherv::recexch_doubling = recexch_at<Distance::doubling>;
const Algorithm allgatherv::recexch_halving = recexch_at<Distance::halving>;

}  // namespace tutti::algorithms
