// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/extrapolation/step_loads.hpp"

#include <algorithm>

namespace tutti::studies::extrapolation {

using platforms::HostId;
using platforms::LinkId;
using runtime::RankId;

StepLoads::StepLoads(const StepJob& job, const algorithms::StepPhase& phase)
    : job_(job),
      phase_(phase),
      byte_time_s_(job.machine.link_count(), -1.0),
      busy_s_(job.machine.link_count()) {}

Seconds StepLoads::byte_time(LinkId link) {
  double& time_s = byte_time_s_[link];
  if (time_s < 0) time_s = 1 / job_.machine.link(link).bandwidth_Bps;
  return time_s;
}

void StepLoads::follow(std::int64_t step, StepLoad& load) {
  const auto& host_of = job_.placement.host_of;
  routes_.clear();
  bundles_.clear();
  for (RankId rank = 0; rank < job_.procs();) {
    const HostId from = host_of[rank];
    const HostId to = host_of[phase_.to(rank, step, job_.procs())];
    std::int64_t messages = 0;
    for (; rank < job_.procs() && host_of[rank] == from &&
           host_of[phase_.to(rank, step, job_.procs())] == to;
         ++rank)
      ++messages;
    job_.machine.message_links(from, to, room_);
    for (const LinkId link : room_) {
      busy_s_[link] += static_cast<double>(messages * phase_.message_bytes) * byte_time(link);
      load.latency_s += static_cast<double>(messages) * job_.machine.link(link).latency_s;
    }
    routes_.insert(routes_.end(), room_.begin(), room_.end());
    bundles_.push_back({messages, routes_.size()});
  }
}

StepLoad StepLoads::of(std::int64_t step) {
  StepLoad load;
  follow(step, load);
  std::size_t at = 0;
  for (const Bundle& bundle : bundles_) {
    Seconds busiest_s = 0;
    for (; at < bundle.end; ++at) busiest_s = std::max(busiest_s, busy_s_[routes_[at]]);
    load.bottleneck_s += static_cast<double>(bundle.messages) * busiest_s;
    load.most_bottleneck_s = std::max(load.most_bottleneck_s, busiest_s);
  }
  for (const LinkId link : routes_) busy_s_[link] = 0;
  load.bottleneck_s /= job_.procs();
  load.latency_s /= job_.procs();
  return load;
}

std::int64_t StepLoads::cost() {
  StepLoad unused;
  follow(phase_.count / 2, unused);
  for (const LinkId link : routes_) busy_s_[link] = 0;
  return static_cast<std::int64_t>(routes_.size()) + job_.procs();
}

}  // namespace tutti::studies::extrapolation
