// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/smpi_collectives.hpp"

#include <ranges>

#include "algorithms/collective.hpp"
#include "algorithms/counts.hpp"
#include "algorithms/selection/decision.hpp"
#include "algorithms/trees.hpp"

namespace tutti::studies::replay {
namespace {

using runtime::Rank;
using runtime::RankId;
using runtime::Request;
using runtime::Task;
using workloads::traces::CollectiveOp;

constexpr std::string_view alltoall_rules = "ompi-4.1";

// Messages of a rank that are in flight at once.
class Messages {
 public:
  explicit Messages(Rank& me) : me_(me) {}

  void send(RankId to, Bytes bytes) {
    requests_.push_back(me_.isend({.to = to, .data = {.bytes = bytes}}));
  }
  // Accepts any size.
  void receive(RankId from) {
    constexpr Bytes largest = Bytes{1} << 61;
    requests_.push_back(me_.irecv({.from = from, .data = {.bytes = largest}}));
  }
  std::span<const Request> all() const { return requests_; }

 private:
  Rank& me_;
  std::vector<Request> requests_;
};

// Calls `visit(rank)` for all other ranks, beginning at `first` and going up or down cyclically.
template <class Visit>
void visit_others(const Rank& me, RankId first, RankId step, const Visit& visit) {
  for (RankId i = 0, other = first; i < me.size(); ++i) {
    if (other != me.id()) visit(other);
    other = (other + step + me.size()) % me.size();
  }
}

Bytes block(const SmpiCall& call, RankId rank) {
  if (call.blocks == nullptr) return call.own_bytes;
  return static_cast<Bytes>(call.blocks->bytes[static_cast<std::size_t>(rank)]);
}

Task collect(Rank& me, SmpiCall call) {
  Messages messages(me);
  if (me.id() == call.root)
    visit_others(me, 0, 1, [&](RankId other) { messages.receive(other); });
  else
    messages.send(call.root, call.own_bytes);
  co_await me.wait_all(messages.all());
}

Task distribute(Rank& me, SmpiCall call) {
  Messages messages(me);
  if (me.id() == call.root)
    visit_others(me, 0, 1, [&](RankId other) { messages.send(other, block(call, other)); });
  else
    messages.receive(call.root);
  co_await me.wait_all(messages.all());
}

Task exchange_own(Rank& me, SmpiCall call) {
  Messages messages(me);
  visit_others(me, 0, 1, [&](RankId other) {
    messages.send(other, call.own_bytes);
    messages.receive(other);
  });
  co_await me.wait_all(messages.all());
}

Task exchange_blocks(Rank& me, SmpiCall call) {
  Messages messages(me);
  visit_others(me, 0, 1, [&](RankId other) { messages.receive(other); });
  visit_others(me, 0, 1, [&](RankId other) { messages.send(other, block(call, other)); });
  co_await me.wait_all(messages.all());
}

Task send_up(Rank& me, SmpiCall call) {
  Messages messages(me);
  for (RankId lower = 0; lower < me.id(); ++lower) messages.receive(lower);
  for (RankId higher = me.id() + 1; higher < me.size(); ++higher)
    messages.send(higher, call.own_bytes);
  co_await me.wait_all(messages.all());
}

Task broadcast(Rank& me, SmpiCall call) {
  const auto node =
      algorithms::trees::in_order_binomial(algorithms::trees::position_of(me, call.root));
  if (node.parent != algorithms::trees::no_parent) {
    Messages first(me);
    first.receive(node.parent);
    co_await me.wait_all(first.all());
  }
  for (const RankId child : std::views::reverse(node.children))
    co_await me.send({.to = child, .data = {.bytes = call.own_bytes}});
}

Task reduce_to_all(Rank& me, SmpiCall call) {
  call.root = 0;
  co_await collect(me, call);
  co_await broadcast(me, call);
}

Task meet(Rank& me) {
  if (me.id() > 0) {
    co_await me.send({.to = 0});
    co_await me.recv({.from = 0});
    co_return;
  }
  Messages arrivals(me), releases(me);
  visit_others(me, 0, 1, [&](RankId other) { arrivals.receive(other); });
  co_await me.wait_all(arrivals.all());
  visit_others(me, 0, 1, [&](RankId other) { releases.send(other, 0); });
  co_await me.wait_all(releases.all());
}

// A message to one rank and a message from another one; nothing if both are the rank itself.
Task swap(Rank& me, RankId to, RankId from, Bytes bytes) {
  if (to == me.id()) co_return;
  Messages messages(me);
  messages.send(to, bytes);
  messages.receive(from);
  co_await me.wait_all(messages.all());
}

// ---- alltoall ----

Task alltoall_linear(Rank& me, SmpiCall call) {
  Messages messages(me);
  const RankId procs = me.size();
  visit_others(me, (me.id() + 1) % procs, 1, [&](RankId other) { messages.receive(other); });
  visit_others(me, (me.id() + procs - 1) % procs, -1,
               [&](RankId other) { messages.send(other, call.own_bytes); });
  co_await me.wait_all(messages.all());
}

Task alltoall_pairs(Rank& me, SmpiCall call) {
  for (RankId i = 1; i < me.size(); ++i)
    co_await swap(me, me.id() ^ i, me.id() ^ i, call.own_bytes);
}

Task alltoall_bruck(Rank& me, SmpiCall call) {
  for (RankId distance = 1; distance < me.size(); distance *= 2) {
    Bytes blocks = 0;
    for (RankId i = 1; i < me.size(); ++i) blocks += (i & distance) != 0;
    co_await swap(me, (me.id() + distance) % me.size(),
                  (me.id() - distance + me.size()) % me.size(), blocks * call.own_bytes);
  }
}

Task alltoall(Rank& me, SmpiCall call) {
  const auto choice = algorithms::selection::choose(
      alltoall_rules,
      {.collective = "alltoall", .procs = me.size(), .message_bytes = call.own_bytes});
  TUTTI_CHECK(static_cast<bool>(choice), "no rules for alltoall");
  const std::string_view name = choice->algorithm->name;
  const bool has_pairs = std::has_single_bit(static_cast<std::uint32_t>(me.size()));
  if (name == "modified_bruck") return alltoall_bruck(me, call);
  if (name == "pairwise" && has_pairs) return alltoall_pairs(me, call);
  return alltoall_linear(me, call);
}

// ---- reduce_scatter ----

Task reduce_scatter_pairwise(Rank& me, SmpiCall call) {
  for (RankId i = 1; i < me.size(); ++i) {
    const RankId to = (me.id() + i) % me.size();
    co_await swap(me, to, (me.id() - i + me.size()) % me.size(), block(call, to));
  }
}

Task reduce_scatter_doubling(Rank& me, SmpiCall call) {
  const algorithms::Counts counts({call.blocks->bytes.begin(), call.blocks->bytes.end()});
  const auto* algorithm = algorithms::find_algorithm("reduce_scatter", "recursive_doubling");
  TUTTI_CHECK(algorithm != nullptr, "no recursive doubling for reduce_scatter");
  co_await algorithm->program(
      me, {.message_bytes = counts.total(), .element_bytes = 1, .counts = &counts});
}

Task reduce_and_scatter(Rank& me, SmpiCall call, Bytes total) {
  call.root = 0;
  SmpiCall reduce = call;
  reduce.own_bytes = total;
  co_await collect(me, reduce);
  co_await distribute(me, call);
}

Task reduce_scatter(Rank& me, SmpiCall call) {
  if (call.blocks == nullptr) return reduce_and_scatter(me, call, call.own_bytes * me.size());
  constexpr Bytes most_elements = 524288;
  const auto& bytes = call.blocks->bytes;
  const auto total = static_cast<Bytes>(std::reduce(bytes.begin(), bytes.end()));
  const bool is_regular =
      std::ranges::all_of(bytes, [&](std::uint64_t block) { return block == bytes.front(); });
  if (is_regular) return reduce_and_scatter(me, call, total);
  if (total > most_elements * call.blocks->element_bytes) return reduce_scatter_pairwise(me, call);
  return reduce_scatter_doubling(me, call);
}

}  // namespace

Task run_as_smpi(Rank& me, SmpiCall call) {
  switch (call.op) {
    case CollectiveOp::bcast:
      return broadcast(me, call);
    case CollectiveOp::gather:
    case CollectiveOp::gatherv:
    case CollectiveOp::reduce:
      return collect(me, call);
    case CollectiveOp::scatter:
    case CollectiveOp::scatterv:
      return distribute(me, call);
    case CollectiveOp::allgather:
    case CollectiveOp::allgatherv:
      return exchange_own(me, call);
    case CollectiveOp::alltoall:
      return alltoall(me, call);
    case CollectiveOp::alltoallv:
    case CollectiveOp::alltoallw:
      return exchange_blocks(me, call);
    case CollectiveOp::allreduce:
      return reduce_to_all(me, call);
    case CollectiveOp::reduce_scatter:
    case CollectiveOp::reduce_scatter_block:
      return reduce_scatter(me, call);
    case CollectiveOp::scan:
    case CollectiveOp::exscan:
      return send_up(me, call);
    case CollectiveOp::barrier:
    case CollectiveOp::other:
      return meet(me);
  }
  return meet(me);
}

}  // namespace tutti::studies::replay
