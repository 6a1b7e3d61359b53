// SPDX-License-Identifier: BSD-3-Clause
#include "sim/jobs/extrapolation/smaller_job.hpp"

#include <bit>
#include <unordered_set>

namespace tutti::jobs::extrapolation {
namespace {

using platforms::HostId;
using platforms::Placement;
using runtime::RankId;

// The first nodes in the order of the ranks, until they have `procs` ranks or more.
std::unordered_set<HostId> first_hosts(const Placement& placement, std::size_t procs) {
  std::unordered_map<HostId, std::size_t> ranks_of;
  for (const HostId host : placement.host_of) ++ranks_of[host];
  std::unordered_set<HostId> hosts;
  std::size_t ranks = 0;
  for (const HostId host : placement.host_of) {
    if (ranks >= procs) break;
    if (hosts.insert(host).second) ranks += ranks_of[host];
  }
  return hosts;
}

Placement part_of(const Placement& whole, std::size_t procs) {
  const auto hosts = first_hosts(whole, procs);
  Placement part;
  std::unordered_map<HostId, int> ranks_of;
  for (std::size_t rank = 0; part.host_of.size() < procs; ++rank) {
    if (!hosts.contains(whole.host_of[rank])) continue;
    part.host_of.push_back(whole.host_of[rank]);
    if (!whole.core_of.empty()) part.core_of.push_back(whole.core_of[rank]);
    if (!whole.socket_of.empty()) part.socket_of.push_back(whole.socket_of[rank]);
    part.ppn = std::max(part.ppn, ++ranks_of[whole.host_of[rank]]);
  }
  part.nodes = static_cast<int>(ranks_of.size());
  return part;
}

}  // namespace

std::array<RankId, 2> smaller_procs(RankId procs, int ppn) {
  if (std::has_single_bit(static_cast<unsigned>(procs)))
    return {most_procs_in_full, most_procs_in_full / 2};
  const auto on_whole_nodes = [&](RankId some) { return ppn < some ? some - some % ppn : some; };
  return {on_whole_nodes(most_procs_in_full - 1), on_whole_nodes(most_procs_in_full * 15 / 16 - 1)};
}

SmallerJob::SmallerJob(const StepJob& whole, RankId procs)
    : whole_(whole),
      placement_(part_of(whole.placement, static_cast<std::size_t>(procs))),
      point_(call_of_ranks(whole, static_cast<RankId>(placement_.host_of.size()))) {}

StepJob SmallerJob::job() const {
  return whole_.represented_by(point_, whole_.machine, placement_);
}

}  // namespace tutti::jobs::extrapolation
