// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/topologies/flat_cluster.hpp"

#include "platforms/topologies/family.hpp"
#include "platforms/topology_description.hpp"

namespace tutti::platforms {
namespace {

NetworkSize size_of(const ClusterSpec& spec) {
  const auto hosts = count_hosts(spec.radical);
  return {.hosts = hosts, .nodes = hosts, .cables = hosts};
}

}  // namespace

FlatCluster::FlatCluster(FlatClusterSpec spec)
    : CableCluster(spec, size_of(spec)),
      backbone_(spec.backbone),
      router_(std::move(spec.router)) {}

Link FlatCluster::link(LinkId id) const {
  return backbone_ && id == backbone_id() ? *backbone_ : CableCluster::link(id);
}

std::string FlatCluster::link_name(LinkId id) const {
  return backbone_ && id == backbone_id() ? spec().id + "_backbone" : CableCluster::link_name(id);
}

std::string FlatCluster::cable_name(std::uint32_t cable) const {
  return fmt::format("{}_link_{}", spec().id, names().radical_number(cable));
}

std::int64_t FlatCluster::limiter_number(std::uint32_t node) const {
  return names().radical_number(node);
}

void FlatCluster::route(HostId source, HostId destination, std::vector<LinkId>& links) const {
  FlatCluster::route_to_router(source, links);
  if (down(destination) != up(source)) links.push_back(down(destination));
  if (has_limiters() && destination != source) links.push_back(limiter(destination));
}

void FlatCluster::route_to_router(HostId source, std::vector<LinkId>& links) const {
  leave(source, links);
  if (backbone_) links.push_back(backbone_id());
}

void FlatCluster::route_from_router(HostId destination, std::vector<LinkId>& links) const {
  if (backbone_) links.push_back(backbone_id());
  arrive(destination, links);
}

// All routes are equal.
std::optional<std::pair<HostId, HostId>> FlatCluster::farthest_hosts() const {
  return std::pair<HostId, HostId>(0, host_count() - 1);
}

LinkId FlatCluster::end_of_equal_links(LinkId first) const {
  return first == backbone_id() ? first + 1 : CableCluster::end_of_equal_links(first);
}

Graph FlatCluster::graph() const {
  Graph graph{.hosts = host_count(), .switches = {spec().id + "_hub"}, .edges = {}};
  const std::uint32_t into = host_count();
  if (!backbone_) {
    for (HostId id = 0; id < host_count(); ++id) connect(graph, id, into, id);
    return graph;
  }
  const std::uint32_t out_of = into + 1;
  graph.switches = {spec().id + "_in", spec().id + "_out"};
  graph.edges.push_back({into, out_of, backbone_id(), false});
  for (HostId id = 0; id < host_count(); ++id) {
    graph.edges.push_back({id, into, up(id), false});
    graph.edges.push_back({out_of, id, down(id), false});
  }
  return graph;
}

TopologyDescription FlatCluster::describe() const {
  auto description = CableCluster::describe();
  description.layout = NodeLayout::star;
  description.no_route_to_itself.clear();
  return description;
}

namespace {

Result<NewNetwork> new_flat(const NewShape& shape) {
  if (shape.nodes < 1 || shape.nodes > static_cast<std::int64_t>(most_hosts))
    return usage_error("--nodes",
                       fmt::format("{} is out of range: 1 to {}", shape.nodes, most_hosts));
  return NewNetwork{shape.nodes, "", counted(shape.nodes, "node") + " on one switch"};
}

}  // namespace

TopologyFamily flat_family() {
  return {.name = "FLAT",
          .noun = "a flat cluster",
          .read = nullptr,
          .new_kind = "flat",
          .new_options = {"--nodes", "--rails", "--rail-order"},
          .new_required = {"--nodes"},
          .make_new = new_flat,
          .keys = {rails_key, rail_order_key}};
}

}  // namespace tutti::platforms
