// SPDX-License-Identifier: BSD-3-Clause
#include "sim/jobs/extrapolation/cut_topology.hpp"

#include "platforms/topologies/derived_topology.hpp"

namespace tutti::jobs::extrapolation {
namespace {

using platforms::HostId;
using platforms::Link;
using platforms::LinkId;
using platforms::RouteEnds;
using Links = std::vector<LinkId>;

class CutTopology final : public platforms::DerivedTopology {
 public:
  CutTopology(std::shared_ptr<const Topology> whole, HostPairs pairs)
      : DerivedTopology(std::move(whole)),
        pairs_(std::move(pairs)),
        extra_(network().link_count()) {}

  LinkId link_count() const override { return extra_ + 1; }
  Link link(LinkId id) const override {
    if (id != extra_) return network().link(id);
    Link extra = network().link(0);
    extra.sharing = platforms::LinkSharing::fat_pipe;
    return extra;
  }
  std::string link_name(LinkId id) const override {
    return id == extra_ ? "cut" : network().link_name(id);
  }
  void route(HostId source, HostId destination, Links& links) const override {
    if (is_cut(source, destination)) return links.push_back(extra_);
    network().route(source, destination, links);
  }
  void rail_route(const RouteEnds& ends, Links& links) const override {
    if (is_cut(ends)) return links.push_back(extra_);
    network().rail_route(ends, links);
  }
  std::uint32_t shortest_paths(const RouteEnds& ends) const override {
    return is_cut(ends) ? 1 : network().shortest_paths(ends);
  }
  void shortest_path(const RouteEnds& ends, std::uint32_t number, Links& links) const override {
    if (is_cut(ends)) return links.push_back(extra_);
    network().shortest_path(ends, number, links);
  }
  std::uint64_t detours(const RouteEnds& ends) const override {
    return is_cut(ends) ? 0 : network().detours(ends);
  }
  LinkId end_of_equal_links(LinkId first) const override {
    return first == extra_ ? first + 1 : std::min(network().end_of_equal_links(first), extra_);
  }

 private:
  bool is_cut(HostId source, HostId destination) const {
    return pairs_.contains({source, destination});
  }
  bool is_cut(const RouteEnds& ends) const { return is_cut(ends.source, ends.destination); }

  HostPairs pairs_;
  LinkId extra_;
};

}  // namespace

std::shared_ptr<const platforms::Topology> cut(std::shared_ptr<const platforms::Topology> whole,
                                               HostPairs pairs) {
  return std::make_shared<CutTopology>(std::move(whole), std::move(pairs));
}

}  // namespace tutti::jobs::extrapolation
