// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/critical_path.hpp"

#include <fmt/format.h>

#include "platforms/job_links.hpp"
#include "sim/reports/inside_words.hpp"

namespace tutti::reports {

using engines::PathStep;
using runtime::RankId;

bool is_target(RankId rank, std::optional<RankId> first_target) {
  return first_target && rank >= *first_target;
}

std::string rank_name(RankId rank, std::optional<RankId> first_target) {
  return is_target(rank, first_target) ? fmt::format("target {}", rank - *first_target)
                                       : fmt::format("rank {}", rank);
}

CriticalPath critical_path_of(const SeenJob& job, const platforms::Machine& machine) {
  const platforms::Placement placement{.host_of = job.host_of};
  const platforms::JobLinks links(machine, placement);
  CriticalPath path{.first_target = job.first_target,
                    .last_rank = job.inside.last_rank,
                    .steps = job.inside.path};
  path.end_s = path.steps.empty() ? 0 : path.steps.back().end_s;
  for (const auto& each : job.inside.path_links) {
    const double bandwidth_Bps = links.link(each.load.link).bandwidth_Bps;
    path.links.push_back({.name = links.name(each.load.link),
                          .bandwidth_Bps = bandwidth_Bps,
                          .utilisation = utilisation(each.load.bytes, bandwidth_Bps, path.end_s),
                          .busy_share = each.load.busy_s / path.end_s,
                          .peak_flows = each.load.peak_flows,
                          .messages = each.messages,
                          .flow_s = each.flow_s});
  }
  return path;
}

PathShares shares_of(const CriticalPath& path) {
  constexpr auto disk = static_cast<std::size_t>(runtime::Work::compute);
  PathShares shares;
  for (const PathStep& step : path.steps) {
    const bool is_work = step.kind == PathStep::Kind::work;
    const bool has_disk = is_work && is_target(step.source, path.first_target);
    if (has_disk) shares.disks_s += step.parts[disk];
    for (std::size_t i = 0; is_work && i < shares.work.size(); ++i)
      if (!has_disk || i != disk) shares.work[i] += step.parts[i];
    for (std::size_t i = 0; !is_work && i < shares.transit.size(); ++i)
      shares.transit[i] += step.parts[i];
    shares.messages += !is_work;
    shares.late_receivers += step.late_receiver;
    shares.waited_s += step.waited_s;
  }
  return shares;
}

}  // namespace tutti::reports
