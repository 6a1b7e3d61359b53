// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/job_links.hpp"

namespace tutti::platforms {

LinkId JobLinks::count() const {
  return first_receiving() + (machine_->rank_receive_Bps ? ranks() : 0);
}

Link JobLinks::link(LinkId id) const {
  TUTTI_CHECK(id < count(), "no such link");
  if (!is_core(id)) return machine_->link(id);
  if (id < first_sending()) return {.bandwidth_Bps = *machine_->rank_Bps};
  return {.bandwidth_Bps =
              id < first_receiving() ? *machine_->rank_send_Bps : *machine_->rank_receive_Bps};
}

std::string JobLinks::name(LinkId id) const {
  TUTTI_CHECK(id < count(), "no such link");
  if (!is_core(id)) return machine_->link_name(id);
  if (id < first_sending()) return fmt::format("core of rank {}", id - machine_->link_count());
  if (id < first_receiving()) return fmt::format("core of rank {} (sends)", id - first_sending());
  return fmt::format("core of rank {} (receives)", id - first_receiving());
}

void JobLinks::route(int source_rank, int destination_rank, std::vector<LinkId>& links) const {
  const HostId source = placement_->host_of[source_rank];
  const HostId destination = placement_->host_of[destination_rank];
  machine_->message_links(source, destination, links);
  const auto from = static_cast<LinkId>(source_rank), to = static_cast<LinkId>(destination_rank);
  if (machine_->crosses_network(source, destination)) {
    if (machine_->rank_send_Bps && !machine_->is_server(source))
      links.insert(links.begin(), first_sending() + from);
    if (machine_->rank_receive_Bps && !machine_->is_server(destination))
      links.push_back(first_receiving() + to);
  }
  if (source != destination || !machine_->rank_Bps) return;
  links.insert(links.begin(), machine_->link_count() + from);
  if (to != from) links.push_back(machine_->link_count() + to);
}

}  // namespace tutti::platforms
