// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/node_aggregation.hpp"

namespace tutti::io_models {

NodeGroups::NodeGroups(const platforms::Placement& placement, int leaders_per_node)
    : leader_of_(placement.host_of.size()), first_(placement.host_of.size() + 1) {
  std::map<platforms::HostId, std::vector<RankId>> nodes;
  for (RankId rank = 0; rank < static_cast<RankId>(leader_of_.size()); ++rank)
    nodes[placement.host_of[rank]].push_back(rank);
  std::vector<std::vector<RankId>> groups(leader_of_.size());  // by leader
  for (const auto& [host, ranks] : nodes) {
    const std::size_t count = std::min<std::size_t>(leaders_per_node, ranks.size());
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      // The first rank of the group: the smallest j with the same j count / size.
      const std::size_t group = i * count / ranks.size();
      const RankId leader = ranks[(group * ranks.size() + count - 1) / count];
      leader_of_[ranks[i]] = leader;
      groups[leader].push_back(ranks[i]);
    }
  }
  for (std::size_t rank = 0; rank < groups.size(); ++rank) {
    members_.insert(members_.end(), groups[rank].begin(), groups[rank].end());
    first_[rank + 1] = members_.size();
  }
}

Bytes MergedAccess::bytes_below(RankId rank, Bytes offset) const {
  Bytes bytes = 0;
  for (const RankId member : groups_->members(rank)) bytes += of_->bytes_below(member, offset);
  return bytes;
}

std::int64_t MergedAccess::pieces_in(RankId rank, Extent extent) const {
  std::vector<Extent> all;
  pieces(rank, extent, all);
  return static_cast<std::int64_t>(all.size());
}

void MergedAccess::pieces(RankId rank, Extent extent, std::vector<Extent>& out) const {
  std::vector<Extent> all;
  for (const RankId member : groups_->members(rank)) of_->pieces(member, extent, all);
  std::ranges::sort(all, {}, &Extent::begin);
  const std::size_t first = out.size();
  for (const Extent& piece : all)
    if (out.size() > first && out.back().end == piece.begin)
      out.back().end = piece.end;
    else
      out.push_back(piece);
}

void MergedAccess::ranks_in(Extent extent, std::vector<RankId>& out) const {
  std::vector<RankId> ranks;
  of_->ranks_in(extent, ranks);
  const auto first = static_cast<std::ptrdiff_t>(out.size());
  for (const RankId rank : ranks) out.push_back(groups_->leader_of(rank));
  std::sort(out.begin() + first, out.end());
  out.erase(std::unique(out.begin() + first, out.end()), out.end());
}

using runtime::Rank;
using runtime::Request;
using runtime::Slice;
using runtime::Task;

namespace {

constexpr std::int32_t node_lists_tag = 119;
constexpr std::int32_t node_data_tag = 120;
constexpr Bytes node_piece_bytes = 16;  // an offset and a length
// Buffers for contents: a copy of the rank's own data; messages from and to members; lists.
constexpr std::int32_t own_copy_buffer = runtime::scratch_buffer + 8;
constexpr std::int32_t members_buffer = runtime::scratch_buffer + 9;
constexpr std::int32_t lists_buffer = runtime::scratch_buffer + 10;

// Copies between the data of a member, packed at `at` of a buffer, and those of the group, packed
// in the order of the file.
void rearrange(Rank& me, const MergedAccess& access, RankId member, Slice packed, bool to_group) {
  std::vector<Extent> pieces;
  access.of().pieces(member, access.range(), pieces);
  for (const Extent& piece : pieces) {
    const Slice of_member = packed.part(0, piece.bytes());
    const Slice of_group{access.bytes_below(me.id(), piece.begin), piece.bytes(), data_buffer};
    if (to_group)
      me.copy(of_group, of_member);
    else
      me.copy(of_member, of_group);
    packed = packed.part(piece.bytes(), packed.bytes - piece.bytes());
  }
}

}  // namespace

Task collect_on_nodes(Rank& me, const ShuffleJob& job, const MergedAccess& access) {
  const Bytes own = access.of().bytes(me.id());
  if (!access.groups().is_leader(me.id())) {
    if (own == 0) co_return;
    const RankId leader = access.groups().leader_of(me.id());
    const Bytes lists = access.of().pieces_in(me.id(), access.range()) * node_piece_bytes;
    std::vector<Request> sent;
    sent.push_back(
        me.isend({.to = leader, .tag = node_lists_tag, .data = {0, lists, lists_buffer}}));
    sent.push_back(me.isend({.to = leader, .tag = node_data_tag, .data = {0, own, data_buffer}}));
    co_await me.wait_all(sent);
    co_return;
  }
  std::vector<Request> received;
  Bytes at = 0;
  for (const RankId member : access.groups().members(me.id())) {
    const Bytes bytes = access.of().bytes(member);
    if (member == me.id() || bytes == 0) continue;
    const Bytes lists = access.of().pieces_in(member, access.range()) * node_piece_bytes;
    received.push_back(
        me.irecv({.from = member, .tag = node_lists_tag, .data = {0, lists, lists_buffer}}));
    received.push_back(
        me.irecv({.from = member, .tag = node_data_tag, .data = {at, bytes, members_buffer}}));
    at += bytes;
  }
  co_await me.wait_all(received);
  if (!job.moves_data) co_return;
  me.copy(Slice{0, own, own_copy_buffer}, Slice{0, own, data_buffer});
  rearrange(me, access, me.id(), {0, own, own_copy_buffer}, true);
  at = 0;
  for (const RankId member : access.groups().members(me.id())) {
    if (member == me.id()) continue;
    const Bytes bytes = access.of().bytes(member);
    rearrange(me, access, member, {at, bytes, members_buffer}, true);
    at += bytes;
  }
}

Task distribute_on_nodes(Rank& me, const ShuffleJob& job, const MergedAccess& access) {
  const Bytes own = access.of().bytes(me.id());
  if (!access.groups().is_leader(me.id())) {
    if (own == 0) co_return;
    co_await me.recv({.from = access.groups().leader_of(me.id()),
                      .tag = node_data_tag,
                      .data = {0, own, data_buffer}});
    co_return;
  }
  std::vector<Request> sent;
  Bytes at = 0;
  for (const RankId member : access.groups().members(me.id())) {
    const Bytes bytes = access.of().bytes(member);
    if (member == me.id() || bytes == 0) continue;
    const Slice packed{at, bytes, members_buffer};
    if (job.moves_data) rearrange(me, access, member, packed, false);
    sent.push_back(me.isend({.to = member, .tag = node_data_tag, .data = packed}));
    at += bytes;
  }
  if (job.moves_data) {
    rearrange(me, access, me.id(), {0, own, own_copy_buffer}, false);
    me.copy(Slice{0, own, data_buffer}, Slice{0, own, own_copy_buffer});
  }
  co_await me.wait_all(sent);
}

}  // namespace tutti::io_models
