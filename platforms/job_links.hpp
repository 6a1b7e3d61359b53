// SPDX-License-Identifier: BSD-3-Clause
// The links of a placed job: the machine's, then one per rank where a rank's core limits what it
// moves inside its node (Machine::rank_Bps).
#pragma once

#include <string>
#include <vector>

#include "platforms/machine.hpp"
#include "platforms/placement.hpp"

namespace tutti::platforms {

class JobLinks {
 public:
  JobLinks(const Machine& machine, const Placement& placement)
      : machine_(&machine), placement_(&placement) {}

  LinkId count() const;
  Link link(LinkId id) const;
  std::string name(LinkId id) const;
  // Replaces `links` by those of a message from one rank to another, in order, each once.
  void route(int source_rank, int destination_rank, std::vector<LinkId>& links) const;

 private:
  const Machine* machine_;
  const Placement* placement_;
};

}  // namespace tutti::platforms
