// SPDX-License-Identifier: BSD-3-Clause
// Text of a <cluster> of any topology, drawn from a seed, that SimGrid 3.32 accepts.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/draw.hpp"

namespace tutti::tests {

enum class ClusterKind { flat, fat_tree, torus, dragonfly };

struct RandomCluster {
  std::string element;
  std::vector<std::string> points;  // possible ends of routes from other zones
};

inline std::string random_bandwidth(Draw& draw) {
  const auto number = draw.between(1, 400);
  return draw.pick({fmt::format("{}MBps", number), fmt::format("{}.5Gbps", number),
                    fmt::format("{}MiBps", number), fmt::format("{}e6Bps", number)});
}

inline std::string random_latency(Draw& draw) {
  const auto number = draw.between(0, 999);
  return draw.pick({fmt::format("{}ns", number), fmt::format("{}.25us", number),
                    fmt::format("{}us", number), fmt::format("{}ms", number)});
}

class RandomClusterWriter {
 public:
  RandomClusterWriter(Draw& draw, std::string id, std::uint32_t most_hosts)
      : draw_(draw), id_(std::move(id)), most_hosts_(most_hosts) {}

  RandomCluster write(ClusterKind kind) {
    shape(kind);
    const auto numbers = radical();
    const auto prefix = id_ + draw_.pick({"-", "n", ".node"});
    const auto suffix = draw_.pick({"", "x", ".example.org"});
    add("id", id_);
    add("prefix", prefix);
    add("suffix", suffix);
    add("radical", radical_);
    add("speed", "1Gf");
    add("core", draw_.between(1, 8));
    add("bw", random_bandwidth(draw_));
    add("lat", random_latency(draw_));
    options(kind);
    std::vector<std::string> points;
    for (const auto number : numbers)
      points.push_back(fmt::format("{}{}{}", prefix, number, suffix));
    if (kind == ClusterKind::flat) points.push_back(router(prefix, suffix));
    return {.element = "<cluster" + attributes_ + "/>", .points = std::move(points)};
  }

 private:
  using Counts = std::vector<std::uint32_t>;

  template <class Value>
  void add(const char* name, const Value& value) {
    attributes_ += fmt::format(" {}=\"{}\"", name, value);
  }

  void shape(ClusterKind kind) {
    switch (kind) {
      case ClusterKind::flat:
        hosts_ = draw_.between(1, most_hosts_);
        return;
      case ClusterKind::fat_tree:
        return fat_tree();
      case ClusterKind::torus:
        return torus();
      case ClusterKind::dragonfly:
        return dragonfly();
    }
  }

  // A number whose product with the earlier ones does not exceed the maximum number of hosts.
  std::uint32_t factor(std::uint32_t least, std::uint32_t most) {
    const auto room = most_hosts_ / hosts_;
    const auto drawn = draw_.between(std::min(least, room), std::min(most, room));
    hosts_ *= drawn;
    return drawn;
  }

  void fat_tree() {
    constexpr std::uint32_t most_switches = 400;
    Counts down, up, cables;
    do {
      const auto levels = draw_.between(1, 4);
      const bool full = draw_.chance(30);  // as many uplinks as downlinks
      hosts_ = 1;
      down.clear(), up.clear(), cables.clear();
      for (std::uint32_t level = 0; level < levels; ++level) {
        up.push_back(full ? (level == 0 ? 1 : down.back()) : draw_.between(1, 4));
        down.push_back(factor(1, 8));
        cables.push_back(draw_.chance(50) ? 1 : draw_.between(1, 3));
      }
      switches_ = switches(down, up);
    } while (switches_ > most_switches);
    add("topology", "FAT_TREE");
    add("topo_parameters", fmt::format("{};{};{};{}", down.size(), fmt::join(down, ","),
                                       fmt::join(up, ","), fmt::join(cables, ",")));
  }

  std::uint32_t switches(const Counts& down, const Counts& up) const {
    std::uint32_t all = 0;
    std::uint32_t here = hosts_;
    for (std::size_t level = 0; level < down.size(); ++level)
      all += here = here / down[level] * up[level];
    return all;
  }

  void torus() {
    Counts sizes;
    const auto dimensions = draw_.between(1, 6);
    while (sizes.size() < dimensions && most_hosts_ / hosts_ > 1) sizes.push_back(factor(2, 7));
    // SimGrid aborts if two dimensions have size 1.
    if (draw_.chance(20)) sizes.insert(sizes.begin() + draw_.between(0, sizes.size()), 1);
    add("topology", "TORUS");
    add("topo_parameters", fmt::format("{}", fmt::join(sizes, ",")));
  }

  void dragonfly() {
    const auto routers = factor(1, 5);
    const auto groups = factor(1, routers);
    const auto chassis = factor(1, 4);
    const auto nodes = factor(1, 4);
    const auto wires = [&] { return draw_.between(1, 4); };
    add("topology", "DRAGONFLY");
    add("topo_parameters", fmt::format("{},{};{},{};{},{};{}", groups, wires(), chassis, wires(),
                                       routers, wires(), nodes));
  }

  // Ranges of host numbers with or without gaps, in any order; and the numbers they contain.
  Counts radical() {
    std::vector<Counts> ranges;
    std::uint32_t next = draw_.pick({0, 0, 1, 7});
    for (std::uint32_t left = hosts_; left > 0; next += draw_.pick({0, 1, 2, 100})) {
      ranges.emplace_back();
      const auto count = draw_.chance(50) ? left : draw_.between(1, left);
      for (left -= count; ranges.back().size() < count;) ranges.back().push_back(next++);
    }
    if (draw_.chance(30)) draw_.shuffle(ranges);
    Counts numbers;
    for (const auto& range : ranges) {
      numbers.insert(numbers.end(), range.begin(), range.end());
      radical_ += fmt::format("{}{}", radical_.empty() ? "" : ",", range.front());
      if (range.size() > 1 || draw_.chance(20)) radical_ += fmt::format("-{}", range.back());
    }
    return numbers;
  }

  void options(ClusterKind kind) {
    if (draw_.chance(50))
      add("sharing_policy", draw_.pick({"SHARED", "SHARED", "SPLITDUPLEX", "FATPIPE"}));
    // SimGrid aborts if more switches than hosts would have a limiter.
    if (draw_.chance(30) && switches_ <= hosts_) add("limiter_link", random_bandwidth(draw_));
    if (draw_.chance(30)) {
      add("loopback_bw", random_bandwidth(draw_));
      add("loopback_lat", random_latency(draw_));
    }
    if (kind != ClusterKind::flat || draw_.chance(50)) return;
    add("bb_bw", random_bandwidth(draw_));
    add("bb_lat", random_latency(draw_));
    if (draw_.chance(50)) add("bb_sharing_policy", draw_.pick({"SHARED", "FATPIPE"}));
  }

  std::string router(const std::string& prefix, const std::string& suffix) {
    if (draw_.chance(50)) return fmt::format("{}{}_router{}", prefix, id_, suffix);
    add("router_id", id_ + "-gate");
    return id_ + "-gate";
  }

  Draw& draw_;
  std::string id_;
  std::uint32_t most_hosts_;
  std::uint32_t hosts_ = 1;
  std::uint32_t switches_ = 0;
  std::string radical_;
  std::string attributes_;
};

inline RandomCluster random_cluster(Draw& draw, const std::string& id, ClusterKind kind,
                                    std::uint32_t most_hosts) {
  return RandomClusterWriter(draw, id, most_hosts).write(kind);
}

}  // namespace tutti::tests
