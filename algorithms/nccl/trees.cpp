// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/nccl/trees.hpp"

namespace tutti::algorithms::nccl {

// Node 0 is the root, whose only child is the largest power of two below `nodes`. The children of
// another node are half of its lowest bit below and above; beyond the last node, the distance to
// the second child is halved.
NodeInTree find_in_first_tree(RankId node, RankId nodes) {
  NodeInTree found;
  if (node == 0) {
    if (nodes > 1)
      found.children[1] = static_cast<RankId>(std::bit_floor(static_cast<unsigned>(nodes - 1)));
    return found;
  }
  const RankId bit = node & -node;
  const RankId nearer = (node ^ bit) | (bit << 1);
  found.parent = nearer < nodes ? nearer : node ^ bit;
  found.is_first_child = node < found.parent;
  if (bit == 1) return found;
  found.children[0] = node - bit / 2;
  for (RankId distance = bit / 2; distance > 0 && found.children[1] < 0; distance /= 2)
    if (node + distance < nodes) found.children[1] = node + distance;
  return found;
}

NodeInTree find_in_second_tree(RankId node, RankId nodes) {
  const bool mirrors = nodes % 2 == 0;
  const auto renamed = [&](RankId other, RankId shift) {
    if (other < 0) return other;
    return mirrors ? nodes - 1 - other : (other + shift + nodes) % nodes;
  };
  NodeInTree found = find_in_first_tree(renamed(node, -1), nodes);
  found.parent = renamed(found.parent, 1);
  for (RankId& child : found.children) child = renamed(child, 1);
  return found;
}

RankInTree find_in_tree(const Hierarchy& nodes, RankId rank, int channel, int channels) {
  const int of_first = (channels + 1) / 2;
  const bool is_first = channel < of_first;
  const int path = is_first ? channel : channel - of_first;
  const auto gpus_of = [&](RankId node) {
    return static_cast<RankId>(nodes.members(static_cast<std::uint32_t>(node)).size());
  };
  // The rank at a place of a node's path, or at the last one.
  const auto rank_at = [&](RankId node, RankId place) {
    const RankId gpus = gpus_of(node);
    return nodes.members(
        static_cast<std::uint32_t>(node))[gpu_on_path(std::min(place, gpus - 1), gpus, path)];
  };
  const auto node = static_cast<RankId>(nodes.group_of(rank));
  const auto count = static_cast<RankId>(nodes.groups());
  const NodeInTree in_tree =
      is_first ? find_in_first_tree(node, count) : find_in_second_tree(node, count);
  const RankId gpus = gpus_of(node);
  const RankId place = place_on_path(nodes.index_of(rank), gpus, path);
  RankInTree found;
  if (place > 0)
    found.parent = rank_at(node, place - 1);
  else if (in_tree.parent >= 0)
    found.parent = rank_at(in_tree.parent, in_tree.is_first_child ? 1 : 0);
  if (place + 1 < gpus) found.children.push_back(rank_at(node, place + 1));
  for (const RankId child : {0, 1})
    if (in_tree.children[child] >= 0 && place == std::min(1 - child, gpus - 1))
      found.children.push_back(rank_at(in_tree.children[child], 0));
  return found;
}

}  // namespace tutti::algorithms::nccl
