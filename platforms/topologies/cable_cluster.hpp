// SPDX-License-Identifier: BSD-3-Clause
// Base of the topologies of SimGrid's <cluster>: hosts named by the radical, physical links
// (`cable_...` in names) that are one or two links each, and optionally a limiter in each node, a
// link that all traffic through the node crosses.
//
// Link numbers: up and down of physical link 0, up and down of physical link 1, ... (a single
// number each if the directions share it), then the limiters by node. Names match SimGrid 3.32.
#pragma once

#include "platforms/topologies/host_names.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

// How the two directions of a physical link share its bandwidth (SimGrid's sharing_policy).
enum class NicSharing : std::uint8_t {
  split_duplex,  // two links, one per direction
  shared,        // one link for both directions
};

// Totals of the preceding clusters of the same family in a file. SimGrid continues its numbering
// from them: the hosts of all fat trees have one numbering, and so have the physical links of all
// fat trees, and of all dragonflies.
struct CountedBefore {
  std::uint32_t hosts = 0;
  std::uint32_t cables = 0;
};

// Bandwidth per direction and latency of the physical links of a level, for example of those
// between groups.
struct LinkLevel {
  double bandwidth_Bps = 0;
  Seconds latency_s = 0;
};

struct ClusterSpec {
  std::string id;          // "crill"; prefix of the link names
  std::string parameters;  // of the topology, as in the file
  std::string prefix;
  std::string suffix;
  std::vector<IdRange> radical;  // not empty, without duplicates
  double bandwidth_Bps = 0;      // of a physical link, per direction
  Seconds latency_s = 0;
  NicSharing sharing = NicSharing::split_duplex;
  std::optional<double> limiter_Bps;  // of the limiter in each node; unset: no limiters
  CountedBefore before{};
  // By level (see CableCluster::level_of_cable); empty: all links have the bandwidth and latency
  // above.
  std::vector<LinkLevel> levels{};
  std::uint32_t nics = 1;  // more: the hosts are the NICs of nodes that have as many each
};

// The size of a network, which may be too large to build; values saturate at 64 bits.
struct NetworkSize {
  std::uint64_t hosts = 0;
  std::uint64_t nodes = 0;  // with a limiter, if there are limiters: hosts, and possibly switches
  std::uint64_t cables = 0;
};

inline constexpr std::uint64_t most_links = std::uint64_t{1} << 31;

// Number of links of a network of this size; at most `most_links` can be built.
std::uint64_t links_of(const NetworkSize& size, const ClusterSpec& spec);

struct TopologyFamily;  // family.hpp

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
  LinkId toward(std::uint32_t cable, bool upwards) const {
    return upwards ? up(cable) : down(cable);
  }
  // SimGrid's number of a physical link, which is part of its name.
  std::uint32_t cable_number(std::uint32_t cable) const { return spec_.before.cables + cable; }
  bool split() const { return split_ != 0; }
  std::uint32_t cable_count() const { return first_limiter_ >> split_; }
  bool has_limiters() const { return has_limiters_; }
  LinkId limiter(std::uint32_t node) const { return first_limiter_ + node; }
  // Append the links from a host to its switch, or to a host from its switch, if hosts have the
  // first physical links, one each.
  void leave(HostId source, std::vector<LinkId>& links) const {
    if (has_limiters_) links.push_back(limiter(source));
    links.push_back(up(source));
  }
  void arrive(HostId destination, std::vector<LinkId>& links) const {
    links.push_back(down(destination));
    if (has_limiters_) links.push_back(limiter(destination));
  }
  // Describes leaf switches with `hosts` each, if the first physical links of the network belong to
  // the hosts, `cables_per_host` to each.
  LeafSwitches leaf_switches_of(HostId hosts, std::uint32_t cables_per_host) const;
  // Adds the edges of a physical link to a graph; up leads from `lower` to `upper`.
  void connect(Graph& graph, std::uint32_t lower, std::uint32_t upper, std::uint32_t cable) const;

 private:
  virtual std::string cable_name(std::uint32_t cable) const = 0;
  virtual std::int64_t limiter_number(std::uint32_t node) const = 0;
  // Number of parallel wires of a physical link, which has the sum of their bandwidths.
  virtual std::uint32_t wires(std::uint32_t) const { return 1; }
  // Levels are consecutive physical links, from number 0 on.
  virtual std::size_t level_of_cable(std::uint32_t) const { return 0; }
  virtual std::uint32_t end_of_level(std::size_t) const { return cable_count(); }
  // The end of the range of physical links from this one on with the same level and number of
  // wires.
  virtual std::uint32_t end_of_equal_cables(std::uint32_t cable) const {
    return spec_.levels.empty() ? cable_count() : end_of_level(level_of_cable(cable));
  }

  ClusterSpec spec_;
  HostNames names_;
  std::uint32_t split_ = 0;  // 1: two links per physical link; 0: one
  bool has_limiters_ = false;
  LinkId first_limiter_ = 0;
  LinkId link_count_ = 0;
};

}  // namespace tutti::platforms
