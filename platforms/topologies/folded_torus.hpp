// SPDX-License-Identifier: BSD-3-Clause
// A torus folded onto a network with more axes, as TofuD does with the logical tori of its jobs
// (Ajima et al., "The Tofu Interconnect D", IEEE Cluster 2018: a job sees one to three dimensions
// of a network of six axes, and neighbours in them are neighbours in the network).
//
// With n dimensions and N axes, each dimension is folded onto N / n axes, as a path between
// neighbours: the reflected Gray code of mixed radix. The first axis of a dimension has 2 nodes,
// and the others share the remaining factors as evenly as possible; an odd dimension stays whole.
// For example, 4 x 4 x 4 on six axes is 2 x 2 for each dimension. Routes traverse the first axes of
// all dimensions in the order second, third, ..., first, then the other axes from the last
// dimension to the first: Tofu's B, C, A before its Z, Y, X. Of 48 orders, this one agrees best
// with the times of HLC-Lab/pico on 4 x 4 x 4 nodes of Fugaku (platforms/catalog/README.md). TofuD
// also has axes of 3 nodes, and its messages may use several routes; which of them a job used is
// not known.
//
// Levels of links are the dimensions: all axes of a dimension have equal links.
#pragma once

#include "platforms/topologies/torus.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

// The torus of the network, with its axes in the order in which routes traverse them. `axes` must
// be at least 1.
TorusShape folded_shape(const TorusShape& shape, std::uint32_t axes);

class FoldedTorus : public Torus {
 public:
  // The spec must have the parameters of `shape`.
  FoldedTorus(ClusterSpec spec, const TorusShape& shape, std::uint32_t axes);

  std::string kind() const override { return "folded torus"; }
  std::string parameters() const override;  // "8,8,8 on 2,2,2,4,4,4"
  TopologyDescription describe() const override;
  void route(HostId source, HostId destination, std::vector<LinkId>& links) const override;
  std::uint32_t shortest_paths(const RouteEnds& ends) const override;
  void shortest_path(const RouteEnds& ends, std::uint32_t number,
                     std::vector<LinkId>& links) const override;
  Graph graph() const override;
  std::optional<std::pair<HostId, HostId>> farthest_hosts() const override;

 private:
  std::vector<HostId> host_at() const;  // by network node
  RouteEnds nodes_of(const RouteEnds& ends) const {
    return {.source = node_of_[ends.source], .destination = node_of_[ends.destination]};
  }

  std::vector<HostId> node_of_;  // network node by host
};

}  // namespace tutti::platforms
