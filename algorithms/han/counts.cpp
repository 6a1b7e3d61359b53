// SPDX-License-Identifier: BSD-3-Clause
// HAN's gatherv and scatterv of Open MPI's main branch. Only the root knows the sizes of the
// blocks, so the peers on other nodes first gather 8-byte sizes inside their nodes. The root's node
// needs no up call: its blocks go directly to or from the root's buffer.
//   gatherv    low gather of sizes, low gatherv; then a blocking up gatherv
//   scatterv   on the root a nonblocking up scatterv during the low scatterv; on other nodes a low
//              gather of sizes, the up scatterv, and the low scatterv
// If the nodes' ranks are not consecutive, the root also copies the blocks of its own node, which
// Open MPI places directly.
//   Derived: the sum of the steps; the nonblocking scatterv is linear (libnbc)
#include "algorithms/han/levels.hpp"

namespace tutti::algorithms::han {
namespace {

constexpr std::int32_t blocks_of_node = runtime::scratch_buffer;
constexpr std::int32_t all_blocks = runtime::scratch_buffer + 1;
constexpr std::int32_t size_of_block = runtime::scratch_buffer + 2;
constexpr std::int32_t sizes_of_node = runtime::scratch_buffer + 3;
constexpr LevelCall size_call{.collective = "gather", .message_bytes = 8, .element_bytes = 1};

// The sizes of a node's blocks, in rank order.
std::vector<Bytes> bytes_on(const Hierarchy& nodes, const RankBlocks& blocks, std::uint32_t node) {
  std::vector<Bytes> bytes;
  for (const RankId rank : nodes.members(node)) bytes.push_back(blocks.bytes(rank));
  return bytes;
}

std::vector<Bytes> bytes_of_nodes(const Hierarchy& nodes, const RankBlocks& blocks) {
  std::vector<Bytes> bytes(nodes.groups());
  for (std::uint32_t node = 0; node < nodes.groups(); ++node)
    for (const RankId rank : nodes.members(node)) bytes[node] += blocks.bytes(rank);
  return bytes;
}

LevelCall counted_call(std::string_view collective, const Counts& counts, RankId root) {
  return {.collective = collective,
          .message_bytes = counts.total() / counts.ranks(),
          .counts = &counts,
          .root = root};
}

Task gather_sizes(Rank& me, CollectiveArgs args) {
  const Place at(me, args);
  Nested low(me, at.low({.recv = {.buffer = sizes_of_node}, .send = {.buffer = size_of_block}}));
  LevelCall call = size_call;
  call.root = at.low_root();
  co_await run_low(low.rank(), args, call);
}

// Where the root has the blocks of all nodes, node by node.
std::int32_t buffer_of_all(const Place& at, std::int32_t in_rank_order) {
  return at.nodes().is_in_rank_order() ? in_rank_order : all_blocks;
}

Task run_gatherv(Rank& me, CollectiveArgs args) {
  const Place at(me, args);
  const RankBlocks blocks = RankBlocks::of_blocks(args, me.size());
  const Counts of_nodes(bytes_of_nodes(at.nodes(), blocks));
  const Counts inside(bytes_on(at.nodes(), blocks, at.node()));
  const bool is_root = me.id() == args.root;
  const std::int32_t all = buffer_of_all(at, runtime::recv_buffer);
  if (is_root && all != runtime::recv_buffer) me.allocate(of_nodes.total());
  if (!at.is_on_node_of_root()) co_await gather_sizes(me, args);
  if (at.is_peer() && !is_root) me.allocate(inside.total());
  const Slice node{is_root ? of_nodes.offset(at.node()) : 0, inside.total(),
                   is_root ? all : blocks_of_node};
  {
    Nested low(me, at.low({.recv = node}));
    co_await run_low(low.rank(), args, counted_call("gatherv", inside, at.low_root()));
  }
  if (!at.is_peer()) co_return;
  {
    Up up(me, at, {.recv = {.buffer = all}, .send = node});
    co_await run_up(up.rank(), args, counted_call("gatherv", of_nodes, at.up_root()));
  }
  if (is_root && all != runtime::recv_buffer)
    copy_to_rank_order(me, at.nodes(), blocks, all, runtime::recv_buffer);
}

// The root's sends to the other nodes.
std::vector<Request> start_scatterv(Rank& up, const Counts& of_nodes) {
  std::vector<Request> sends;
  for (RankId to = 0; to < up.size(); ++to)
    if (to != up.id())
      sends.push_back(up.isend(
          {.to = to, .data = {of_nodes.offset(to), of_nodes.bytes(to), runtime::send_buffer}}));
  return sends;
}

Task scatter_inside(Rank& me, CollectiveArgs args, Slice node) {
  const Place at(me, args);
  const RankBlocks blocks = RankBlocks::of_blocks(args, me.size());
  const Counts inside(bytes_on(at.nodes(), blocks, at.node()));
  Nested low(me, at.low({.send = node}));
  co_await run_low(low.rank(), args, counted_call("scatterv", inside, at.low_root()));
}

Task scatter_from_root(Rank& me, CollectiveArgs args) {
  const Place at(me, args);
  const RankBlocks blocks = RankBlocks::of_blocks(args, me.size());
  const Counts of_nodes(bytes_of_nodes(at.nodes(), blocks));
  const std::int32_t all = buffer_of_all(at, runtime::send_buffer);
  if (all != runtime::send_buffer) {
    me.allocate(of_nodes.total());
    copy_to_group_order(me, at.nodes(), blocks, runtime::send_buffer, all);
  }
  Up up(me, at, {.send = {.buffer = all}});
  const std::vector<Request> sends = start_scatterv(up.rank(), of_nodes);
  co_await scatter_inside(me, args, {of_nodes.offset(at.node()), of_nodes.bytes(at.node()), all});
  co_await me.wait_all(sends);
}

Task run_scatterv(Rank& me, CollectiveArgs args) {
  if (me.id() == args.root) {
    co_await scatter_from_root(me, args);
    co_return;
  }
  const Place at(me, args);
  if (!at.is_on_node_of_root()) co_await gather_sizes(me, args);
  Slice node{.buffer = blocks_of_node};
  if (at.is_peer()) {
    const RankBlocks blocks = RankBlocks::of_blocks(args, me.size());
    for (const RankId rank : at.nodes().members(at.node())) node.bytes += blocks.bytes(rank);
    me.allocate(node.bytes);
    Up up(me, at, {.recv = node});
    co_await up.rank().recv({.from = at.up_root(), .data = {.bytes = node.bytes}});
  }
  co_await scatter_inside(me, args, node);
}

// The sum of a quantity over the low calls of all nodes.
template <class Of>
auto sum_over_nodes(const ModelArgs& args, std::string_view collective, Of of) {
  const Hierarchy& nodes = *args.call.hierarchy;
  const RankBlocks blocks = RankBlocks::of_blocks(args.call, args.procs);
  std::int64_t total = 0;
  for (std::uint32_t node = 0; node < nodes.groups(); ++node) {
    const Counts counts(bytes_on(nodes, blocks, node));
    const LevelCall call = counted_call(collective, counts, low_root_of(args));
    total += of(call, static_cast<int>(counts.ranks()));
  }
  return total;
}

std::int64_t messages_inside(const ModelArgs& args, std::string_view collective) {
  const std::int64_t low = sum_over_nodes(args, collective, [&](const LevelCall& call, int procs) {
    const ModelArgs inner{procs, low_args(args.call, call, procs), args.combine_Bps};
    return selection::messages_of_decided(call.collective, inner);
  });
  const Hierarchy& nodes = *args.call.hierarchy;
  const std::int64_t sizes = low_messages(args, size_call) / nodes.groups();
  return low + sizes * (nodes.groups() - 1);
}

std::int64_t gatherv_messages(const ModelArgs& args) {
  const Hierarchy& nodes = *args.call.hierarchy;
  const Counts of_nodes(bytes_of_nodes(nodes, RankBlocks::of_blocks(args.call, args.procs)));
  const auto root = up_root_of(args);
  return messages_inside(args, "gatherv") +
         up_messages(args, counted_call("gatherv", of_nodes, root));
}

std::int64_t scatterv_messages(const ModelArgs& args) {
  return messages_inside(args, "scatterv") + args.call.hierarchy->groups() - 1;
}

// With the counts of the largest node's worth of mean blocks.
Seconds counted_cost(const ModelArgs& args, std::string_view collective,
                     const models::MessageCost& cost) {
  const Hierarchy& nodes = *args.call.hierarchy;
  const RankBlocks blocks = RankBlocks::of_blocks(args.call, args.procs);
  const Counts inside(bytes_on(nodes, blocks, nodes.group_of(args.call.root)));
  return low_cost(args, size_call, cost) +
         low_cost(args, counted_call(collective, inside, low_root_of(args)), cost);
}

Seconds gatherv_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const Hierarchy& nodes = *args.call.hierarchy;
  const Counts of_nodes(bytes_of_nodes(nodes, RankBlocks::of_blocks(args.call, args.procs)));
  const auto root = up_root_of(args);
  return counted_cost(args, "gatherv", cost) +
         up_cost(args, counted_call("gatherv", of_nodes, root), cost);
}

Seconds scatterv_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const Hierarchy& nodes = *args.call.hierarchy;
  const Counts of_nodes(bytes_of_nodes(nodes, RankBlocks::of_blocks(args.call, args.procs)));
  const Bytes mean = of_nodes.total() / of_nodes.ranks();
  return counted_cost(args, "scatterv", cost) + cost.hop(mean) +
         (of_nodes.ranks() - 2) * cost.next(mean);
}

std::string gatherv_made_of(const ModelArgs&) { return "low linear; up linear"; }

}  // namespace

const Algorithm gatherv = on_balanced_nodes({
    .program = run_gatherv,
    .cost = gatherv_cost,
    .messages = gatherv_messages,
    .made_of = gatherv_made_of,
});

const Algorithm scatterv = on_balanced_nodes({
    .program = run_scatterv,
    .cost = scatterv_cost,
    .messages = scatterv_messages,
    .made_of = gatherv_made_of,
});

}  // namespace tutti::algorithms::han
