// SPDX-License-Identifier: BSD-3-Clause
// SimGrid's flat <cluster>: every host hangs on a hub by links of its own; between the hosts' links
// there may be one backbone that all messages cross.
//
//   host a --up(a)--> [backbone] --down(b)--> host b
//
// Numbers only: host names and link names are made when asked for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platforms/machine.hpp"

namespace tutti::platforms {

// Host numbers first .. first + count - 1, as a range of SimGrid's `radical`.
struct IdRange {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

// How the two directions of a host's cable share its bandwidth (SimGrid's sharing_policy).
enum class CardSharing : std::uint8_t {
  split_duplex,  // two links, one each way
  shared,        // one link for both directions
  fat_pipe       // one link that does not limit the sum of its flows
};

struct FlatClusterSpec {
  std::string id;  // "crill"; begins the names of links
  std::string prefix;
  std::string suffix;
  std::vector<IdRange> radical;  // not empty, no number twice
  double bandwidth_Bps = 0;      // of a host's link, each way
  Seconds latency_s = 0;
  CardSharing sharing = CardSharing::split_duplex;
  std::optional<Link> backbone;
  std::string router;  // the hub's name, for routes from other zones
};

class FlatCluster : public Topology {
 public:
  explicit FlatCluster(FlatClusterSpec spec);

  std::string kind() const override { return "flat cluster"; }
  HostId host_count() const override { return hosts_; }
  LinkId link_count() const override;
  Link link(LinkId id) const override;
  std::string host_name(HostId id) const override;
  std::string link_name(LinkId id) const override;
  std::optional<HostId> find_host(std::string_view name) const override;
  // To itself: out through the up link and back through the down link; a link that serves both
  // directions counts once, as in SimGrid.
  void route(HostId source, HostId destination, std::vector<LinkId>& links) const override;
  // One hub; with a backbone two, and the backbone from the one to the other.
  Graph graph() const override;
  std::string router_name() const override { return spec_.router; }
  void route_to_router(HostId source, std::vector<LinkId>& links) const override;
  void route_from_router(HostId destination, std::vector<LinkId>& links) const override;

 private:
  std::uint32_t radical_number(HostId id) const;
  bool split() const { return spec_.sharing == CardSharing::split_duplex; }
  LinkId backbone_id() const { return split() ? 2 * hosts_ : hosts_; }
  LinkId up(HostId id) const { return split() ? 2 * id : id; }
  LinkId down(HostId id) const { return split() ? 2 * id + 1 : id; }

  FlatClusterSpec spec_;
  std::vector<HostId> starts_;            // first host of each range of the radical
  std::vector<std::uint32_t> by_number_;  // the ranges in the order of their numbers
  HostId hosts_ = 0;
};

}  // namespace tutti::platforms
