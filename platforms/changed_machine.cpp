// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/changed_machine.hpp"

#include "sim/base/common.hpp"

namespace tutti::platforms {
namespace {

void make_eager(MessageProtocol& protocol) {
  protocol.eager_max = std::numeric_limits<Bytes>::max();
  protocol.detached_max = -1;
  protocol.copy_max = -1;
  protocol.gap_per_byte.reset();
  protocol.copy_Bps.reset();
  protocol.eager_credits = 0;
  protocol.fragment_max = -1;
}

// The same network with slower or faster links.
class ScaledTopology final : public Topology {
 public:
  ScaledTopology(std::shared_ptr<const Topology> plain, double factor)
      : plain_(std::move(plain)), factor_(factor) {}

  std::string kind() const override { return plain_->kind(); }
  std::string parameters() const override { return plain_->parameters(); }
  HostId host_count() const override { return plain_->host_count(); }
  LinkId link_count() const override { return plain_->link_count(); }
  Link link(LinkId id) const override {
    Link link = plain_->link(id);
    link.bandwidth_Bps /= factor_;
    return link;
  }
  std::string host_name(HostId id) const override { return plain_->host_name(id); }
  std::string link_name(LinkId id) const override { return plain_->link_name(id); }
  std::optional<HostId> find_host(std::string_view name) const override {
    return plain_->find_host(name);
  }
  void route(HostId source, HostId destination, std::vector<LinkId>& links) const override {
    plain_->route(source, destination, links);
  }
  std::uint32_t rails() const override { return plain_->rails(); }
  void rail_route(const RouteEnds& ends, std::vector<LinkId>& links) const override {
    plain_->rail_route(ends, links);
  }
  std::uint32_t shortest_paths(const RouteEnds& ends) const override {
    return plain_->shortest_paths(ends);
  }
  void shortest_path(const RouteEnds& ends, std::uint32_t number,
                     std::vector<LinkId>& links) const override {
    plain_->shortest_path(ends, number, links);
  }
  std::uint64_t detours(const RouteEnds& ends) const override { return plain_->detours(ends); }
  void detour(const RouteEnds& ends, std::uint64_t number,
              std::vector<LinkId>& links) const override {
    plain_->detour(ends, number, links);
  }
  std::size_t nic_links() const override { return plain_->nic_links(); }
  std::optional<LeafSwitches> leaf_switches() const override { return plain_->leaf_switches(); }
  Graph graph() const override { return plain_->graph(); }
  std::optional<std::pair<HostId, HostId>> farthest_hosts() const override {
    return plain_->farthest_hosts();
  }
  std::uint64_t search_steps() const override { return plain_->search_steps(); }
  LinkId end_of_equal_links(LinkId first) const override {
    return plain_->end_of_equal_links(first);
  }
  std::string router_name() const override { return plain_->router_name(); }
  void route_to_router(HostId source, std::vector<LinkId>& links) const override {
    plain_->route_to_router(source, links);
  }
  void route_from_router(HostId destination, std::vector<LinkId>& links) const override {
    plain_->route_from_router(destination, links);
  }

 private:
  std::shared_ptr<const Topology> plain_;
  double factor_;
};

void scale_protocol(MessageProtocol& protocol, double factor) {
  if (protocol.gap_per_byte) *protocol.gap_per_byte *= factor;
  if (protocol.copy_Bps) *protocol.copy_Bps /= factor;
}

}  // namespace

Machine with_scaled_bytes(const Machine& machine, double factor) {
  TUTTI_CHECK(factor > 0, "the factor must be positive");
  Machine quicker = machine;
  quicker.topology = std::make_shared<ScaledTopology>(machine.topology, factor);
  if (quicker.rank_send_Bps) *quicker.rank_send_Bps /= factor;
  if (quicker.rank_receive_Bps) *quicker.rank_receive_Bps /= factor;
  scale_protocol(quicker.inter, factor);
  if (machine.intra_node == IntraNode::network) scale_protocol(quicker.intra, factor);
  return quicker;
}

Machine without_nodes(const Machine& machine) {
  Machine simplified = machine;
  simplified.intra_node = IntraNode::network;
  simplified.intra = machine.inter;
  simplified.rank_Bps.reset();
  return simplified;
}

Machine without_protocol(const Machine& machine) {
  Machine simplified = machine;
  make_eager(simplified.inter);
  make_eager(simplified.intra);
  simplified.local_copy_Bps.reset();
  return simplified;
}

}  // namespace tutti::platforms
