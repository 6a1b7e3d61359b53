// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/replay_points.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "sim/base/content_key.hpp"

namespace tutti::commands {
namespace {

namespace replay = studies::replay;

constexpr OptionSpec trace_spec{trace_option::group, "--trace", "FILE",
                                "OTF2, or SimGrid's time independent trace"};
// --window is another option of pingpong.
constexpr OptionSpec trace_window_spec{trace_option::group, "--trace-window", "FROM:TO",
                                       "as --window of `sim replay`"};
constexpr std::array of_point{trace_spec,
                              trace_window_spec,
                              trace_option::align_clocks,
                              trace_option::flop_rate,
                              replay_option::cpu_factor,
                              replay_option::platform,
                              replay_option::set,
                              replay_option::ppn,
                              replay_option::map,
                              replay_option::oversubscribe,
                              replay_option::selection,
                              replay_option::contention};

constexpr auto of_replay = joined(trace_option::of_reading, std::array{replay_option::cpu_factor},
                                  replay_option::of_model);

// The command line of `sim replay`.
Parsed as_replay(Parsed parsed) {
  parsed.arguments = parsed.options["--trace"];
  parsed.options.erase("--trace");
  if (const auto window = parsed.options.extract("--trace-window")) {
    parsed.options["--window"] = window.mapped();
  }
  parsed.options["--model"] = {"platform"};
  return parsed;
}

class ReplayPointReading : private ReplayReading {
 public:
  explicit ReplayPointReading(const Parsed& parsed) : ReplayReading(parsed, request_) {}

  Result<ReplayPointRequest> read() {
    if (parsed_.arguments.empty())
      return usage_error("--trace", "is required", "trace = \"traces.otf2\": what is replayed");
    read_traces(1, "");
    read_change();
    read_model();
    if (!errors_.empty()) return errors_.errors();
    set_command("sim replay", of_replay);
    request_.trace_options =
        parsed_.arguments.front() + reproducing_options(trace_option::of_reading, parsed_);
    return std::move(request_);
  }

 private:
  ReplayPointRequest request_;
};

// The trace says how many ranks there are.
Result<platforms::Placement> placed_ranks(const platforms::Machine& machine,
                                          const platforms::PlacementRequest& asked) {
  auto placement = platforms::place(machine, asked);
  if (placement) return placement;
  auto errors = placement.errors();
  for (auto& error : errors)
    if (error.place == "--procs") error.place = asked.ppn ? "--ppn" : "--platform";
  return errors;
}

Row described(const ReplayPointRequest& request, const platforms::Placement& placement) {
  const auto number = [](std::size_t value) { return static_cast<std::int64_t>(value); };
  Row row{{"trace", request.traces.front().path},
          {"procs", number(placement.host_of.size())},
          {"nodes", std::int64_t{placement.nodes}},
          {"ppn", std::int64_t{placement.ppn}},
          {"selection", request.model.selection}};
  if (request.args.cpu_factor != 1) row.push_back({"cpu_factor", request.args.cpu_factor});
  return row;
}

// What the columns do not say.
std::string content_of(const ReplayPointRequest& request, const LoadedTrace& trace,
                       const platforms::Placement& placement) {
  std::string hosts;
  for (const auto host : placement.host_of) hosts += fmt::format("{},", host);
  return content_key(fmt::format("{}\n{}\n{}\n{}\n", trace.options, trace.content, hosts,
                                 static_cast<int>(request.model.contention)));
}

}  // namespace

std::span<const OptionSpec> replay_point_specs() { return of_point; }

Result<ReplayPointRequest> read_replay_point(const Parsed& parsed) {
  const Parsed words = as_replay(parsed);
  return ReplayPointReading(words).read();
}

Result<std::shared_ptr<const LoadedTrace>> load_trace(const ReplayPointRequest& request) {
  auto read = TUTTI_TRY(read_trace(request.traces.front()));
  std::string content;
  std::error_code failed;
  for (const auto& file : files_of(request.traces.front())) {
    if (!std::filesystem::is_regular_file(file, failed)) continue;
    const auto hash = TUTTI_TRY(content_key_of_file(file));
    content += hash;
  }
  return std::make_shared<const LoadedTrace>(LoadedTrace{.options = request.trace_options,
                                                         .content = content_key(content),
                                                         .trace = std::move(read.trace)});
}

Result<studies::StudyPoint> replay_point(const ReplayPointRequest& request,
                                         std::shared_ptr<const LoadedTrace> trace,
                                         studies::PointOrigin origin) {
  auto asked = request.model.placement;
  asked.procs = static_cast<int>(trace->trace.definitions.ranks.size());
  const auto machine = origin.machine;
  auto placement = placed_ranks(*machine, asked);
  if (!placement) return placement.errors();
  const auto selection = workloads::parse_selection(request.model.selection, *machine);
  if (!selection) return selection.errors();
  origin.command = request.command;
  auto point =
      studies::study_point(described(request, *placement), content_of(request, *trace, *placement),
                           origin, "replay of " + request.traces.front().path);
  point.messages = static_cast<double>(trace->trace.events.count()) / 2;
  point.simulate = [trace = std::move(trace), machine, placement = *std::move(placement),
                    selection = selection->selection, args = request.args,
                    contention = request.model.contention]() -> Result<Row> {
    const auto result = TUTTI_TRY(replay::replay_on_platform(trace->trace, args,
                                                             {.machine = *machine,
                                                              .placement = placement,
                                                              .selection = selection,
                                                              .contention = contention}));
    if (auto error = replay::too_late(result, args)) return *std::move(error);
    return Row{
        {"time_s", static_cast<double>(result.end_after) / trace->trace.definitions.ticks_per_s}};
  };
  return point;
}

}  // namespace tutti::commands
