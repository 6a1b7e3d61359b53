// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/critical_path.hpp"

#include "platforms/job_links.hpp"
#include "sim/reports/inside_words.hpp"

namespace tutti::reports {

using engines::PathStep;

CriticalPath critical_path_of(studies::Answer answer, const platforms::Machine& machine) {
  const platforms::Placement placement{.host_of = std::move(answer.host_of)};
  const platforms::JobLinks links(machine, placement);
  CriticalPath path{.last_rank = answer.inside.last_rank, .steps = std::move(answer.inside.path)};
  path.end_s = path.steps.empty() ? 0 : path.steps.back().end_s;
  const Seconds time_s = answer.record.time_s.value_or(0);
  for (const auto& each : answer.inside.path_links) {
    const double bandwidth_Bps = links.link(each.load.link).bandwidth_Bps;
    path.links.push_back({.name = links.name(each.load.link),
                          .bandwidth_Bps = bandwidth_Bps,
                          .utilisation = utilisation(each.load.bytes, bandwidth_Bps, time_s),
                          .busy_share = each.load.busy_s / time_s,
                          .peak_flows = each.load.peak_flows,
                          .messages = each.messages,
                          .flow_s = each.flow_s});
  }
  return path;
}

PathShares shares_of(const CriticalPath& path) {
  PathShares shares;
  for (const PathStep& step : path.steps) {
    const bool is_work = step.kind == PathStep::Kind::work;
    for (std::size_t i = 0; is_work && i < shares.work.size(); ++i) shares.work[i] += step.parts[i];
    for (std::size_t i = 0; !is_work && i < shares.transit.size(); ++i)
      shares.transit[i] += step.parts[i];
    shares.messages += !is_work;
    shares.late_receivers += step.late_receiver;
    shares.waited_s += step.waited_s;
  }
  return shares;
}

}  // namespace tutti::reports
