// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/job_run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "sim/commands/output.hpp"
#include "sim/commands/terminal.hpp"
#include "sim/options/rank_list.hpp"
#include "sim/reports/trace_json.hpp"

namespace tutti::commands {

std::optional<Error> write_trace(const RunOutput& output, const reports::ReportHead& head,
                                 const TracedPoint& point, const Diagnostics& diagnostics) {
  constexpr auto most = engines::RankTrace::most_events;
  const auto procs = point.job.procs();
  auto ranks = options::below(point.asked, procs);
  if (output.traced.empty() && ranks.back().last + 1 < procs)
    diagnostics.note(fmt::format("the trace shows ranks {} of {}; --trace-ranks takes others",
                                 reports::ranges_text(ranks), procs));
  if (point.job.inside.trace_is_cut)
    diagnostics.warning(
        fmt::format("the trace ends early: it holds at most {} slices and {} "
                    "messages; take fewer ranks (--trace-ranks)",
                    most, most));
  if (point.job.first_target)
    ranks.push_back({procs, static_cast<runtime::RankId>(point.job.host_of.size()) - 1});
  return write_file(*output.trace, reports::trace_json(head, point.job, ranks, point.machine));
}

std::optional<std::size_t> report_width(const RunOutput& output) {
  return output.output ? std::nullopt : terminal_width(STDOUT_FILENO);
}

reports::ReportHead head_of(const options::MachineRequest& request, const RunOutput& output,
                            const platforms::Machine& machine, const std::string& command) {
  reports::ReportHead head;
  head.provenance = reports::provenance_of(machine, request.platform, request.overrides, command);
  head.with_cost = output.with_cost;
  return head;
}

}  // namespace tutti::commands
