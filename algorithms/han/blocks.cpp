// SPDX-License-Identifier: BSD-3-Clause
// HAN's allgather, gather and scatter, all of blocking calls of coll/tuned. The simple forms send
// the same messages. If the nodes' ranks are not consecutive, the blocks are put into the other
// order: on the peers (allgather) or on the root.
//   allgather   low gather, up allgather of the nodes' blocks, low broadcast of all blocks
//   gather      low gather, up gather of the nodes' blocks
//   scatter     up scatter of the nodes' blocks, low scatter
//   Derived: the sum of the steps
#include "algorithms/han/levels.hpp"

namespace tutti::algorithms::han {
namespace {

constexpr std::int32_t node_blocks = runtime::scratch_buffer;
constexpr std::int32_t all_by_node = runtime::scratch_buffer + 1;

Bytes node_bytes(const CollectiveArgs& args) {
  return args.message_bytes * args.hierarchy->largest_group();
}

Task gather_inside(Rank& me, CollectiveArgs args) {
  const Place at(me, args);
  if (at.is_peer()) me.allocate(node_bytes(args));
  Nested low(me, at.low({.recv = {.buffer = node_blocks}}));
  co_await run_low(low.rank(), args, {"gather", args.message_bytes, nullptr, at.low_root()});
}

Task run_allgather(Rank& me, CollectiveArgs args) {
  const Place at(me, args);
  const bool in_order = at.nodes().is_in_rank_order();
  const std::int32_t gathered = in_order ? runtime::recv_buffer : all_by_node;
  const Bytes all_bytes = args.message_bytes * me.size();
  co_await gather_inside(me, args);
  if (at.is_peer()) {
    if (!in_order) me.allocate(all_bytes);
    {
      Up up(me, at, {.recv = {.buffer = gathered}, .send = {.buffer = node_blocks}});
      co_await run_up(up.rank(), args, {"allgather", node_bytes(args)});
    }
    if (!in_order)
      copy_to_rank_order(me, at.nodes(), RankBlocks::of_blocks(args, me.size()), gathered,
                         runtime::recv_buffer);
  }
  Nested low(me, at.low());
  co_await run_low(low.rank(), args, {"bcast", all_bytes});
}

Task run_gather(Rank& me, CollectiveArgs args) {
  const Place at(me, args);
  const bool in_order = at.nodes().is_in_rank_order();
  const std::int32_t gathered = in_order ? runtime::recv_buffer : all_by_node;
  if (me.id() == args.root && !in_order) me.allocate(args.message_bytes * me.size());
  co_await gather_inside(me, args);
  if (!at.is_peer()) co_return;
  {
    Up up(me, at, {.recv = {.buffer = gathered}, .send = {.buffer = node_blocks}});
    co_await run_up(up.rank(), args, {"gather", node_bytes(args), nullptr, at.up_root()});
  }
  if (me.id() == args.root && !in_order)
    copy_to_rank_order(me, at.nodes(), RankBlocks::of_blocks(args, me.size()), gathered,
                       runtime::recv_buffer);
}

Task run_scatter(Rank& me, CollectiveArgs args) {
  const Place at(me, args);
  const bool in_order = at.nodes().is_in_rank_order();
  const std::int32_t all = in_order ? runtime::send_buffer : all_by_node;
  if (me.id() == args.root && !in_order) {
    me.allocate(args.message_bytes * me.size());
    copy_to_group_order(me, at.nodes(), RankBlocks::of_blocks(args, me.size()),
                        runtime::send_buffer, all);
  }
  if (at.is_peer()) {
    me.allocate(node_bytes(args));
    Up up(me, at, {.recv = {.buffer = node_blocks}, .send = {.buffer = all}});
    co_await run_up(up.rank(), args, {"scatter", node_bytes(args), nullptr, at.up_root()});
  }
  Nested low(me, at.low({.send = {.buffer = node_blocks}}));
  co_await run_low(low.rank(), args, {"scatter", args.message_bytes, nullptr, at.low_root()});
}

std::vector<Step> allgather_steps(const ModelArgs& args) {
  const Bytes bytes = args.call.message_bytes;
  return {{false, {"gather", bytes}},
          {true, {"allgather", node_bytes(args.call)}},
          {false, {"bcast", bytes * args.procs}}};
}

std::vector<Step> gather_steps(const ModelArgs& args) {
  return {{false, {"gather", args.call.message_bytes, nullptr, low_root_of(args)}},
          {true, {"gather", node_bytes(args.call), nullptr, up_root_of(args)}}};
}

std::vector<Step> scatter_steps(const ModelArgs& args) {
  return {{true, {"scatter", node_bytes(args.call), nullptr, up_root_of(args)}},
          {false, {"scatter", args.call.message_bytes, nullptr, low_root_of(args)}}};
}

}  // namespace

const Algorithm allgather = on_balanced_nodes({
    .program = run_allgather,
    .cost = InSteps<allgather_steps>::cost,
    .messages = InSteps<allgather_steps>::messages,
    .made_of = InSteps<allgather_steps>::made_of,
});

const Algorithm gather = on_balanced_nodes({
    .program = run_gather,
    .cost = InSteps<gather_steps>::cost,
    .messages = InSteps<gather_steps>::messages,
    .made_of = InSteps<gather_steps>::made_of,
});

const Algorithm scatter = on_balanced_nodes({
    .program = run_scatter,
    .cost = InSteps<scatter_steps>::cost,
    .messages = InSteps<scatter_steps>::messages,
    .made_of = InSteps<scatter_steps>::made_of,
});

}  // namespace tutti::algorithms::han
