// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/hierarchical/hierarchy.hpp"

#include "algorithms/selection/decision.hpp"

namespace tutti::algorithms {

Hierarchy::Hierarchy(std::vector<std::uint32_t> group_of, RankId root, Bytes block_bytes,
                     const Counts* counts)
    : group_of_(std::move(group_of)), members_(group_of_.size()) {
  const std::uint32_t groups = *std::max_element(group_of_.begin(), group_of_.end()) + 1;
  first_.resize(groups + 1);
  for (const std::uint32_t group : group_of_) ++first_[group + 1];
  largest_ = *std::max_element(first_.begin(), first_.end());
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (std::size_t rank = 0; rank < group_of_.size(); ++rank)
    members_[next[group_of_[rank]]++] = static_cast<RankId>(rank);
  is_in_rank_order_ = std::is_sorted(members_.begin(), members_.end());
  leaders_.reserve(groups);
  for (std::uint32_t group = 0; group < groups; ++group) leaders_.push_back(members(group).front());
  const RankId index = groups_are_equal() ? index_of(root) : 0;
  peers_.reserve(groups);
  for (std::uint32_t group = 0; group < groups; ++group) peers_.push_back(members(group)[index]);
  leaders_[group_of_[root]] = root;
  if (counts == nullptr && groups_are_equal()) return;
  std::vector<Bytes> of_groups;
  for (std::uint32_t group = 0; group < groups; ++group) {
    std::vector<Bytes> of_members;
    for (const RankId rank : members(group))
      of_members.push_back(counts == nullptr ? block_bytes : counts->bytes(rank));
    const Counts in_group(of_members);
    of_groups.push_back(in_group.total());
    if (counts != nullptr) member_counts_.push_back(in_group);
  }
  group_counts_.emplace(of_groups);
}

NodeShape Hierarchy::shape() const {
  std::size_t least = members_.size();
  for (std::uint32_t group = 0; group < groups(); ++group)
    least = std::min(least, members(group).size());
  return {static_cast<int>(groups()), static_cast<int>(least), static_cast<int>(largest_)};
}

RankId Hierarchy::index_of(RankId rank) const {
  const auto group = members(group_of(rank));
  return static_cast<RankId>(std::ranges::lower_bound(group, rank) - group.begin());
}

RankId Hierarchy::leader_index(std::uint32_t group) const { return index_of(leaders_[group]); }

Nested::Call inside_group(const Hierarchy& hierarchy, const Rank& me,
                          const runtime::Binding& binding) {
  return {runtime::Group(hierarchy.members(hierarchy.group_of(me.id()))),
          hierarchy.index_of(me.id()), binding};
}

Nested::Call among_leaders(const Hierarchy& hierarchy, const Rank& me,
                           const runtime::Binding& binding) {
  return {runtime::Group(hierarchy.leaders()), static_cast<RankId>(hierarchy.group_of(me.id())),
          binding};
}

bool is_leader(const Hierarchy& hierarchy, const Rank& me) {
  return hierarchy.leaders()[hierarchy.group_of(me.id())] == me.id();
}

namespace {

// The same blocks in both orders.
struct Run {
  Slice by_group;
  Slice by_rank;
};

std::vector<Run> runs_of(const Hierarchy& hierarchy, const RankBlocks& blocks) {
  const auto members = hierarchy.members();
  std::vector<Run> runs;
  Bytes offset = 0;
  for (std::size_t begin = 0; begin < members.size();) {
    std::size_t end = begin + 1;
    while (end < members.size() && members[end] == members[end - 1] + 1) ++end;
    const Slice by_rank = blocks.run(members[begin], static_cast<std::int64_t>(end - begin));
    runs.push_back({{.offset = offset, .bytes = by_rank.bytes}, by_rank});
    offset += by_rank.bytes;
    begin = end;
  }
  return runs;
}

Slice in(std::int32_t buffer, Slice slice) {
  slice.buffer = buffer;
  return slice;
}

}  // namespace

void copy_to_rank_order(Rank& me, const Hierarchy& hierarchy, const RankBlocks& blocks,
                        std::int32_t by_group, std::int32_t by_rank) {
  for (const Run& run : runs_of(hierarchy, blocks))
    me.copy(in(by_rank, run.by_rank), in(by_group, run.by_group));
}

void copy_to_group_order(Rank& me, const Hierarchy& hierarchy, const RankBlocks& blocks,
                         std::int32_t by_rank, std::int32_t by_group) {
  for (const Run& run : runs_of(hierarchy, blocks))
    me.copy(in(by_group, run.by_group), in(by_rank, run.by_rank));
}

namespace {

// The algorithm and the arguments of the level's call.
selection::Decided call_of(const Level& level, int procs, CollectiveArgs args) {
  args.hierarchy = level.hierarchy.get();
  args.nodes = {};
  if (level.algorithm == nullptr) return selection::decided(level.collective, procs, args);
  if (!level.algorithm->segmented) args.segment_bytes = 0;
  if (level.algorithm->default_fanout == 0)
    args.fanout = 0;
  else if (args.fanout < level.algorithm->least_fanout)
    args.fanout = level.algorithm->default_fanout;
  return {level.algorithm, args};
}

}  // namespace

Task run_level(const Level& level, Rank& me, CollectiveArgs args, RankId root) {
  args.root = root;
  const selection::Decided call = call_of(level, me.size(), args);
  return call.algorithm->program(me, call.args);
}

namespace {

// An inner call whose messages or cost are computed.
struct InnerCall {
  const Algorithm* algorithm;
  ModelArgs args;
};

InnerCall inner_call(const ModelArgs& args, const Level& level, int procs, Bytes bytes,
                     const Counts* counts) {
  CollectiveArgs inner = args.call;
  inner.message_bytes = bytes;
  inner.counts = counts;
  inner.root = 0;
  const selection::Decided call = call_of(level, procs, inner);
  return {call.algorithm, {procs, call.args, args.combine_Bps}};
}

// A call inside a group.
InnerCall call_inside(const ModelArgs& args, const Level& level, std::uint32_t group, Bytes bytes) {
  const Hierarchy& hierarchy = *args.call.hierarchy;
  return inner_call(args, level, static_cast<int>(hierarchy.members(group).size()), bytes,
                    level.collective == "gatherv" ? hierarchy.member_counts(group) : nullptr);
}

std::int64_t messages_inside(const ModelArgs& args, const Level& level, std::uint32_t group,
                             Bytes bytes) {
  if (level.collective.empty()) return 0;
  const InnerCall call = call_inside(args, level, group, bytes);
  return call.args.procs == 1 ? 0 : call.algorithm->messages(call.args);
}

Seconds cost_inside(const ModelArgs& args, const Level& level, std::uint32_t group, Bytes bytes,
                    const models::MessageCost& cost) {
  if (level.collective.empty()) return 0;
  const InnerCall call = call_inside(args, level, group, bytes);
  return call.args.procs == 1 ? 0 : call.algorithm->cost(call.args, cost);
}

InnerCall call_among_leaders(const ModelArgs& args, Bytes bytes) {
  const Hierarchy& hierarchy = *args.call.hierarchy;
  return inner_call(args, hierarchy.levels().inter, static_cast<int>(hierarchy.groups()), bytes,
                    hierarchy.group_counts());
}

}  // namespace

std::int64_t messages_among_leaders(const ModelArgs& args, Bytes bytes) {
  if (args.call.hierarchy->groups() == 1) return 0;
  const InnerCall call = call_among_leaders(args, bytes);
  return call.algorithm->messages(call.args);
}

Seconds cost_among_leaders(const ModelArgs& args, Bytes bytes, const models::MessageCost& cost) {
  if (args.call.hierarchy->groups() == 1) return 0;
  const InnerCall call = call_among_leaders(args, bytes);
  return call.algorithm->cost(call.args, cost);
}

namespace {

// Ranks, and bytes of their blocks if these differ. Groups of equal weight make the same calls.
using GroupWeight = std::pair<std::size_t, Bytes>;

GroupWeight weight_of(const Hierarchy& hierarchy, std::uint32_t group) {
  const Counts* counts = hierarchy.member_counts(group);
  return {hierarchy.members(group).size(), counts == nullptr ? 0 : counts->total()};
}

// The first group of each weight, the largest first.
std::map<GroupWeight, std::uint32_t, std::greater<>> groups_by_weight(const Hierarchy& hierarchy) {
  std::map<GroupWeight, std::uint32_t, std::greater<>> first;
  for (std::uint32_t group = 0; group < hierarchy.groups(); ++group)
    first.try_emplace(weight_of(hierarchy, group), group);
  return first;
}

}  // namespace

std::int64_t messages_of_levels(const ModelArgs& args, const LevelBytes& bytes) {
  const Hierarchy& hierarchy = *args.call.hierarchy;
  const Levels& levels = hierarchy.levels();
  std::map<GroupWeight, std::int64_t> inside;
  for (const auto& [weight, group] : groups_by_weight(hierarchy))
    inside[weight] = messages_inside(args, levels.up, group, bytes.up) +
                     messages_inside(args, levels.down, group, bytes.down);
  std::int64_t total = messages_among_leaders(args, bytes.inter);
  for (std::uint32_t group = 0; group < hierarchy.groups(); ++group)
    total += inside[weight_of(hierarchy, group)];
  return total;
}

namespace {

// The name of the algorithm that runs; empty if it is the one that was named.
std::string name_unless_named(const Level& level, const InnerCall& call) {
  const std::string other = runs_as(*call.algorithm, call.args);
  if (!other.empty()) return other;
  return level.algorithm == nullptr ? std::string(call.algorithm->name) : std::string{};
}

void append(std::string& text, std::string_view separator, const std::string& part) {
  if (part.empty()) return;
  if (!text.empty()) text += separator;
  text += part;
}

// The names for all groups, the largest first, such as "down knomial or basic_linear".
std::string name_inside(const ModelArgs& args, const Level& level, Bytes bytes) {
  if (level.collective.empty()) return {};
  std::vector<std::string> names;
  for (const auto& [weight, group] : groups_by_weight(*args.call.hierarchy)) {
    if (weight.first == 1) continue;
    auto name = name_unless_named(level, call_inside(args, level, group, bytes));
    if (!name.empty() && std::ranges::find(names, name) == names.end())
      names.push_back(std::move(name));
  }
  std::string text;
  for (const auto& name : names) append(text, " or ", name);
  return text.empty() ? text : std::string(level.name) + ' ' + text;
}

}  // namespace

std::string name_among_leaders(const ModelArgs& args, Bytes bytes) {
  const Hierarchy& hierarchy = *args.call.hierarchy;
  if (hierarchy.groups() == 1) return {};
  const Level& level = hierarchy.levels().inter;
  const std::string name = name_unless_named(level, call_among_leaders(args, bytes));
  if (name.empty() || level.hierarchy != nullptr) return name;
  return std::string(level.name) + ' ' + name;
}

std::string names_of_levels(const ModelArgs& args, const LevelBytes& bytes) {
  const Levels& levels = args.call.hierarchy->levels();
  std::string text = name_inside(args, levels.up, bytes.up);
  append(text, "; ", name_among_leaders(args, bytes.inter));
  append(text, "; ", name_inside(args, levels.down, bytes.down));
  return text;
}

Seconds cost_of_levels(const ModelArgs& args, const LevelBytes& bytes,
                       const models::MessageCost& cost) {
  const Hierarchy& hierarchy = *args.call.hierarchy;
  const Levels& levels = hierarchy.levels();
  const std::uint32_t largest = groups_by_weight(hierarchy).begin()->second;
  return cost_inside(args, levels.up, largest, bytes.up, cost) +
         cost_among_leaders(args, bytes.inter, cost) +
         cost_inside(args, levels.down, largest, bytes.down, cost);
}

}  // namespace tutti::algorithms
