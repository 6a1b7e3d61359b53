// SPDX-License-Identifier: BSD-3-Clause
// A torus that is laid on a network of more axes, as TofuD does with the logical tori of its jobs
// (Ajima et al., "The Tofu Interconnect D", IEEE Cluster 2018: a job sees one to three dimensions
// of a network of six axes, and neighbours in them are neighbours in the network).
//
// With n dimensions and N axes each dimension lies on N / n axes, as a path that goes to a
// neighbour with each step: the reflected Gray code of mixed radix. The first axis of a dimension
// has 2 nodes, the others share the rest of its factors as evenly as they can; an odd dimension
// stays whole. So 4 x 4 x 4 on six axes is 2 x 2 for each dimension. Routes go through the first
// axes of all dimensions, in the order second, third, ..., first, then through the others from the
// last dimension to the first: Tofu's B, C, A before its Z, Y, X, the one of 48 orders that is
// nearest to the times of HLC-Lab/pico on 4 x 4 x 4 nodes of Fugaku (platforms/catalog/README.md).
// TofuD has axes of 3 nodes as well, and its messages may take several ways; which of them a job
// got is not known.
#pragma once

#include "platforms/topologies/torus.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

// The network's torus, its axes in the order in which routes go through them. `axes` is at least 1.
TorusShape folded_shape(const TorusShape& shape, std::uint32_t axes);

class FoldedTorus : public Torus {
 public:
  // The spec's parameters are those of `shape`.
  FoldedTorus(ClusterSpec spec, const TorusShape& shape, std::uint32_t axes);

  std::string kind() const override { return "folded torus"; }
  std::string parameters() const override;  // "8,8,8 on 2,2,2,4,4,4"
  void route(HostId source, HostId destination, std::vector<LinkId>& links) const override;
  Graph graph() const override;
  std::optional<std::pair<HostId, HostId>> farthest_hosts() const override;

 private:
  std::vector<HostId> host_at() const;  // by node of the network

  std::vector<HostId> node_of_;  // of the network, by host
};

}  // namespace tutti::platforms
