// SPDX-License-Identifier: BSD-3-Clause
#include "sim/jobs/extrapolation/cut_topology.hpp"

namespace tutti::jobs::extrapolation {
namespace {

using platforms::HostId;
using platforms::Link;
using platforms::LinkId;
using platforms::RouteEnds;
using Links = std::vector<LinkId>;

class CutTopology final : public platforms::Topology {
 public:
  CutTopology(std::shared_ptr<const Topology> whole, HostPairs pairs)
      : whole_(std::move(whole)), pairs_(std::move(pairs)), extra_(whole_->link_count()) {}

  std::string kind() const override { return whole_->kind(); }
  std::string parameters() const override { return whole_->parameters(); }
  HostId host_count() const override { return whole_->host_count(); }
  LinkId link_count() const override { return extra_ + 1; }
  Link link(LinkId id) const override {
    if (id != extra_) return whole_->link(id);
    Link extra = whole_->link(0);
    extra.sharing = platforms::LinkSharing::fat_pipe;
    return extra;
  }
  std::string host_name(HostId id) const override { return whole_->host_name(id); }
  std::string link_name(LinkId id) const override {
    return id == extra_ ? "cut" : whole_->link_name(id);
  }
  std::optional<HostId> find_host(std::string_view name) const override {
    return whole_->find_host(name);
  }
  void route(HostId source, HostId destination, Links& links) const override {
    if (is_cut(source, destination)) return links.push_back(extra_);
    whole_->route(source, destination, links);
  }
  std::uint32_t rails() const override { return whole_->rails(); }
  void rail_route(const RouteEnds& ends, Links& links) const override {
    if (is_cut(ends)) return links.push_back(extra_);
    whole_->rail_route(ends, links);
  }
  std::uint32_t shortest_paths(const RouteEnds& ends) const override {
    return is_cut(ends) ? 1 : whole_->shortest_paths(ends);
  }
  void shortest_path(const RouteEnds& ends, std::uint32_t number, Links& links) const override {
    if (is_cut(ends)) return links.push_back(extra_);
    whole_->shortest_path(ends, number, links);
  }
  std::uint64_t detours(const RouteEnds& ends) const override {
    return is_cut(ends) ? 0 : whole_->detours(ends);
  }
  void detour(const RouteEnds& ends, std::uint64_t number, Links& links) const override {
    whole_->detour(ends, number, links);
  }
  std::size_t nic_links() const override { return whole_->nic_links(); }
  std::optional<platforms::LeafSwitches> leaf_switches() const override {
    return whole_->leaf_switches();
  }
  platforms::Graph graph() const override { return whole_->graph(); }
  std::optional<std::pair<HostId, HostId>> farthest_hosts() const override {
    return whole_->farthest_hosts();
  }
  std::uint64_t search_steps() const override { return whole_->search_steps(); }
  LinkId end_of_equal_links(LinkId first) const override {
    return first == extra_ ? first + 1 : std::min(whole_->end_of_equal_links(first), extra_);
  }
  std::string router_name() const override { return whole_->router_name(); }
  void route_to_router(HostId source, Links& links) const override {
    whole_->route_to_router(source, links);
  }
  void route_from_router(HostId destination, Links& links) const override {
    whole_->route_from_router(destination, links);
  }

 private:
  bool is_cut(HostId source, HostId destination) const {
    return pairs_.contains({source, destination});
  }
  bool is_cut(const RouteEnds& ends) const { return is_cut(ends.source, ends.destination); }

  std::shared_ptr<const Topology> whole_;
  HostPairs pairs_;
  LinkId extra_;
};

}  // namespace

std::shared_ptr<const platforms::Topology> cut(std::shared_ptr<const platforms::Topology> whole,
                                               HostPairs pairs) {
  return std::make_shared<CutTopology>(std::move(whole), std::move(pairs));
}

}  // namespace tutti::jobs::extrapolation
