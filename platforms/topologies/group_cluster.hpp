// SPDX-License-Identifier: BSD-3-Clause
// Base of dragonflies of one level of groups (cells): physical links are those of the hosts, then
// the local ones inside groups, then the global ones (group_links.hpp). These are the levels.
#pragma once

#include "platforms/topologies/group_links.hpp"
#include "platforms/topologies/switch_cluster.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

// Links of a network of groups; all numbers are at least 1.
struct GroupSizes {
  std::string_view group;  // "cell", "group"
  GroupLinks global;
  std::uint32_t local = 1;         // parallel links inside a group
  std::uint64_t local_cables = 1;  // of all groups
};

// The size of a network with these links; saturates at 64 bits.
NetworkSize size_of(const GroupSizes& sizes, const std::vector<NodeRun>& nodes);

class GroupCluster : public SwitchCluster {
 protected:
  GroupCluster(ClusterSpec spec, const GroupSizes& sizes, const std::vector<NodeRun>& nodes);

  std::uint32_t first_local() const { return host_count(); }
  const GroupLinks& global() const { return global_; }
  const Divisor& local() const { return local_; }
  // Appends link number `link` from group a to group b.
  void cross(std::uint32_t a, std::uint32_t b, std::uint32_t link,
             std::vector<LinkId>& links) const {
    links.push_back(toward(first_global_ + global_.index(a, b, link), a < b));
  }
  // Adds the global links to a graph; `vertex` is the vertex of a switch with global links.
  template <class Vertex>
  void connect_groups(Graph& graph, const Vertex& vertex) const {
    for (std::uint32_t a = 0; a < global_.groups; ++a)
      for (std::uint32_t b = a + 1; b < global_.groups; ++b)
        for (std::uint32_t link = 0; link < global_.links; ++link)
          connect(graph, vertex(a, global_.end(a, b, link)), vertex(b, global_.end(b, a, link)),
                  first_global_ + global_.index(a, b, link));
  }
  // The description without words: groups of `switches` with nodes, and of `spines`.
  TopologyDescription describe_groups(std::uint32_t switches, std::uint32_t spines) const;

 private:
  // The name of the local link with this number, from 0 on.
  virtual std::string local_cable_name(std::uint32_t index) const = 0;

  std::string cable_name(std::uint32_t cable) const override;
  std::size_t level_of_cable(std::uint32_t cable) const override {
    return cable < first_local() ? 0 : cable < first_global_ ? 1 : 2;
  }
  std::uint32_t end_of_level(std::size_t level) const override {
    return level == 0 ? first_local() : level == 1 ? first_global_ : cable_count();
  }

  std::string_view group_;
  GroupLinks global_;
  Divisor local_;
  std::uint32_t first_global_;  // physical link
};

}  // namespace tutti::platforms
