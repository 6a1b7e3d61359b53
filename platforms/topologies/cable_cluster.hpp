// SPDX-License-Identifier: BSD-3-Clause
// What the topologies of SimGrid's <cluster> share: hosts named by the radical, cables of one or
// two links, and maybe a limiter in each node, a link that caps all that crosses the node.
//
// Link numbers: the cables' links (up and down of cable 0, up and down of cable 1, ...; one link a
// cable where the directions share it), then the limiters by node. Names are those of SimGrid 3.32.
#pragma once

#include "platforms/topologies/host_names.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

// How the two directions of a cable share its bandwidth (SimGrid's sharing_policy).
enum class NicSharing : std::uint8_t {
  split_duplex,  // two links, one each way
  shared,        // one link for both directions
};

// How many there are in clusters that SimGrid counts on from: it numbers the hosts of all fat trees
// of a file in one row, their cables in another one, and the cables of all dragonflies in a third.
struct CountedBefore {
  std::uint32_t hosts = 0;
  std::uint32_t cables = 0;
};

struct ClusterSpec {
  std::string id;          // "crill"; begins the names of links
  std::string parameters;  // of the topology, as the file gives them
  std::string prefix;
  std::string suffix;
  std::vector<IdRange> radical;  // not empty, no number twice
  double bandwidth_Bps = 0;      // of a cable, each way
  Seconds latency_s = 0;
  NicSharing sharing = NicSharing::split_duplex;
  std::optional<double> limiter_Bps;  // of the limiter in each node; unset: there are none
  CountedBefore before{};
};

// Of a network that may be too large to exist; what would exceed 64 bits is the largest number.
struct NetworkSize {
  std::uint64_t hosts = 0;
  std::uint64_t nodes = 0;  // that have a limiter, if there are any: hosts, and maybe switches
  std::uint64_t cables = 0;
};

inline constexpr std::uint64_t most_links = std::uint64_t{1} << 31;

// What `size` needs; more than `most_links` cannot be built.
std::uint64_t links_of(const NetworkSize& size, const ClusterSpec& spec);

class CableCluster : public Topology {
 public:
  std::string parameters() const override { return spec_.parameters; }
  HostId host_count() const override { return names_.count(); }
  LinkId link_count() const override { return link_count_; }
  Link link(LinkId id) const override;
  std::string host_name(HostId id) const override { return names_.name(id); }
  std::string link_name(LinkId id) const override;
  std::optional<HostId> find_host(std::string_view name) const override {
    return names_.find(name);
  }
  std::size_t nic_links() const override { return has_limiters_ ? 2 : 1; }
  LinkId end_of_equal_links(LinkId first) const override;

 protected:
  CableCluster(ClusterSpec spec, const NetworkSize& size);

  const ClusterSpec& spec() const { return spec_; }
  const HostNames& names() const { return names_; }
  LinkId up(std::uint32_t cable) const { return cable << split_; }
  LinkId down(std::uint32_t cable) const { return (cable << split_) + split_; }
  // SimGrid's number of a cable, which is part of its name.
  std::uint32_t cable_number(std::uint32_t cable) const { return spec_.before.cables + cable; }
  bool split() const { return split_ != 0; }
  std::uint32_t cable_count() const { return first_limiter_ >> split_; }
  bool has_limiters() const { return has_limiters_; }
  LinkId limiter(std::uint32_t node) const { return first_limiter_ + node; }
  // The first cables of the network are those of the hosts, so many each.
  LeafSwitches leaf_switches_of(HostId hosts, std::uint32_t cables_per_host) const;
  // Adds the cable's edges to a graph: up is the way from `lower` to `upper`.
  void connect(Graph& graph, std::uint32_t lower, std::uint32_t upper, std::uint32_t cable) const;

 private:
  virtual std::string cable_name(std::uint32_t cable) const = 0;
  virtual std::int64_t limiter_number(std::uint32_t node) const = 0;
  // Wires side by side in a cable: it has their bandwidth together.
  virtual std::uint32_t wires(std::uint32_t) const { return 1; }
  // The end of the cables from this one on that have as many wires.
  virtual std::uint32_t end_of_equal_cables(std::uint32_t) const { return cable_count(); }

  ClusterSpec spec_;
  HostNames names_;
  std::uint32_t split_ = 0;  // 1: two links a cable
  bool has_limiters_ = false;
  LinkId first_limiter_ = 0;
  LinkId link_count_ = 0;
};

}  // namespace tutti::platforms
