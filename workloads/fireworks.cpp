// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/fireworks.hpp"

namespace tutti::workloads {
namespace {

using runtime::Rank;
using runtime::RankId;
using runtime::Request;
using runtime::Task;

// In the order in which the hot spot posts them: Algorithm 1 goes through the ranks upwards, which
// begins inside the node, or downwards.
std::vector<RankId> partners_of(const Fireworks& asked, RankId hot_spot) {
  std::vector<RankId> partners;
  for (RankId rank = asked.hot_spots; rank < asked.procs(); ++rank)
    if (hot_spot_of(asked, rank) == hot_spot) partners.push_back(rank);
  if (asked.order == PostingOrder::inter_first) std::ranges::reverse(partners);
  return partners;
}

Task exchange(Rank& me, Fireworks asked) {
  const runtime::Slice data{.bytes = asked.message_bytes};
  const bool is_hot = me.id() < asked.hot_spots;
  const bool both = asked.exchanged == Exchanged::both;
  const std::vector<RankId> others =
      is_hot ? partners_of(asked, me.id()) : std::vector{hot_spot_of(asked, me.id())};
  std::vector<Request> posted;
  if (both || (asked.exchanged == Exchanged::receives) == is_hot)
    for (const RankId other : others) posted.push_back(me.irecv({.from = other, .data = data}));
  if (both || (asked.exchanged == Exchanged::sends) == is_hot)
    for (const RankId other : others) posted.push_back(me.isend({.to = other, .data = data}));
  co_await me.wait_all(posted);
}

}  // namespace

RankId hot_spot_of(const Fireworks& asked, RankId partner) {
  const RankId first =
      partner < asked.procs_of_node() ? asked.hot_spots : RankId{asked.procs_of_node()};
  return (partner - first) % asked.hot_spots;
}

platforms::Placement fireworks_placement(const Fireworks& asked) {
  platforms::Placement placement{
      .host_of = {}, .nodes = 1 + asked.inter_pairs, .ppn = asked.procs_of_node()};
  placement.host_of.assign(static_cast<std::size_t>(asked.procs_of_node()), 0);
  for (int i = 1; i <= asked.inter_pairs; ++i)
    placement.host_of.push_back(static_cast<platforms::HostId>(i));
  return placement;
}

runtime::Program fireworks_program(const Fireworks& asked) {
  return [asked](Rank& me) { return exchange(me, asked); };
}

}  // namespace tutti::workloads
