// SPDX-License-Identifier: BSD-3-Clause
#include "sim/engines/simgrid/simgrid_platform.hpp"

#include <simgrid/kernel/resource/NetworkModelIntf.hpp>
#include <simgrid/kernel/routing/NetPoint.hpp>
#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <stdexcept>
#include <xbt/config.hpp>

namespace tutti::engines {

namespace sg4 = simgrid::s4u;

namespace {

// Declares keys of <config> on which SimGrid would abort: Tutti's, and those of SMPI, which it
// supports only in an MPI program.
void declare(const std::vector<platforms::GivenParameter>& given) {
  for (const auto& [key, value, line] : given) try {
      simgrid::config::is_default(key.c_str());
    } catch (const std::out_of_range&) {
      simgrid::config::declare_flag<std::string>(key, "read by Tutti", "");
    }
}

// SimGrid's reason to reject a file, with the key whose value it rejects for this reason.
std::string with_key(const std::string& reason,
                     const std::vector<platforms::GivenParameter>& given) {
  for (const auto& [key, value, line] : given) try {
      simgrid::config::set_parse(key + ":" + value);
    } catch (const std::exception& exception) {
      if (reason == exception.what()) return key + ": " + reason;
    }
  return reason;
}

sg4::Engine& make_routing_engine() {
  static std::array<const char*, 4> arguments{"sim", "--log=root.thres:critical", "--log=no_loc",
                                              nullptr};
  int count = arguments.size() - 1;
  return *new sg4::Engine(&count, const_cast<char**>(arguments.data()));
}

class Routes : public SimgridRoutes {
 public:
  Routes(const std::string& file, const std::vector<platforms::GivenParameter>& given)
      : engine_(make_routing_engine()) {
    declare(given);
    try {
      engine_.load_platform(file);
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& exception) {
      throw std::runtime_error(with_key(exception.what(), given));
    }
    engine_.seal_platform();  // computes the routes of Floyd and Dijkstra zones
  }

  std::size_t host_count() const override { return engine_.get_host_count(); }

  bool has_host(const std::string& name) const override {
    return engine_.host_by_name_or_null(name) != nullptr;
  }

  Seconds route(const std::string& source, const std::string& destination,
                std::vector<std::uint32_t>& links) override {
    const auto* from = engine_.host_by_name_or_null(source);
    const auto* to = engine_.host_by_name_or_null(destination);
    TUTTI_CHECK(from != nullptr && to != nullptr, "SimGrid has no such host");
    crossed_.clear();
    double latency_s = 0;
    links.clear();
    try {
      from->route_to(to, crossed_, &latency_s);
    } catch (const std::invalid_argument&) {  // no route
      return 0;
    }
    for (const sg4::Link* link : crossed_) links.push_back(number_of(link));
    return latency_s;
  }

  platforms::Link link(std::uint32_t number) const override {
    const sg4::Link* link = links_.at(number);
    const bool fat = link->get_sharing_policy() == sg4::Link::SharingPolicy::FATPIPE;
    return {link->get_bandwidth(), link->get_latency(),
            fat ? platforms::LinkSharing::fat_pipe : platforms::LinkSharing::shared};
  }

  std::string link_name(std::uint32_t number) const override {
    return links_.at(number)->get_cname();
  }

 private:
  std::uint32_t number_of(const sg4::Link* link) {
    const auto [found, is_new] =
        numbers_.try_emplace(link, static_cast<std::uint32_t>(links_.size()));
    if (is_new) links_.push_back(link);
    return found->second;
  }

  sg4::Engine& engine_;
  std::vector<sg4::Link*> crossed_;
  std::vector<const sg4::Link*> links_;
  std::unordered_map<const sg4::Link*, std::uint32_t> numbers_;
};

}  // namespace

std::unique_ptr<SimgridRoutes> read_in_simgrid(
    const std::string& file, const std::vector<platforms::GivenParameter>& given) {
  return std::make_unique<Routes>(file, given);
}

namespace sg4 = simgrid::s4u;
using platforms::HostId;
using platforms::LinkId;

namespace {

// Contains the links that are created while the simulation runs. SimGrid seals the root zone and
// its children at the start; this zone has no parent and remains open. So unused links of a large
// machine cost nothing.
class LinkZone : public simgrid::kernel::routing::NetZoneImpl {
 public:
  LinkZone() : NetZoneImpl("links") {}
  void get_local_route(const simgrid::kernel::routing::NetPoint*,
                       const simgrid::kernel::routing::NetPoint*, simgrid::kernel::routing::Route*,
                       double*) override {
    TUTTI_CHECK(false, "the zone of the links has no hosts");
  }
};

}  // namespace

class MachineZone : public simgrid::kernel::routing::NetZoneImpl {
 public:
  MachineZone(const platforms::Machine& machine, const platforms::Placement& placement)
      : NetZoneImpl("machine"), job_links_(machine, placement), links_(job_links_.count()) {}

  sg4::Host* add_host(HostId id) {
    sg4::Host* host = create_host(fmt::format("h{}", id), {1e9});
    host->seal();
    return host;
  }

  void route_next_flow(int source_rank, int destination_rank, Bytes bytes) {
    job_links_.route(source_rank, destination_rank, route_);
    job_links_.add_copies(source_rank, destination_rank, bytes, route_);
  }

  void get_local_route(const simgrid::kernel::routing::NetPoint*,
                       const simgrid::kernel::routing::NetPoint*,
                       simgrid::kernel::routing::Route* into, double*) override {
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
    const platforms::Link properties = job_links_.link(id);
    sg4::Link* link = link_zone_->create_link(fmt::format("l{}", id), {properties.bandwidth_Bps});
    if (properties.sharing == platforms::LinkSharing::fat_pipe)
      link->set_sharing_policy(sg4::Link::SharingPolicy::FATPIPE);
    link->seal();
    return link;
  }

  platforms::JobLinks job_links_;
  NetZoneImpl* link_zone_ = nullptr;
  std::vector<sg4::Link*> links_;  // by LinkId; null until a route needs it
  std::vector<LinkId> route_;      // of the next flow
};

SimgridPlatform::SimgridPlatform(const platforms::Machine& machine,
                                 const platforms::Placement& placement)
    : zone_(new MachineZone(machine, placement)),  // SimGrid's engine owns its zones
      hosts_(machine.host_count(), nullptr),
      mailboxes_(machine.host_count(), nullptr) {
  for (const HostId id : placement.host_of) {
    if (hosts_[id] != nullptr) continue;
    hosts_[id] = zone_->add_host(id);
    mailboxes_[id] = sg4::Mailbox::by_name(fmt::format("m{}", id));
  }
  zone_->get_iface()->seal();
  const bool is_exact =
      machine.inter.efficiency.is_constant(1) && machine.intra.efficiency.is_constant(1);
  if (is_exact) return;  // the callback costs about a microsecond per flow
  zone_->get_iface()->get_network_model()->set_bw_factor_cb(
      [this](auto&&...) { return efficiency_; });
}

void SimgridPlatform::route_next_flow(int source_rank, int destination_rank, Bytes bytes,
                                      double efficiency) {
  efficiency_ = efficiency;
  zone_->route_next_flow(source_rank, destination_rank, bytes);
}

}  // namespace tutti::engines
