// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/han/levels.hpp"

namespace tutti::algorithms::han {

Place::Place(const Rank& me, const CollectiveArgs& args)
    : nodes_(args.hierarchy),
      rank_(me.id()),
      node_(nodes_->group_of(rank_)),
      node_of_root_(nodes_->group_of(args.root)),
      low_root_(nodes_->groups_are_equal() ? nodes_->index_of(args.root) : 0) {}

Nested::Call Place::low(const runtime::Binding& binding) const {
  return {runtime::Group(nodes_->members(node_)), low_rank(), binding};
}

Nested::Call Place::up(const runtime::Binding& binding) const {
  return {runtime::Group(nodes_->peers()), static_cast<RankId>(node_), binding};
}

namespace {

CollectiveArgs level_args(CollectiveArgs args, const LevelCall& call, const NodeShape& nodes) {
  args.message_bytes = call.message_bytes;
  args.counts = call.counts;
  args.root = call.root;
  if (call.element_bytes > 0) args.element_bytes = call.element_bytes;
  args.segment_bytes = 0;
  args.fanout = 0;
  args.hierarchy = nullptr;
  args.nodes = nodes;
  return args;
}

int largest_node(const ModelArgs& args) {
  return static_cast<int>(args.call.hierarchy->largest_group());
}

ModelArgs low_model(const ModelArgs& args, const LevelCall& call, int procs) {
  return {procs, low_args(args.call, call, procs), args.combine_Bps};
}

}  // namespace

ModelArgs up_model(const ModelArgs& args, const LevelCall& call) {
  const auto nodes = static_cast<int>(args.call.hierarchy->groups());
  return {nodes, up_args(args.call, call, nodes), args.combine_Bps};
}

CollectiveArgs low_args(const CollectiveArgs& outer, const LevelCall& call, int procs) {
  return level_args(outer, call, {.nodes = 1, .least = procs, .most = procs});
}

CollectiveArgs up_args(const CollectiveArgs& outer, const LevelCall& call, int procs) {
  return level_args(outer, call, {.nodes = procs, .least = 1, .most = 1});
}

Task run_low(Rank& me, const CollectiveArgs& outer, const LevelCall& call) {
  return selection::run_decided(call.collective, me, low_args(outer, call, me.size()));
}

Task run_up(Rank& me, const CollectiveArgs& outer, const LevelCall& call) {
  return selection::run_decided(call.collective, me, up_args(outer, call, me.size()));
}

std::int64_t low_messages(const ModelArgs& args, const LevelCall& call) {
  const Hierarchy& nodes = *args.call.hierarchy;
  std::map<int, std::int64_t> of_size;
  std::int64_t total = 0;
  for (std::uint32_t node = 0; node < nodes.groups(); ++node) {
    const auto procs = static_cast<int>(nodes.members(node).size());
    const auto [known, is_new] = of_size.try_emplace(procs, 0);
    if (is_new && procs > 1)
      known->second = selection::messages_of_decided(call.collective, low_model(args, call, procs));
    total += known->second;
  }
  return total;
}

std::int64_t up_messages(const ModelArgs& args, const LevelCall& call) {
  return selection::messages_of_decided(call.collective, up_model(args, call));
}

Seconds low_cost(const ModelArgs& args, const LevelCall& call, const models::MessageCost& cost) {
  return selection::cost_of_decided(call.collective, low_model(args, call, largest_node(args)),
                                    cost);
}

Seconds up_cost(const ModelArgs& args, const LevelCall& call, const models::MessageCost& cost) {
  return selection::cost_of_decided(call.collective, up_model(args, call), cost);
}

std::string low_name(const ModelArgs& args, const LevelCall& call) {
  return "low " +
         selection::name_of_decided(call.collective, low_model(args, call, largest_node(args)));
}

std::string up_name(const ModelArgs& args, const LevelCall& call) {
  return "up " + selection::name_of_decided(call.collective, up_model(args, call));
}

bool has_nodes(const ModelArgs& args) {
  const Hierarchy* nodes = args.call.hierarchy;
  return nodes != nullptr && nodes->groups() > 1 && nodes->largest_group() > 1;
}

bool has_balanced_nodes(const ModelArgs& args) {
  return has_nodes(args) && args.call.hierarchy->groups_are_equal();
}

}  // namespace tutti::algorithms::han
