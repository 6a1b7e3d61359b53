// SPDX-License-Identifier: BSD-3-Clause
// MPICH's allreduce for long vectors of radix k (`fanout`): a reduce_scatter by recursive exchange
// (recexch.hpp) with digits of increasing weight, in which a rank exchanges a part of its vector
// with k-1 partners one after the other; then an allgather with digits of decreasing weight, in
// which the receives of two phases are posted at once. The last block has the elements that remain.
// Non-commutative operation: recursive_doubling.
// Derived, with p the largest power of k: phases of (k-1) (exchange + combine) of m / k^i, phases
// of exchange + (k-2) next of the same, and for r ranks that drop out per representative r (hop +
// combine) + hop + (r-1) next of m.
#include "algorithms/allreduce/recexch.hpp"

namespace tutti::algorithms {
namespace {

// The vector in equal blocks of whole elements, one for each number; the last one has the rest.
class LastIsLongest {
 public:
  LastIsLongest(const CollectiveArgs& args, const RecursiveExchange& exchange)
      : exchange_(exchange),
        bytes_(args.message_bytes),
        block_(elements_in(bytes_, args.element_bytes) / exchange.size() * args.element_bytes) {}

  // The blocks of the group of a number on a level.
  Slice group(RankId number, int level, std::int32_t buffer = runtime::recv_buffer) const {
    const std::int64_t first = exchange_.group(number, level);
    return range(first, first + exchange_.group_size(level), buffer);
  }
  // The longest group on a level: the last one.
  Bytes longest(int level) const { return group(exchange_.size() - 1, level).bytes; }

 private:
  Slice range(std::int64_t first, std::int64_t end, std::int32_t buffer) const {
    const Bytes from = first * block_;
    const Bytes to = end == exchange_.size() ? bytes_ : end * block_;
    return {from, to - from, buffer};
  }

  const RecursiveExchange& exchange_;
  Bytes bytes_;
  Bytes block_;
};

Task exchange_parts(Rank& me, const RecursiveExchange& exchange, const LastIsLongest& blocks) {
  const RankId v = exchange.number(me.id());
  for (int phase = 0; phase < exchange.phases(); ++phase) {
    const int level = exchange.phases() - 1 - phase;
    const Slice kept = blocks.group(exchange.reversed(v), level);
    const Slice incoming{kept.offset, kept.bytes, runtime::scratch_buffer};
    for (const RankId other : exchange.neighbors(v, phase)) {
      const RankId partner = exchange.rank(other);
      const Slice theirs = blocks.group(exchange.reversed(other), level);
      const Request requests[] = {me.isend({.to = partner, .data = theirs}),
                                  me.irecv({.from = partner, .data = incoming})};
      co_await me.wait_all(requests);
      me.combine(kept, incoming, Operand::left);
    }
  }
}

std::vector<Request> receive_groups(Rank& me, const RecursiveExchange& exchange,
                                    const LastIsLongest& blocks, int level) {
  std::vector<Request> receives;
  const int phase = exchange.phases() - 1 - level;
  for (const RankId other : exchange.neighbors(exchange.number(me.id()), phase))
    receives.push_back(me.irecv(
        {.from = exchange.rank(other), .data = blocks.group(exchange.reversed(other), level)}));
  return receives;
}

void send_group(Rank& me, const RecursiveExchange& exchange, const LastIsLongest& blocks, int level,
                std::vector<Request>& sends) {
  const RankId v = exchange.number(me.id());
  for (const RankId other : exchange.neighbors(v, exchange.phases() - 1 - level))
    sends.push_back(
        me.isend({.to = exchange.rank(other), .data = blocks.group(exchange.reversed(v), level)}));
}

Task collect_parts(Rank& me, const RecursiveExchange& exchange, const LastIsLongest& blocks) {
  for (int level = 0; level < exchange.phases(); level += 2) {
    const bool has_second = level + 1 < exchange.phases();
    std::vector<Request> sends;
    const auto first = receive_groups(me, exchange, blocks, level);
    const auto second =
        has_second ? receive_groups(me, exchange, blocks, level + 1) : std::vector<Request>{};
    send_group(me, exchange, blocks, level, sends);
    co_await me.wait_all(first);
    if (has_second) {
      send_group(me, exchange, blocks, level + 1, sends);
      co_await me.wait_all(second);
    }
    co_await me.wait_all(sends);
  }
}

Task reduce_scatter_and_collect(Rank& me, CollectiveArgs args) {
  const RecursiveExchange exchange = exchange_of(args, me.size());
  const LastIsLongest blocks(args, exchange);
  const Slice result = reduction::vector_in(runtime::recv_buffer, args.message_bytes);
  const Slice incoming = reduction::vector_in(runtime::scratch_buffer, args.message_bytes);
  me.allocate(args.message_bytes);
  me.copy(result, reduction::vector_in(runtime::send_buffer, args.message_bytes));
  if (!exchange.takes_part(me.id())) {
    const RankId other = exchange.representative(me.id());
    co_await me.send({.to = other, .data = result});
    co_await me.recv({.from = other, .data = result});
    co_return;
  }
  const auto represented = exchange.represented(me.id());
  for (const RankId from : represented) {
    co_await me.recv({.from = from, .data = incoming});
    me.combine(result, incoming, Operand::left);
  }
  co_await exchange_parts(me, exchange, blocks);
  co_await collect_parts(me, exchange, blocks);
  std::vector<Request> sends;
  for (const RankId to : represented) sends.push_back(me.isend({.to = to, .data = result}));
  co_await me.wait_all(sends);
}

Seconds reduce_scatter_and_collect_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const RecursiveExchange exchange = exchange_of(args.call, args.procs);
  const LastIsLongest blocks(args.call, exchange);
  const Bytes m = args.call.message_bytes;
  Seconds total_s = 0;
  for (int level = 0; level < exchange.phases(); ++level) {
    const Bytes bytes = blocks.longest(level);
    total_s += (exchange.radix() - 1) * (cost.exchange(bytes) + cost.combine(bytes)) +
               phase_cost(exchange, bytes, cost);
  }
  const RankId represented = exchange.most_represented();
  if (represented == 0) return total_s;
  return total_s + represented * (cost.hop(m) + cost.combine(m)) + cost.hop(m) +
         (represented - 1) * cost.next(m);
}

std::int64_t reduce_scatter_and_collect_messages(const ModelArgs& args) {
  const RecursiveExchange exchange = exchange_of(args.call, args.procs);
  return 2 * (std::int64_t{exchange.dropped()} + exchange.messages_of_phases());
}

using ScatterAndCollect =
    OrElse<commutes, reduce_scatter_and_collect, reduce_scatter_and_collect_cost,
           reduce_scatter_and_collect_messages, allreduce::recursive_doubling>;

}  // namespace

const Algorithm allreduce::k_reduce_scatter_allgather{
    .default_fanout = default_exchange_radix,
    .least_fanout = 2,
    .restriction = reduction::needs_commutative,
    .program = reduction::program<ScatterAndCollect::program>,
    .cost = reduction::cost<ScatterAndCollect::cost>,
    .messages = reduction::messages<ScatterAndCollect::messages>,
    .falls_back_to = ScatterAndCollect::falls_back_to,
};

}  // namespace tutti::algorithms
