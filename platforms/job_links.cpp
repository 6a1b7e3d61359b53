// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/job_links.hpp"

#include <fmt/format.h>

#include "sim/base/check.hpp"

namespace tutti::platforms {

LinkId JobLinks::count() const {
  const auto ranks = static_cast<LinkId>(placement_->host_of.size());
  return machine_->link_count() + (machine_->rank_Bps ? ranks : 0);
}

Link JobLinks::link(LinkId id) const {
  TUTTI_CHECK(id < count(), "no such link");
  if (id < machine_->link_count()) return machine_->link(id);
  return {.bandwidth_Bps = *machine_->rank_Bps};
}

std::string JobLinks::name(LinkId id) const {
  TUTTI_CHECK(id < count(), "no such link");
  if (id < machine_->link_count()) return machine_->link_name(id);
  return fmt::format("core of rank {}", id - machine_->link_count());
}

void JobLinks::route(int source_rank, int destination_rank, std::vector<LinkId>& links) const {
  const HostId source = placement_->host_of[source_rank];
  const HostId destination = placement_->host_of[destination_rank];
  machine_->message_links(source, destination, links);
  if (source != destination || !machine_->rank_Bps) return;
  const LinkId first = machine_->link_count();
  links.insert(links.begin(), first + static_cast<LinkId>(source_rank));
  if (destination_rank != source_rank)
    links.push_back(first + static_cast<LinkId>(destination_rank));
}

}  // namespace tutti::platforms
