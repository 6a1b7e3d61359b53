// SPDX-License-Identifier: BSD-3-Clause
// The links of a placed job: those of the machine, then those of the ranks' cores:
//   one per rank if a core limits the rate inside its node (Machine::rank_Bps),
//   then one per rank for sending, and one per rank for receiving between nodes
//   (Machine::rank_send_Bps, Machine::rank_receive_Bps).
#pragma once

#include "platforms/machine.hpp"
#include "platforms/placement.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

class JobLinks {
 public:
  JobLinks(const Machine& machine, const Placement& placement)
      : machine_(&machine), placement_(&placement) {}

  LinkId count() const;
  Link link(LinkId id) const;
  std::string name(LinkId id) const;
  // Whether the link is a rank's core. In a route, cores come before and after all other links.
  bool is_core(LinkId id) const { return id >= machine_->link_count(); }
  // Replaces `links` by the links of a message from one rank to another, in order, each once.
  void route(int source_rank, int destination_rank, std::vector<LinkId>& links) const;

 private:
  LinkId ranks() const { return static_cast<LinkId>(placement_->host_of.size()); }
  // First links for traffic between nodes: those for sending, then those for receiving.
  LinkId first_sending() const {
    return machine_->link_count() + (machine_->rank_Bps ? ranks() : 0);
  }
  LinkId first_receiving() const {
    return first_sending() + (machine_->rank_send_Bps ? ranks() : 0);
  }

  const Machine* machine_;
  const Placement* placement_;
};

}  // namespace tutti::platforms
