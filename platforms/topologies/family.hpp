// SPDX-License-Identifier: BSD-3-Clause
// A family of topologies: how a platform file names one, what its parameters mean, and how
// `sim platform new` makes one. Topology::describe() returns what reports show of it.
#pragma once

#include "platforms/parameters/values.hpp"
#include "platforms/topologies/cable_cluster.hpp"
#include "platforms/topologies/rail_network.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

// A network whose parameters have been read and are valid.
struct NetworkPlan {
  NetworkSize size;
  // The levels of links in order, as in `link/NAME/bandwidth`; empty: all links are equal.
  std::vector<std::string> levels;
  // Builds the network. The settings are those of the file; errors about them have their place.
  std::function<Result<std::unique_ptr<const Topology>>(ClusterSpec, const Settings&)> build;
};

// The options of `sim platform new` that set the shape of a machine; a kind uses some of them.
struct NewShape {
  std::int64_t nodes = 0;
  std::int64_t levels = 2;
  std::int64_t radix = 36;      // ports per switch
  double oversubscription = 1;  // of the leaf switches: nodes per uplink
  // NICs per node. Unless each rail has a copy of the network, the NICs are its hosts, and with
  // RailOrder::leaves the ports of a leaf switch divide the nodes, or are a multiple of them.
  std::int64_t rails = 1;
  RailOrder order = RailOrder::planes;
  std::vector<std::int64_t> dims;
  std::int64_t groups = 0, chassis = 1, routers = 0;
  std::int64_t leaves = 0, spines = 0;             // of a group
  std::int64_t global_links = 1, local_links = 1;  // per pair of groups, of switches
  std::int64_t nodes_per_router = 1;

  // The product of dims and nodes per switch, or any number above most_hosts if it is greater.
  std::int64_t nodes_of_dims(std::int64_t per_switch = 1) const;
};

struct NewNetwork {
  std::int64_t nodes = 0;
  std::string parameters;   // topo_parameters
  std::string description;  // "64 nodes on a torus of 8 x 8"
};

struct TopologyFamily {
  std::string_view name;  // in files: "FAT_TREE"
  std::string_view noun;  // in messages: "a fat tree"
  // Reads topo_parameters. Errors have no place; the caller adds it. The plan can be built with
  // `spec`: it has as many hosts as the radical (an empty radical fits any) and not too many links.
  // Null: a flat cluster, which has no parameters.
  Result<NetworkPlan> (*read)(std::string_view parameters, const ClusterSpec& spec);
  std::string_view new_kind;                   // of `sim platform new`: "fat-tree"
  std::vector<std::string_view> new_options;   // that apply to this kind
  std::vector<std::string_view> new_required;  // among them
  // Errors have the option as their place.
  Result<NewNetwork> (*make_new)(const NewShape& shape);
  // Keys of `topology/` and `torus/` that apply to this family.
  std::vector<std::string_view> keys = {};
  // One of them, whose sizes ("8x8") replace those of the file; hosts are numbered from 0.
  std::string_view sizes_key = {};
};

// All families, in the order in which messages list them.
const std::vector<TopologyFamily>& topology_families();
// Null if there is none with this name.
const TopologyFamily* find_family(std::string_view name);

// Keys of topologies, and what a cluster without them is.
inline constexpr std::string_view torus_dimensions_key = "torus/dimensions";
inline constexpr std::string_view torus_axes_key = "torus/network_axes";
inline constexpr std::string_view rails_key = "topology/rails";
inline constexpr std::string_view rail_order_key = "topology/rail_order";

// "level1", "level2", ...
std::vector<std::string> numbered_levels(std::string_view prefix, std::size_t count);

// An error if a network of this many nodes is too large for a platform file.
std::optional<Error> reject_many_nodes(std::string_view option, std::int64_t nodes);

}  // namespace tutti::platforms
