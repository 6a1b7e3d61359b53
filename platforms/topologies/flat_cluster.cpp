// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/topologies/flat_cluster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "sim/base/check.hpp"

namespace tutti::platforms {

FlatCluster::FlatCluster(FlatClusterSpec spec) : spec_(std::move(spec)) {
  for (const auto& range : spec_.radical) {
    by_number_.push_back(static_cast<std::uint32_t>(starts_.size()));
    starts_.push_back(hosts_);
    hosts_ += range.count;
  }
  std::sort(by_number_.begin(), by_number_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return spec_.radical[a].first < spec_.radical[b].first;
  });
  TUTTI_CHECK(hosts_ > 0, "a cluster without hosts");
}

LinkId FlatCluster::link_count() const { return backbone_id() + (spec_.backbone ? 1 : 0); }

Link FlatCluster::link(LinkId id) const {
  TUTTI_CHECK(id < link_count(), "no such link");
  if (id == backbone_id()) return *spec_.backbone;
  const bool fat = spec_.sharing == CardSharing::fat_pipe;
  return {spec_.bandwidth_Bps, spec_.latency_s, fat ? LinkSharing::fat_pipe : LinkSharing::shared};
}

std::uint32_t FlatCluster::radical_number(HostId id) const {
  TUTTI_CHECK(id < hosts_, "no such host");
  const auto next = std::upper_bound(starts_.begin(), starts_.end(), id);
  const auto range = static_cast<std::size_t>(next - starts_.begin()) - 1;
  return spec_.radical[range].first + (id - starts_[range]);
}

std::string FlatCluster::host_name(HostId id) const {
  return fmt::format("{}{}{}", spec_.prefix, radical_number(id), spec_.suffix);
}

std::string FlatCluster::link_name(LinkId id) const {
  TUTTI_CHECK(id < link_count(), "no such link");
  if (id == backbone_id()) return spec_.id + "_backbone";
  if (!split()) return fmt::format("{}_link_{}", spec_.id, radical_number(id));
  return fmt::format("{}_link_{}_{}", spec_.id, radical_number(id / 2),
                     id % 2 == 0 ? "UP" : "DOWN");
}

std::optional<HostId> FlatCluster::find_host(std::string_view name) const {
  if (!name.starts_with(spec_.prefix)) return std::nullopt;
  name.remove_prefix(spec_.prefix.size());
  if (!name.ends_with(spec_.suffix)) return std::nullopt;
  name.remove_suffix(spec_.suffix.size());
  std::uint32_t number = 0;
  const char* end = name.data() + name.size();
  const auto [after, status] = std::from_chars(name.data(), end, number);
  const bool padded = name.size() > 1 && name.front() == '0';
  if (status != std::errc{} || after != end || padded) return std::nullopt;
  const auto next = std::upper_bound(
      by_number_.begin(), by_number_.end(), number,
      [&](std::uint32_t wanted, std::uint32_t i) { return wanted < spec_.radical[i].first; });
  if (next == by_number_.begin()) return std::nullopt;
  const std::uint32_t range = *(next - 1);
  const std::uint32_t within = number - spec_.radical[range].first;
  if (within >= spec_.radical[range].count) return std::nullopt;
  return starts_[range] + within;
}

void FlatCluster::route(HostId source, HostId destination, std::vector<LinkId>& links) const {
  links.push_back(up(source));
  if (spec_.backbone) links.push_back(backbone_id());
  if (down(destination) != up(source)) links.push_back(down(destination));
}

void FlatCluster::route_to_router(HostId source, std::vector<LinkId>& links) const {
  links.push_back(up(source));
  if (spec_.backbone) links.push_back(backbone_id());
}

void FlatCluster::route_from_router(HostId destination, std::vector<LinkId>& links) const {
  if (spec_.backbone) links.push_back(backbone_id());
  links.push_back(down(destination));
}

Graph FlatCluster::graph() const {
  Graph graph{.hosts = hosts_, .switches = {spec_.id + "_hub"}, .edges = {}};
  const HostId into = hosts_;
  HostId out_of = into;
  if (spec_.backbone) {
    graph.switches = {spec_.id + "_in", spec_.id + "_out"};
    out_of = into + 1;
    graph.edges.push_back({into, out_of, backbone_id(), false});
  }
  for (HostId id = 0; id < hosts_; ++id) {
    if (!split() && into == out_of) {
      graph.edges.push_back({id, into, up(id), true});
      continue;
    }
    graph.edges.push_back({id, into, up(id), false});
    graph.edges.push_back({out_of, id, down(id), false});
  }
  return graph;
}

}  // namespace tutti::platforms
