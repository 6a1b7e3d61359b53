// SPDX-License-Identifier: BSD-3-Clause
// The groups of a hierarchical collective (ranks of a node, or consecutive ranks), each with a
// leader, and what runs inside the groups and among the leaders. All ranks of a call share one
// object, CollectiveArgs::hierarchy, which takes 8 bytes per rank. On three levels, the collective
// among the leaders of the sockets is again a two-level collective, with groups of leaders of one
// node.
#pragma once

#include "algorithms/models/message_cost.hpp"
#include "algorithms/rank_blocks.hpp"

namespace tutti::algorithms {

class Hierarchy;

// What runs on one level. Segmented algorithms use the call's segment size.
struct Level {
  std::string_view name = {};            // in reports
  std::string_view collective = {};      // empty: nothing runs on the level
  const Algorithm* algorithm = nullptr;  // null: chosen by Open MPI 4.1's rules
  // The groups of the level's ranks, for a hierarchical `algorithm`.
  std::shared_ptr<const Hierarchy> hierarchy = {};
};

struct Levels {
  Level up;     // inside the groups, towards the leaders
  Level inter;  // among the leaders
  Level down;   // inside the groups, from the leaders
};

class Hierarchy {
 public:
  // `group_of` is the group of each rank; groups are numbered from 0 in the order of their first
  // ranks and are not empty. The leader of a group is its lowest rank, or the root in the group of
  // `root`. `block_bytes` is the block size of a rank, if the collective has blocks; `counts` are
  // their sizes if they differ; none is 0 unless all are.
  Hierarchy(std::vector<std::uint32_t> group_of, RankId root, Bytes block_bytes,
            const Counts* counts = nullptr);

  void set_levels(const Levels& levels) { levels_ = levels; }

  const Levels& levels() const { return levels_; }
  std::uint32_t groups() const { return static_cast<std::uint32_t>(first_.size()) - 1; }
  std::uint32_t group_of(RankId rank) const { return group_of_[rank]; }
  // In ascending order.
  std::span<const RankId> members(std::uint32_t group) const {
    return std::span(members_).subspan(first_[group], first_[group + 1] - first_[group]);
  }
  // The members of all groups, group by group.
  std::span<const RankId> members() const { return members_; }
  std::span<const RankId> leaders() const { return leaders_; }
  // The rank of each group that has the root's index in its group; the lowest one of each group if
  // the groups differ in size.
  std::span<const RankId> peers() const { return peers_; }
  std::uint32_t largest_group() const { return largest_; }
  NodeShape shape() const;
  bool groups_are_equal() const { return members_.size() == std::size_t{largest_} * groups(); }
  // Whether members() is in rank order.
  bool is_in_rank_order() const { return is_in_rank_order_; }
  // The sizes of the groups' blocks, and of the blocks in a group, if they may differ, otherwise
  // null.
  const Counts* group_counts() const { return group_counts_ ? &*group_counts_ : nullptr; }
  const Counts* member_counts(std::uint32_t group) const {
    return member_counts_.empty() ? nullptr : &member_counts_[group];
  }

  // The index of the leader, and of a rank, in its group.
  RankId leader_index(std::uint32_t group) const;
  RankId index_of(RankId rank) const;

 private:
  Levels levels_;
  std::vector<std::uint32_t> group_of_;
  std::vector<RankId> members_;
  std::vector<std::uint32_t> first_;  // index of each group's first member, and the end
  std::vector<RankId> leaders_;
  std::vector<RankId> peers_;
  std::uint32_t largest_ = 0;
  bool is_in_rank_order_ = false;
  std::optional<Counts> group_counts_;
  std::vector<Counts> member_counts_;  // by group
};

// The nested calls of the two levels, as seen by a rank.
Nested::Call inside_group(const Hierarchy& hierarchy, const Rank& me,
                          const runtime::Binding& binding = {});
// Only leaders may call it.
Nested::Call among_leaders(const Hierarchy& hierarchy, const Rank& me,
                           const runtime::Binding& binding = {});
bool is_leader(const Hierarchy& hierarchy, const Rank& me);

// Copies the ranks' blocks between a buffer in which they are group by group and one in which they
// are in rank order; runs of consecutive ranks together.
void copy_to_rank_order(Rank& me, const Hierarchy& hierarchy, const RankBlocks& blocks,
                        std::int32_t by_group, std::int32_t by_rank);
void copy_to_group_order(Rank& me, const Hierarchy& hierarchy, const RankBlocks& blocks,
                         std::int32_t by_rank, std::int32_t by_group);

// Runs the level's collective with the outer call's arguments and another root.
Task run_level(const Level& level, Rank& me, CollectiveArgs args, RankId root);

// The message_bytes of each level's call.
struct LevelBytes {
  Bytes up = 0;
  Bytes inter = 0;
  Bytes down = 0;
};

// Messages and cost of all levels together, or of the leaders alone. The cost inside the groups is
// that of the largest group.
std::int64_t messages_of_levels(const ModelArgs& args, const LevelBytes& bytes);
std::int64_t messages_among_leaders(const ModelArgs& args, Bytes bytes);
Seconds cost_among_leaders(const ModelArgs& args, Bytes bytes, const models::MessageCost& cost);
Seconds cost_of_levels(const ModelArgs& args, const LevelBytes& bytes,
                       const models::MessageCost& cost);

// The algorithms that run on the levels and were not named: those that the rules choose, and those
// that a named algorithm falls back to or consists of. For example "inter binomial; down knomial",
// or "down knomial or basic_linear" if groups of different sizes use different algorithms. Those of
// three levels are in one list.
std::string names_of_levels(const ModelArgs& args, const LevelBytes& bytes);
std::string name_among_leaders(const ModelArgs& args, Bytes bytes);

// The same functions as members of an Algorithm whose levels have the sizes `bytes_of`.
template <LevelBytes (*bytes_of)(const ModelArgs&)>
struct OfLevels {
  static Seconds cost(const ModelArgs& args, const models::MessageCost& cost) {
    return cost_of_levels(args, bytes_of(args), cost);
  }
  static std::int64_t messages(const ModelArgs& args) {
    return messages_of_levels(args, bytes_of(args));
  }
  static std::string made_of(const ModelArgs& args) {
    return names_of_levels(args, bytes_of(args));
  }
};

}  // namespace tutti::algorithms
