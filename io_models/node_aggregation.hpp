// SPDX-License-Identifier: BSD-3-Clause
// Aggregation inside nodes before collective I/O: some processes of each node collect the requests
// and the data of the others, so that fewer and larger messages leave the node (Kang, Lee, Hou,
// Ross, Agrawal, Choudhary, Liao, IEEE TPDS 31(11), 2020; PnetCDF's nc_num_aggrs_per_node).
#pragma once

#include "io_models/access.hpp"
#include "io_models/shuffle.hpp"
#include "platforms/placement.hpp"
#include "sim/base/common.hpp"

namespace tutti::io_models {

// The ranks of each node in groups of consecutive ones; the first of a group is its leader.
class NodeGroups {
 public:
  // At most `leaders_per_node` groups of nearly equal size on each node.
  NodeGroups(const platforms::Placement& placement, int leaders_per_node);

  RankId leader_of(RankId rank) const { return leader_of_[rank]; }
  bool is_leader(RankId rank) const { return leader_of_[rank] == rank; }
  // The members of a leader's group, itself included, in ascending order; empty for other ranks.
  std::span<const RankId> members(RankId leader) const {
    return {members_.data() + first_[leader], members_.data() + first_[leader + 1]};
  }

 private:
  std::vector<RankId> leader_of_;
  std::vector<RankId> members_;
  std::vector<std::size_t> first_;  // by rank, into members_; one extra entry
};

// An access in which a leader has the pieces of its whole group. The pieces of different
// members must not overlap.
class MergedAccess : public Access {
 public:
  MergedAccess(std::shared_ptr<const Access> of, std::shared_ptr<const NodeGroups> groups)
      : of_(std::move(of)), groups_(std::move(groups)) {}

  const Access& of() const { return *of_; }
  const NodeGroups& groups() const { return *groups_; }

  int procs() const override { return of_->procs(); }
  Extent range() const override { return of_->range(); }
  Bytes bytes_below(RankId rank, Bytes offset) const override;
  std::int64_t pieces_in(RankId rank, Extent extent) const override;
  void pieces(RankId rank, Extent extent, std::vector<Extent>& out) const override;
  void ranks_in(Extent extent, std::vector<RankId>& out) const override;
  Bytes next_data(Bytes offset) const override { return of_->next_data(offset); }
  bool is_dense() const override { return of_->is_dense(); }
  bool overlaps() const override { return of_->overlaps(); }
  bool idle_ranks_are_at_zero() const override { return false; }

 private:
  std::shared_ptr<const Access> of_;
  std::shared_ptr<const NodeGroups> groups_;
};

// Before a write of the merged access: members send the offsets and lengths of their pieces (16 B
// each) and their data to their leader. After a read, leaders send the data to the members. That
// leaders copy the data into the order of the file takes no time here.
runtime::Task collect_on_nodes(runtime::Rank& me, const ShuffleJob& job,
                               const MergedAccess& access);
runtime::Task distribute_on_nodes(runtime::Rank& me, const ShuffleJob& job,
                                  const MergedAccess& access);

}  // namespace tutti::io_models
