// SPDX-License-Identifier: BSD-3-Clause
// A Machine as a SimGrid platform: one routing zone of our own, whose routes are the Machine's.
// Raw latencies are zero (the protocol core pays them): so flows share links fairly, and SimGrid's
// lazy updates are exact. Links are created when a route first needs them.
#pragma once

#include <simgrid/s4u.hpp>
#include <vector>

#include "platforms/machine.hpp"
#include "platforms/placement.hpp"

namespace tutti::engines {

class SimgridPlatform {
 public:
  // Creates the hosts that the placement uses.
  SimgridPlatform(const platforms::Machine& machine, const platforms::Placement& placement);

  std::size_t host_count() const { return hosts_.size(); }
  simgrid::s4u::Host* host(platforms::HostId id) const { return hosts_[id]; }
  // A host's permanent mailbox.
  simgrid::s4u::Mailbox* mailbox(platforms::HostId id) const { return mailboxes_[id]; }

 private:
  std::vector<simgrid::s4u::Host*> hosts_;  // by HostId; null where no rank runs
  std::vector<simgrid::s4u::Mailbox*> mailboxes_;
};

}  // namespace tutti::engines
