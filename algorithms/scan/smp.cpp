// SPDX-License-Identifier: BSD-3-Clause
// MPICH's scan by nodes, whose ranks must be consecutive: a scan inside each node, whose last rank
// sends the result to the first one, the leader; a scan among the leaders, each of which sends its
// result to the leader of the next node; a broadcast inside each node of a flag of 4 bytes and, but
// on the first node, of the prefix of the nodes below, which all ranks combine with their own
// results. Preserves the order of the operands. No selection tree of MPICH 4 chooses it.
// Derived, for the largest node: scan(N) + hop + scan(L) + hop + bcast(4) + bcast(m) + c(m).
#include "algorithms/algorithm.hpp"
#include "algorithms/hierarchical/hierarchy.hpp"

namespace tutti::algorithms {
namespace {

constexpr Bytes flag_bytes = 4;

Slice vector_of(const CollectiveArgs& args, std::int32_t buffer) {
  return reduction::vector_in(buffer, args.message_bytes);
}

CollectiveArgs inside_args(CollectiveArgs args, Bytes bytes) {
  args.message_bytes = bytes;
  if (bytes % args.element_bytes != 0) args.element_bytes = 1;  // the flag
  args.hierarchy = nullptr;
  args.nodes = {};
  return args;
}

Task inside_node(Rank& me, CollectiveArgs args, std::string_view collective, Slice recv) {
  Nested inside(me, inside_group(*args.hierarchy, me, {.recv = recv}));
  const CollectiveArgs inner = inside_args(args, recv.bytes);
  co_await selection::run_decided(collective, inside.rank(), inner);
}

// Leaves the prefix of the lower nodes in `below`.
Task among_nodes(Rank& me, CollectiveArgs args, Slice of_node, Slice below) {
  const Hierarchy& nodes = *args.hierarchy;
  const std::uint32_t node = nodes.group_of(me.id());
  const Slice prefix = vector_of(args, runtime::scratch_buffer + 1);
  {
    Nested leaders(me, among_leaders(nodes, me, {.recv = prefix, .send = of_node}));
    const CollectiveArgs inner = inside_args(args, args.message_bytes);
    co_await selection::run_decided("scan", leaders.rank(), inner);
  }
  if (node + 1 < nodes.groups())
    co_await me.send({.to = nodes.leaders()[node + 1], .data = prefix});
  if (node > 0) co_await me.recv({.from = nodes.leaders()[node - 1], .data = below});
}

Task scan_smp(Rank& me, CollectiveArgs args) {
  const Hierarchy& nodes = *args.hierarchy;
  const auto members = nodes.members(nodes.group_of(me.id()));
  const bool is_shared = members.size() > 1;
  const Slice result = vector_of(args, runtime::recv_buffer);
  const Slice below = vector_of(args, runtime::scratch_buffer + 2);
  Slice of_node = result;
  me.allocate(args.message_bytes);
  if (is_shared)
    co_await inside_node(me, args, "scan", result);
  else
    me.copy(result, vector_of(args, runtime::send_buffer));
  if (is_leader(nodes, me)) {
    me.allocate((is_shared ? 2 : 1) * args.message_bytes);
    if (is_shared) {
      of_node = vector_of(args, runtime::scratch_buffer);
      co_await me.recv({.from = members.back(), .data = of_node});
    }
    co_await among_nodes(me, args, of_node, below);
  } else if (me.id() == members.back()) {
    co_await me.send({.to = members.front(), .data = result});
  }
  if (is_shared)
    co_await inside_node(me, args, "bcast", {0, flag_bytes, runtime::scratch_buffer + 3});
  if (nodes.group_of(me.id()) == 0) co_return;
  if (is_shared) co_await inside_node(me, args, "bcast", below);
  me.combine(result, below, Operand::left);
}

ModelArgs level_model(const ModelArgs& args, std::size_t procs, Bytes bytes) {
  return {static_cast<int>(procs), inside_args(args.call, bytes), args.combine_Bps};
}

std::int64_t scan_smp_messages(const ModelArgs& args) {
  const Hierarchy& nodes = *args.call.hierarchy;
  const Bytes m = args.call.message_bytes;
  std::int64_t total =
      selection::messages_of_decided("scan", level_model(args, nodes.groups(), m)) +
      nodes.groups() - 1;
  for (std::uint32_t node = 0; node < nodes.groups(); ++node) {
    const std::size_t size = nodes.members(node).size();
    if (size == 1) continue;
    total += selection::messages_of_decided("scan", level_model(args, size, m)) + 1 +
             selection::messages_of_decided("bcast", level_model(args, size, flag_bytes));
    if (node > 0) total += selection::messages_of_decided("bcast", level_model(args, size, m));
  }
  return total;
}

Seconds scan_smp_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const Hierarchy& nodes = *args.call.hierarchy;
  const Bytes m = args.call.message_bytes;
  const std::size_t size = nodes.largest_group();
  return selection::cost_of_decided("scan", level_model(args, size, m), cost) +
         selection::cost_of_decided("scan", level_model(args, nodes.groups(), m), cost) +
         selection::cost_of_decided("bcast", level_model(args, size, flag_bytes), cost) +
         selection::cost_of_decided("bcast", level_model(args, size, m), cost) + 2 * cost.hop(m) +
         cost.combine(m);
}

std::string scan_smp_made_of(const ModelArgs& args) {
  const Hierarchy& nodes = *args.call.hierarchy;
  const Bytes m = args.call.message_bytes;
  const std::size_t size = nodes.largest_group();
  return "low " + selection::name_of_decided("scan", level_model(args, size, m)) + "; up " +
         selection::name_of_decided("scan", level_model(args, nodes.groups(), m)) + "; low " +
         selection::name_of_decided("bcast", level_model(args, size, m));
}

bool has_consecutive_nodes(const ModelArgs& args) {
  const Hierarchy* nodes = args.call.hierarchy;
  return nodes != nullptr && nodes->groups() > 1 && nodes->largest_group() > 1 &&
         nodes->is_in_rank_order();
}

}  // namespace

const Algorithm scan::smp{
    .restriction = "several nodes with consecutive ranks",
    .program = reduction::program<scan_smp>,
    .cost = reduction::cost<scan_smp_cost>,
    .messages = reduction::messages<scan_smp_messages>,
    .made_of = reduction::made_of<scan_smp_made_of>,
    .runs = has_consecutive_nodes,
    .by_nodes = true,
};

}  // namespace tutti::algorithms
