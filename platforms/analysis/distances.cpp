// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/analysis/distances.hpp"

#include <algorithm>
#include <numeric>

namespace tutti::platforms {
namespace {

// In links looked at, each some 10 ns.
constexpr std::uint64_t most_work = 50'000'000;
constexpr std::uint64_t work_of_a_route = 8;

Seconds latency_of(const Topology& topology, const std::vector<LinkId>& links) {
  Seconds sum_s = 0;
  for (const LinkId id : links) sum_s += topology.link(id).latency_s;
  return sum_s;
}

// All hosts in an order of which every beginning is spread over them.
class SpreadHosts {
 public:
  explicit SpreadHosts(HostId hosts)
      : hosts_(hosts), step_(std::max<std::uint64_t>(hosts * std::uint64_t{618} / 1000, 1)) {
    while (std::gcd(step_, hosts_) != 1) ++step_;
  }
  HostId at(std::uint64_t i) const { return static_cast<HostId>(i % hosts_ * step_ % hosts_); }

 private:
  std::uint64_t hosts_;
  std::uint64_t step_;  // the golden section of them, about
};

class RouteWalk {
 public:
  explicit RouteWalk(const Topology& topology) : topology_(topology) {}

  void follow(HostId from, HostId to) {
    links_.clear();
    topology_.route(from, to, links_);
    work_ += work_of_a_route + links_.size();
    ++found_.pairs;
    found_.latency_s = std::max(found_.latency_s, latency_of(topology_, links_));
    if (links_.size() <= found_.links) return;
    found_.links = links_.size();
    found_.from = from;
    found_.to = to;
  }

  // From host to host, each to all others.
  void follow_spread() {
    const HostId hosts = topology_.host_count();
    const SpreadHosts order(hosts);
    for (HostId i = 0; i < hosts; ++i) {
      work_ += topology_.search_steps();
      for (HostId away = 1; away < hosts; ++away) {
        if (work_ > most_work && found_.pairs > 0) return;
        follow(order.at(i), order.at(std::uint64_t{i} + away));
      }
    }
  }

  const Diameter& found() const { return found_; }

 private:
  const Topology& topology_;
  std::vector<LinkId> links_;
  std::uint64_t work_ = 0;
  Diameter found_;
};

}  // namespace

Diameter diameter(const Topology& topology) {
  const std::uint64_t hosts = topology.host_count();
  if (hosts == 1) return {};
  RouteWalk walk(topology);
  const auto farthest = topology.farthest_hosts();
  if (farthest)
    walk.follow(farthest->first, farthest->second);
  else
    walk.follow_spread();
  Diameter found = walk.found();
  const std::uint64_t pairs = hosts * (hosts - 1);
  if (farthest) found.pairs = pairs;
  found.all_pairs = found.pairs == pairs;
  return found;
}

}  // namespace tutti::platforms
