// SPDX-License-Identifier: BSD-3-Clause
#include "sim/engines/simgrid/simgrid_platform.hpp"

#include <fmt/format.h>

#include <simgrid/kernel/routing/NetPoint.hpp>
#include <simgrid/kernel/routing/NetZoneImpl.hpp>

#include "sim/base/check.hpp"

namespace tutti::engines {

namespace sg4 = simgrid::s4u;
using platforms::HostId;
using platforms::LinkId;

namespace {

// Holds the links that are made while the simulation runs: SimGrid seals the root zone and its
// children at the start; this one has no parent and stays open. So a machine of 100,000s of links
// of which a small job uses a few costs nothing.
class LinkZone : public simgrid::kernel::routing::NetZoneImpl {
 public:
  LinkZone() : NetZoneImpl("links") {}
  void get_local_route(const simgrid::kernel::routing::NetPoint*,
                       const simgrid::kernel::routing::NetPoint*, simgrid::kernel::routing::Route*,
                       double*) override {
    TUTTI_CHECK(false, "no host lives in the zone of the links");
  }
};

class MachineZone : public simgrid::kernel::routing::NetZoneImpl {
 public:
  explicit MachineZone(const platforms::Machine& machine)
      : NetZoneImpl("machine"), machine_(machine), links_(machine.link_count(), nullptr) {}

  sg4::Host* add_host(HostId id) {
    sg4::Host* host = create_host(fmt::format("h{}", id), {1e9});
    host->seal();
    host_of_netpoint_.resize(host->get_netpoint()->id() + 1);
    host_of_netpoint_[host->get_netpoint()->id()] = id;
    return host;
  }

  void get_local_route(const simgrid::kernel::routing::NetPoint* source,
                       const simgrid::kernel::routing::NetPoint* destination,
                       simgrid::kernel::routing::Route* into, double*) override {
    machine_.message_links(host_of_netpoint_[source->id()], host_of_netpoint_[destination->id()],
                           route_);
    for (const LinkId id : route_) into->link_list_.push_back(link(id)->get_impl());
  }

 private:
  sg4::Link* link(LinkId id) {
    if (links_[id] == nullptr) links_[id] = make_link(id);
    return links_[id];
  }

  sg4::Link* make_link(LinkId id) {
    if (link_zone_ == nullptr) {
      link_zone_ = new LinkZone;  // SimGrid's engine owns its zones
      link_zone_->set_network_model(get_network_model());
    }
    const platforms::Link described = machine_.link(id);
    sg4::Link* made = link_zone_->create_link(fmt::format("l{}", id), {described.bandwidth_Bps});
    if (described.sharing == platforms::LinkSharing::fat_pipe)
      made->set_sharing_policy(sg4::Link::SharingPolicy::FATPIPE);
    made->seal();
    return made;
  }

  const platforms::Machine& machine_;
  LinkZone* link_zone_ = nullptr;
  std::vector<sg4::Link*> links_;
  std::vector<HostId> host_of_netpoint_;
  std::vector<LinkId> route_;
};

}  // namespace

SimgridPlatform::SimgridPlatform(const platforms::Machine& machine,
                                 const platforms::Placement& placement)
    : hosts_(machine.host_count(), nullptr), mailboxes_(machine.host_count(), nullptr) {
  auto* zone = new MachineZone(machine);  // SimGrid's engine owns its zones
  for (const HostId id : placement.host_of) {
    if (hosts_[id] != nullptr) continue;
    hosts_[id] = zone->add_host(id);
    mailboxes_[id] = sg4::Mailbox::by_name(fmt::format("m{}", id));
  }
  zone->get_iface()->seal();
}

}  // namespace tutti::engines
