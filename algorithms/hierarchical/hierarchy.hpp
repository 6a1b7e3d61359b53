// SPDX-License-Identifier: BSD-3-Clause
// Ranks cut into groups (those of a node, or consecutive ones), each with a leader, and what runs
// inside the groups and among the leaders: what the hierarchical collectives work with. One for all
// ranks of a call; 8 bytes a rank.
#pragma once

#include "algorithms/counts.hpp"
#include "algorithms/models/message_cost.hpp"
#include "sim/base/common.hpp"

namespace tutti::algorithms {

// What runs on one level. The call's segment size goes to algorithms that have segments.
struct Level {
  std::string_view collective;           // empty: nothing runs there
  const Algorithm* algorithm = nullptr;  // null: what Open MPI 4.1's rules choose
};

struct Levels {
  Level up;     // inside the groups, towards the leaders
  Level inter;  // among the leaders
  Level down;   // inside the groups, from the leaders
};

class Hierarchy {
 public:
  // `group_of` by rank, groups numbered from 0 in the order of their first ranks, none empty. Each
  // group's leader is its lowest rank; in the group of `root` it is the root. `block_bytes` is a
  // rank's block, where there are any.
  Hierarchy(std::vector<std::uint32_t> group_of, RankId root, Bytes block_bytes);

  void set_levels(const Levels& levels) { levels_ = levels; }

  const Levels& levels() const { return levels_; }
  std::uint32_t groups() const { return static_cast<std::uint32_t>(first_.size()) - 1; }
  std::uint32_t group_of(RankId rank) const { return group_of_[rank]; }
  // Ascending.
  std::span<const RankId> members(std::uint32_t group) const {
    return std::span(members_).subspan(first_[group], first_[group + 1] - first_[group]);
  }
  // All of them, group by group.
  std::span<const RankId> members() const { return members_; }
  std::span<const RankId> leaders() const { return leaders_; }
  std::uint32_t largest_group() const { return largest_; }
  bool groups_are_equal() const { return members_.size() == std::size_t{largest_} * groups(); }
  // Group by group, the ranks come in order.
  bool is_in_rank_order() const;
  // The blocks of the groups, where they differ; else null.
  const Counts* group_counts() const { return group_counts_ ? &*group_counts_ : nullptr; }

  // The leader's place among the members of its group.
  RankId leader_index(std::uint32_t group) const;
  RankId index_of(RankId rank) const;

 private:
  Levels levels_;
  std::vector<std::uint32_t> group_of_;
  std::vector<RankId> members_;
  std::vector<std::uint32_t> first_;  // by group, and the end of the last one
  std::vector<RankId> leaders_;
  std::uint32_t largest_ = 0;
  std::optional<Counts> group_counts_;
};

// A rank's view of the two levels.
Nested::Call inside_group(const Hierarchy& hierarchy, const Rank& me,
                          const runtime::Binding& binding = {});
// Of a leader.
Nested::Call among_leaders(const Hierarchy& hierarchy, const Rank& me,
                           const runtime::Binding& binding = {});
bool is_leader(const Hierarchy& hierarchy, const Rank& me);

// The level's collective with the outer call's arguments and another root.
Task run_level(const Level& level, Rank& me, CollectiveArgs args, RankId root);

// The message_bytes of the levels' calls.
struct LevelBytes {
  Bytes up = 0;
  Bytes inter = 0;
  Bytes down = 0;
};
// What they send and cost together; for the cost what runs inside runs in the largest group.

std::int64_t messages_of_levels(const ModelArgs& args, const LevelBytes& bytes);
std::int64_t messages_among_leaders(const ModelArgs& args, Bytes bytes);
Seconds cost_among_leaders(const ModelArgs& args, Bytes bytes, const models::MessageCost& cost);
Seconds cost_of_levels(const ModelArgs& args, const LevelBytes& bytes,
                       const models::MessageCost& cost);

// What runs on the levels where nobody named it: chosen by rules, or what a named one falls back
// to or is made of. "inter binomial; down knomial"; groups of different sizes may differ: "down
// knomial or basic_linear".
std::string names_of_levels(const ModelArgs& args, const LevelBytes& bytes);
std::string name_among_leaders(const ModelArgs& args, Bytes bytes);

// The same as an Algorithm's members, of one whose levels' calls have these bytes.
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
