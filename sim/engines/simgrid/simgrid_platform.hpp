// SPDX-License-Identifier: BSD-3-Clause
// The machine of a placed job as a SimGrid platform: one routing zone with Tutti's routes. Raw
// latencies are zero, because the protocol core adds them, so that flows share links fairly, and
// SimGrid's lazy updates are exact. Links are created when a route first needs them.
#pragma once

#include <simgrid/s4u.hpp>

#include "platforms/job_links.hpp"
#include "sim/base/common.hpp"
#include "sim/engines/simgrid_routes.hpp"

namespace tutti::engines {

// open_simgrid_routes inside the module.
std::unique_ptr<SimgridRoutes> read_in_simgrid(const std::string& file,
                                               const std::vector<platforms::GivenParameter>& given);

class MachineZone;

class SimgridPlatform {
 public:
  // Creates the hosts that the placement uses.
  SimgridPlatform(const platforms::Machine& machine, const platforms::Placement& placement);

  std::size_t host_count() const { return hosts_.size(); }
  simgrid::s4u::Host* host(platforms::HostId id) const { return hosts_[id]; }
  // A host's permanent mailbox.
  simgrid::s4u::Mailbox* mailbox(platforms::HostId id) const { return mailboxes_[id]; }
  // Sets the ranks of the next flow, and the data that move per byte of bandwidth. SimGrid requests
  // the route between two hosts, but the links of a message depend on its ranks.
  void route_next_flow(int source_rank, int destination_rank, Bytes bytes, double efficiency);

 private:
  MachineZone* zone_;
  double efficiency_ = 1;                   // of the next flow
  std::vector<simgrid::s4u::Host*> hosts_;  // by HostId; null where no rank runs
  std::vector<simgrid::s4u::Mailbox*> mailboxes_;
};

}  // namespace tutti::engines
