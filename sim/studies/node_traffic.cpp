// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/node_traffic.hpp"

#include <algorithm>
#include <cmath>

namespace tutti::studies {

NodeTraffic::NodeTraffic(const platforms::Placement& placement) : placement_(&placement) {
  const auto hosts =
      placement.host_of.empty()
          ? 0
          : static_cast<std::size_t>(*std::ranges::max_element(placement.host_of)) + 1;
  in_.resize(hosts);
  out_.resize(hosts);
}

void NodeTraffic::add(std::int32_t from_rank, std::int32_t to_rank, double bytes) {
  const auto from = placement_->host_of[from_rank];
  const auto to = placement_->host_of[to_rank];
  if (from_rank == to_rank) {
    own_ += bytes;
  } else if (from == to) {
    intra_ += bytes;
  } else {
    out_[from] += bytes;
    in_[to] += bytes;
  }
}

void NodeTraffic::tell(const platforms::Machine& machine, IoRecord& record) const {
  record.own_bytes = std::llround(own_);
  record.intra_node_bytes = std::llround(intra_);
  std::size_t busiest = 0;
  for (std::size_t i = 1; i < in_.size(); ++i)
    if (std::max(in_[i], out_[i]) > std::max(in_[busiest], out_[busiest])) busiest = i;
  if (in_.empty() || std::max(in_[busiest], out_[busiest]) == 0) return;
  record.busiest_node = machine.topology->host_name(static_cast<platforms::HostId>(busiest));
  record.busiest_node_in_bytes = std::llround(in_[busiest]);
  record.busiest_node_out_bytes = std::llround(out_[busiest]);
}

}  // namespace tutti::studies
