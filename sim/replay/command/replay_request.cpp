// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/command/replay_request.hpp"

namespace tutti::commands {

Result<LoadedReplay> load_replay(const ReplayRequest& request, const Diagnostics& diagnostics) {
  const TraceRequest& requested = request.traces.front();
  std::optional<ReplayModel> model;
  studies::CoreSpeeds speeds;
  const studies::CoreSpeedsOf prepare = [&](std::size_t ranks) -> Result<studies::CoreSpeeds> {
    model = TUTTI_TRY(ReplayModel::make(request.model, ranks));
    for (const auto& warning : model->warnings()) diagnostics.warning(warning);
    speeds = model->core_speeds(requested.flops_per_s, ranks);
    return speeds;
  };
  auto read = TUTTI_TRY(read_trace(requested, prepare));
  if (!model) TUTTI_TRY(prepare(read.trace.definitions.ranks.size()));
  if (requested.is_ti && speeds.is_assumed) diagnostics.warning(speeds.source);
  if (requested.is_ti) read.trace.notes.push_back(speeds.source);
  return LoadedReplay{std::move(read), *std::move(model), std::move(speeds)};
}

void describe(reports::TraceReport& report, const ReplayRequest& request,
              const workloads::traces::Trace& trace, const ReplayModel& model) {
  report.provenance = reports::plain_provenance(request.command);
  report.trace = request.traces.front().path;
  report.model = model.name();
  report.has_times = trace.has_times;
  report.notes = trace.notes;
}

}  // namespace tutti::commands
