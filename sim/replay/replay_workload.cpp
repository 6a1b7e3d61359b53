// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/replay_workload.hpp"

#include "sim/base/common.hpp"
#include "sim/base/hash.hpp"
#include "sim/jobs/time_estimate.hpp"
#include "sim/replay/replay_request.hpp"

namespace tutti::studies {

// A trace that is read once for consecutive points.
struct LoadedTrace {
  std::string options;  // ReplayPointRequest::trace_options
  std::string content;  // hash of its files
  workloads::traces::Trace trace;
};

namespace {

constexpr options::OptionSpec trace_spec{
    trace_option::group, "--trace", "FILE",
    "Trace to replay: OTF2, or a time-independent trace of SimGrid"};
constexpr std::array of_point{trace_spec,
                              trace_option::window,
                              trace_option::align_clocks,
                              trace_option::flop_rate,
                              replay_option::cpu_factor,
                              replay_option::platform,
                              replay_option::set,
                              replay_option::background,
                              replay_option::ppn,
                              replay_option::map,
                              replay_option::nodes,
                              replay_option::allocation,
                              replay_option::oversubscribe,
                              replay_option::selection,
                              replay_option::contention};

// Options of `sim replay`, with which a point is reproduced.
const ReplayOptions& reading_options() {
  static const auto table = trace_options(1, "");
  return table;
}
const ReplayOptions& replay_options() {
  static const auto table = reading_options() + change_options() + model_options();
  return table;
}

struct ReplayPointRequest : ReplayRequest {
  std::string trace_options;  // the options that determine which events are read
  std::string command;
};

// The values as options of `sim replay`.
options::OptionValues as_replay(options::OptionValues values) {
  values.arguments = values.values("--trace");
  values.set("--model", {"platform"});
  return values;
}

Result<ReplayPointRequest> read_replay_point(const options::OptionValues& values) {
  if (values.arguments.empty())
    return usage_error("--trace", "is required",
                       "name the trace to replay, for example trace = \"traces.otf2\"");
  ReplayPointRequest request;
  options::OptionReader reader(values);
  replay_options().read(reader, request);
  if (!reader.errors().empty()) return reader.errors().errors();
  const std::string trace = options::shell_quoted(request.traces.front().path);
  request.command =
      fmt::format("sim replay {}{}", trace, options::reproducing_options(replay_options(), values));
  request.trace_options =
      values.arguments.front() + options::reproducing_options(reading_options(), values);
  return request;
}

Row described(const ReplayPointRequest& request, const ReplayMachine& prepared) {
  const auto& placement = prepared.placement;
  const auto number = [](std::size_t value) { return static_cast<std::int64_t>(value); };
  Row row{{"trace", request.traces.front().path},
          {"procs", number(placement.host_of.size())},
          {"nodes", std::int64_t{placement.nodes}},
          {"ppn", std::int64_t{placement.ppn}},
          {"selection", prepared.selection.text}};
  if (request.args.cpu_factor != 1) row.push_back({"cpu_factor", request.args.cpu_factor});
  return row;
}

// What determines the result but is not in the columns.
std::string content_of(const ReplayPointRequest& request, const LoadedTrace& trace,
                       const platforms::Placement& placement) {
  std::string hosts;
  for (const auto host : placement.host_of) hosts += fmt::format("{},", host);
  return content_key(fmt::format("{}\n{}\n{}\n{}\n", trace.options, trace.content, hosts,
                                 static_cast<int>(request.model.contention)));
}

Result<std::shared_ptr<const LoadedTrace>> load_trace(const ReplayPointRequest& request,
                                                      const MachineLoader& load) {
  const auto& requested = request.traces.front();
  const auto speeds_of = [&](std::size_t ranks) -> Result<CoreSpeeds> {
    if (requested.flops_per_s) return CoreSpeeds{std::vector(ranks, *requested.flops_per_s)};
    const auto prepared = TUTTI_TRY(prepare_machine(request.model, ranks, load));
    return core_speeds(*prepared.machine, prepared.placement);
  };
  auto read = TUTTI_TRY(read_trace(requested, speeds_of));
  std::string content;
  std::error_code failed;
  for (const auto& file : files_of(request.traces.front())) {
    if (!std::filesystem::is_regular_file(file, failed)) continue;
    content += TUTTI_TRY(content_key_of_file(file));
  }
  return std::make_shared<const LoadedTrace>(LoadedTrace{.options = request.trace_options,
                                                         .content = content_key(content),
                                                         .trace = std::move(read.trace)});
}

StudyPoint replay_point(const ReplayPointRequest& request, ReplayMachine prepared,
                        std::shared_ptr<const LoadedTrace> trace, PointOrigin origin) {
  origin.command = request.command;
  auto point =
      study_point(described(request, prepared), content_of(request, *trace, prepared.placement),
                  origin, "replay of " + request.traces.front().path);
  point.messages = static_cast<double>(trace->trace.events.count()) / 2;
  point.estimated_s = point.messages * jobs::message_cost_s;
  point.simulate = [trace = std::move(trace), prepared = std::move(prepared), args = request.args,
                    contention = request.model.contention]() -> Result<Row> {
    const auto result = TUTTI_TRY(replay::replay_on_platform(trace->trace, args,
                                                             {.machine = *prepared.machine,
                                                              .placement = prepared.placement,
                                                              .selection = prepared.selection,
                                                              .contention = contention}));
    if (auto error = replay::too_late(result, args)) return *std::move(error);
    return Row{{"time_s", trace->trace.definitions.seconds(result.end_after)}};
  };
  return point;
}

Result<WorkloadPoints> replay_points(const options::OptionValues& values, PointInputs& inputs) {
  auto request = TUTTI_TRY(read_replay_point(as_replay(values)));
  const MachineLoader load = [&](const options::MachineRequest& machine) {
    return inputs.machine_of(machine);
  };
  const auto machine = TUTTI_TRY(load(request.model.machine));
  // The hosts determine the times of a trace without times.
  if (request.traces.front().is_ti) request.trace_options += ' ' + request.command;
  if (!inputs.trace || inputs.trace->options != request.trace_options)
    inputs.trace = TUTTI_TRY(load_trace(request, load));
  auto prepared =
      TUTTI_TRY(prepare_machine(request.model, inputs.trace->trace.definitions.ranks.size(), load));
  WorkloadPoints all;
  all.points.push_back(replay_point(request, std::move(prepared), inputs.trace,
                                    make_origin(request.model.machine, machine)));
  return all;
}

}  // namespace

const Workload replay_workload{
    .follows_run = false,
    .names = [] { return std::vector{std::string(replay_word)}; },
    .options = []() -> std::span<const options::OptionSpec> { return of_point; },
    .points = replay_points};

}  // namespace tutti::studies
