// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/fireworks.hpp"

namespace tutti::workloads {
namespace {

using runtime::Rank;
using runtime::RankId;
using runtime::Request;
using runtime::Task;

// Partners in the order in which the hot spot posts them: Algorithm 1 visits the ranks in ascending
// order, which starts inside the node, or in descending order.
std::vector<RankId> partners_of(const Fireworks& requested, RankId hot_spot) {
  std::vector<RankId> partners;
  for (RankId rank = requested.hot_spots; rank < requested.procs(); ++rank)
    if (hot_spot_of(requested, rank) == hot_spot) partners.push_back(rank);
  if (requested.order == PostingOrder::inter_first) std::ranges::reverse(partners);
  return partners;
}

Task exchange(Rank& me, Fireworks requested) {
  const runtime::Slice data{.bytes = requested.message_bytes};
  const bool is_hot = me.id() < requested.hot_spots;
  const bool both = requested.exchanged == Exchanged::both;
  const std::vector<RankId> others =
      is_hot ? partners_of(requested, me.id()) : std::vector{hot_spot_of(requested, me.id())};
  std::vector<Request> posted;
  if (both || (requested.exchanged == Exchanged::receives) == is_hot)
    for (const RankId other : others) posted.push_back(me.irecv({.from = other, .data = data}));
  if (both || (requested.exchanged == Exchanged::sends) == is_hot)
    for (const RankId other : others) posted.push_back(me.isend({.to = other, .data = data}));
  co_await me.wait_all(posted);
}

}  // namespace

RankId hot_spot_of(const Fireworks& requested, RankId partner) {
  const RankId first =
      partner < requested.procs_of_node() ? requested.hot_spots : RankId{requested.procs_of_node()};
  return (partner - first) % requested.hot_spots;
}

platforms::Placement fireworks_placement(const Fireworks& requested) {
  platforms::Placement placement{
      .host_of = {}, .nodes = 1 + requested.inter_pairs, .ppn = requested.procs_of_node()};
  placement.host_of.assign(static_cast<std::size_t>(requested.procs_of_node()), 0);
  for (int i = 1; i <= requested.inter_pairs; ++i)
    placement.host_of.push_back(static_cast<platforms::HostId>(i));
  return placement;
}

runtime::Program fireworks_program(const Fireworks& requested) {
  return [requested](Rank& me) { return exchange(me, requested); };
}

}  // namespace tutti::workloads
