// SPDX-License-Identifier: BSD-3-Clause
// Text of nested zones with hosts, routers and clusters, drawn from a seed, that SimGrid 3.32
// accepts.
#pragma once

#include <fmt/format.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/draw.hpp"
#include "tests/support/random_clusters.hpp"

namespace tutti::tests {

class RandomZonesWriter {
 public:
  RandomZonesWriter(Draw& draw, std::uint32_t most_points)
      : draw_(draw), most_points_(most_points) {}

  std::string write(int depth) {
    depth > 0 ? zone_of_zones(depth) : zone_of_hosts();
    return std::move(text_);
  }

 private:
  // The end of a route: a host, a router or a zone.
  struct End {
    std::string name;
    std::vector<std::string> gateways;  // of a zone
  };
  struct RandomLink {
    std::string name;
    bool split = false;
  };
  enum class Routing { full, floyd, dijkstra, star, none };

  std::string fresh(const char* prefix) { return fmt::format("{}{}", prefix, ++names_); }

  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    text_ += fmt::format(format, std::forward<Args>(args)...) + "\n";
  }

  std::string routing_name(Routing routing) {
    switch (routing) {
      case Routing::full:
        return draw_.pick({"Full", "full"});
      case Routing::floyd:
        return "Floyd";
      case Routing::dijkstra:
        return draw_.pick({"Dijkstra", "DijkstraCache"});
      case Routing::star:
        return "Cluster";
      case Routing::none:
        return "None";
    }
    return "";
  }

  // The zone's name, and the hosts and routers in it.
  End any_zone(int depth) {
    if (depth > 0 && draw_.chance(60)) return zone_of_zones(depth);
    return draw_.chance(40) ? cluster() : zone_of_hosts();
  }

  End cluster() {
    constexpr std::uint32_t most_hosts = 12;
    const auto kind =
        draw_.pick({ClusterKind::flat, ClusterKind::flat, ClusterKind::fat_tree,
                    ClusterKind::fat_tree, ClusterKind::torus, ClusterKind::dragonfly});
    const auto id = fresh("c");
    auto made = random_cluster(draw_, id, kind, most_hosts);
    line("{}", made.element);
    return {id, std::move(made.points)};
  }

  End zone_of_zones(int depth) {
    End zone{fresh("Z"), {}};
    const auto routing = draw_.pick({Routing::full, Routing::full, Routing::floyd, Routing::floyd,
                                     Routing::dijkstra, Routing::dijkstra, Routing::none});
    const char* tag = draw_.pick({"zone", "AS"});
    line("<{} id=\"{}\" routing=\"{}\">", tag, zone.name, routing_name(routing));
    std::vector<End> inside;
    const auto zones = routing == Routing::none ? 1 : draw_.between(1, 4);
    while (inside.size() < zones) inside.push_back(any_zone(depth - 1));
    for (const End& each : inside)
      zone.gateways.insert(zone.gateways.end(), each.gateways.begin(), each.gateways.end());
    // SimGrid crashes if a Dijkstra route leaves a zone by another gateway than it entered.
    if (routing == Routing::dijkstra)
      for (End& each : inside) each.gateways = {draw_.one_of(each.gateways)};
    links();
    if (routing != Routing::none) join(inside, draw_.pick({"zoneRoute", "ASroute"}), routing);
    line("</{}>", tag);
    return zone;
  }

  End zone_of_hosts() {
    End zone{fresh("Z"), {}};
    const auto routing =
        draw_.pick({Routing::full, Routing::floyd, Routing::floyd, Routing::dijkstra,
                    Routing::dijkstra, Routing::star, Routing::none});
    line("<zone id=\"{}\" routing=\"{}\">", zone.name, routing_name(routing));
    const auto hosts = routing == Routing::none ? 1 : draw_.between(1, most_points_);
    std::string kinds(hosts, 'h');
    if (routing != Routing::none) kinds.append(draw_.between(0, most_points_ / 2), 'r');
    draw_.shuffle(kinds);
    std::vector<End> inside;
    for (const char kind : kinds) inside.push_back(kind == 'h' ? one_host() : one_router());
    for (const End& each : inside) zone.gateways.push_back(each.name);
    links();
    if (routing == Routing::star)
      star(inside, kinds);
    else if (routing != Routing::none)
      join(inside, "route", routing);
    line("</zone>");
    return zone;
  }

  End one_host() {
    End host{fresh("h"), {}};
    line("<host id=\"{}\" speed=\"1Gf\" core=\"{}\"/>", host.name, draw_.between(1, 4));
    return host;
  }

  End one_router() {
    End router{fresh("r"), {}};
    line("<router id=\"{}\"/>", router.name);
    return router;
  }

  // The links from which the zone's routes are built.
  void links() {
    links_.clear();
    for (auto left = draw_.between(1, 8); left > 0; --left) {
      const char* policy = draw_.pick({"", "SHARED", "SPLITDUPLEX", "FATPIPE"});
      const std::string attribute =
          *policy == '\0' ? "" : fmt::format(" sharing_policy=\"{}\"", policy);
      links_.push_back({fresh("l"), std::string_view(policy) == "SPLITDUPLEX"});
      line("<link id=\"{}\" bandwidth=\"{}\" latency=\"{}\"{}/>", links_.back().name,
           random_bandwidth(draw_), random_latency(draw_), attribute);
    }
  }

  // The hosts of a hub.
  void star(const std::vector<End>& inside, const std::string& kinds) {
    if (draw_.chance(50))
      line("<backbone id=\"{}\" bandwidth=\"{}\" latency=\"{}\"/>", fresh("b"),
           random_bandwidth(draw_), random_latency(draw_));
    for (std::size_t i = 0; i < inside.size(); ++i) {
      if (kinds[i] != 'h') continue;
      const auto& [name, split] = draw_.one_of(links_);
      line("<host_link id=\"{}\" up=\"{}{}\" down=\"{}{}\"/>", inside[i].name, name,
           split ? "_UP" : "", name, split ? "_DOWN" : "");
    }
    for (std::size_t i = 0; i < inside.size(); ++i)
      if (kinds[i] == 'h' && draw_.chance(10)) to_itself(inside[i]);
  }

  // All pairs if the zone does not search paths; otherwise a random graph.
  void join(const std::vector<End>& ends, const char* tag, Routing routing) {
    joined_.clear();
    const auto pairs = routing == Routing::full ? all_pairs(ends.size()) : some_pairs(ends.size());
    for (const auto& [a, b] : pairs) {
      join(ends[a], ends[b], tag);
      if (routing != Routing::full) join(ends[b], ends[a], tag);
    }
    if (std::string_view(tag) != "route") return;
    for (const End& end : ends)
      if (draw_.chance(10)) to_itself(end);
  }

  using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

  Pairs all_pairs(std::size_t count) {
    Pairs pairs;
    for (std::size_t a = 0; a < count; ++a)
      for (std::size_t b = 0; b < count; ++b)
        if (a != b) pairs.emplace_back(a, b);
    draw_.shuffle(pairs);
    return pairs;
  }

  // A random tree and some additional pairs.
  Pairs some_pairs(std::size_t count) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < count; ++i) order.push_back(i);
    draw_.shuffle(order);
    Pairs pairs;
    for (std::size_t i = 1; i < count; ++i) pairs.emplace_back(order[i], order[draw_.below(i)]);
    for (auto left = draw_.below(2 * count); left > 0; --left) {
      const auto a = draw_.below(count);
      const auto b = draw_.below(count);
      if (a != b) pairs.emplace_back(a, b);
    }
    for (auto& [a, b] : pairs)
      if (draw_.chance(50)) std::swap(a, b);
    return pairs;
  }

  // Joins the ends unless they are joined already.
  void join(const End& from, const End& to, const char* tag) {
    if (!joined_.insert({from.name, to.name}).second) return;
    const bool back = draw_.chance(70) && joined_.insert({to.name, from.name}).second;
    std::string attributes = back ? draw_.pick({"", " symmetrical=\"YES\"", " symmetrical=\"yes\""})
                                  : draw_.pick({" symmetrical=\"NO\"", " symmetrical=\"no\""});
    if (!from.gateways.empty())
      attributes += fmt::format(" gw_src=\"{}\" gw_dst=\"{}\"", draw_.one_of(from.gateways),
                                draw_.one_of(to.gateways));
    line("<{} src=\"{}\" dst=\"{}\"{}>{}</{}>", tag, from.name, to.name, attributes, some_links(3),
         tag);
  }

  // With Floyd, SimGrid takes a detour by a neighbour if that is shorter: by two links or more.
  void to_itself(const End& end) {
    line("<route src=\"{0}\" dst=\"{0}\" symmetrical=\"NO\">{1}</route>", end.name, some_links(2));
  }

  std::string some_links(std::uint32_t most) {
    std::string links;
    for (auto left = draw_.between(1, most); left > 0; --left) {
      const auto& [name, split] = draw_.one_of(links_);
      const char* way = draw_.pick({"UP", "DOWN"});
      if (!split)
        links += fmt::format("<link_ctn id=\"{}\"{}/>", name,
                             draw_.chance(20) ? " direction=\"NONE\"" : "");
      else if (draw_.chance(10))
        links += fmt::format("<link_ctn id=\"{}_{}\"/>", name, way);
      else
        links += fmt::format("<link_ctn id=\"{}\" direction=\"{}\"/>", name, way);
    }
    return links;
  }

  Draw& draw_;
  std::uint32_t most_points_;
  int names_ = 0;
  std::string text_;
  std::vector<RandomLink> links_;                         // of the zone being written
  std::set<std::pair<std::string, std::string>> joined_;  // of the same zone
};

inline std::string random_zones(Draw& draw, int depth, std::uint32_t most_points) {
  return RandomZonesWriter(draw, most_points).write(depth);
}

}  // namespace tutti::tests
