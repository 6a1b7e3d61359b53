// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/replay_request.hpp"

#include <iterator>

#include "sim/base/file_roles.hpp"
#include "sim/base/text_file.hpp"
#include "sim/replay/hypothesis_file.hpp"
#include "sim/studies/background_jobs.hpp"

namespace tutti::studies {

namespace {

// The placement of the ranks of a trace.
Result<platforms::Placement> place_ranks(const platforms::Machine& machine,
                                         platforms::PlacementRequest requested, std::size_t ranks) {
  requested.procs = static_cast<int>(ranks);
  auto placement = platforms::place(machine, requested);
  if (placement) return placement;
  auto errors = placement.errors();
  for (auto& error : errors)
    if (error.place == "--procs") error.place = requested.ppn ? "--ppn" : "--platform";
  return errors;
}

constexpr double assumed_flops_per_s = 1e9;

// "98.095 M", "1 G".
std::string si(double value) {
  constexpr std::string_view prefixes = " kMGTPE";
  std::size_t power = 0;
  for (; value >= 1000 && power + 1 < prefixes.size(); ++power) value /= 1000;
  return power == 0 ? fmt::format("{:.6g} ", value)
                    : fmt::format("{:.6g} {}", value, prefixes[power]);
}

bool is_in_catalog(const platforms::Machine& machine) {
  const auto entries = platforms::catalog();
  return entries && std::ranges::find(*entries, machine.file, &platforms::CatalogEntry::path) !=
                        entries->end();
}

void read_loggp(options::OptionReader& reader, ReplayModelRequest& request) {
  const std::string& path = reader.values().value("--loggp");
  const auto text = read_text_file(path);
  if (!text) return reader.add(text.errors());
  auto loggp = replay::read_loggp(*text, path);
  if (!loggp) return reader.add(loggp.errors());
  request.loggp = *loggp;
}

void read_model(options::OptionReader& reader, ReplayRequest& request) {
  auto& model = request.model;
  if ((model.name == "loggp") != reader.values().has("--loggp"))
    reader.wrong("--loggp", model.name == "loggp" ? "is required" : "requires --model loggp",
                 "the file contains the LogGP parameters as TOML");
  else if (model.name == "loggp")
    read_loggp(reader, model);
  if (model.name == "platform") {
    reader.read_machine(model.machine);
    return reader.read_placement(model.placement);
  }
  for (const auto& row : model_options().specs())
    if (row.group == replay_option::machine && reader.values().has(row.name()))
      reader.wrong(row.name(), "requires --model platform");
  if (model.name == "recorded")
    need_times(reader, request, "--model",
               "a time-independent trace does not contain the times of calls",
               "use --model loggp or --model platform");
}

void read_traces(options::OptionReader& reader, ReplayRequest& request, std::size_t count,
                 const std::string& example) {
  for (const auto& path : reader.values().arguments) {
    auto trace = trace_request(path, reader.values());
    if (!trace) return reader.add(trace.errors());
    request.model.is_ti_trace |= trace->is_ti;
    for (const auto& file : files_of(*trace))
      if (auto error = register_input(file, "part of the trace")) reader.add({*std::move(error)});
    request.traces.push_back(*std::move(trace));
  }
  if (request.traces.size() == count) return;
  if (count == 1)
    reader.wrong("", request.traces.empty() ? "missing trace" : "expected one trace", example);
  else
    reader.wrong("", fmt::format("expected {} traces", count), example);
}

void read_cpu_factor(options::OptionReader& reader, std::string_view option,
                     ReplayRequest& request) {
  constexpr const char* hint = "for example 0.5: twice as fast";
  const auto factor = parse_number(reader.values().value(option));
  if (!factor || *factor < 0) return reader.wrong(option, "must be a number of at least 0", hint);
  if (*factor > replay::most_factor)
    return reader.wrong(option, fmt::format("must be at most {:g}", replay::most_factor), hint);
  request.args.cpu_factor = *factor;
}

void read_hypothesis(options::OptionReader& reader, std::string_view option,
                     ReplayRequest& request) {
  request.hypothesis_path = reader.values().value(option);
  const auto text = read_text_file(request.hypothesis_path);
  if (!text) return reader.add(text.errors());
  auto hypothesis = replay::read_hypothesis(*text, request.hypothesis_path);
  if (!hypothesis) return reader.add(hypothesis.errors());
  request.args.hypothesis = *std::move(hypothesis);
}

}  // namespace

CoreSpeeds core_speeds(const platforms::Machine& machine, const platforms::Placement& placement) {
  CoreSpeeds speeds;
  std::size_t missing = 0;
  std::map<platforms::HostId, int> ranks;
  for (const auto host : placement.host_of) ++ranks[host];
  bool shares_cores = false;
  for (const auto host : placement.host_of) {
    const double speed = machine.core_speed(host);
    const double ranks_per_core = std::max(1.0, 1.0 * ranks[host] / machine.cores_of(host));
    missing += speed == 0;
    shares_cores = shares_cores || ranks_per_core > 1;
    speeds.flops_per_s.push_back((speed == 0 ? assumed_flops_per_s : speed) / ranks_per_core);
  }
  const auto [slowest, fastest] = std::ranges::minmax(speeds.flops_per_s);
  const auto range = slowest == fastest
                         ? si(fastest) + "flop/s"
                         : fmt::format("{}flop/s to {}flop/s", si(slowest), si(fastest));
  const auto file = printable(machine.file);
  speeds.is_assumed = missing > 0 || is_in_catalog(machine);
  if (missing > 0)
    speeds.source = fmt::format(
        "computation takes its flops at {}: {} gives no speed of {}, and 1 Gflop/s is assumed "
        "(--flop-rate gives another)",
        range, file, missing < placement.host_of.size() ? "some hosts" : "its hosts");
  else if (speeds.is_assumed)
    speeds.source = fmt::format(
        "computation takes its flops at {}: the catalog's speed of the hosts of {} is assumed, not "
        "measured (--flop-rate gives another)",
        range, machine.name);
  else
    speeds.source =
        fmt::format("computation takes its flops at {}, the speed of the hosts of {}", range, file);
  if (!shares_cores) return speeds;
  speeds.is_assumed = true;
  speeds.source +=
      "; ranks share cores, and all ranks of a host are assumed to compute at the same time";
  return speeds;
}

Result<ReplayMachine> prepare_machine(const ReplayModelRequest& request, std::size_t ranks,
                                      const MachineLoader& load) {
  ReplayMachine made;
  made.machine = TUTTI_TRY(load(request.machine));
  made.placement = TUTTI_TRY(place_ranks(*made.machine, request.placement, ranks));
  made.warnings = made.machine->warnings;
  const bool is_smpi = request.is_ti_trace && replay::is_smpi_platform(*made.machine);
  if (is_smpi)
    made.machine = TUTTI_TRY(replay::as_in_smpi(made.machine, request.machine,
                                                made.placement.host_of, load, made.warnings));
  const std::string by_default(is_smpi ? replay::smpi_selection : "auto");
  made.selection = TUTTI_TRY(replay::parse_replay_selection(
      request.selection.empty() ? by_default : request.selection, *made.machine));
  std::ranges::copy(made.selection.warnings, std::back_inserter(made.warnings));
  return made;
}

Result<ReplayModel> ReplayModel::make(const ReplayModelRequest& request, std::size_t ranks) {
  ReplayModel model;
  model.loggp_ = request.loggp;
  model.contention_ = request.contention;
  if (request.name != "platform") return model;
  const MachineLoader load = [](const options::MachineRequest& machine)
      -> Result<std::shared_ptr<const platforms::Machine>> {
    return std::make_shared<const platforms::Machine>(TUTTI_TRY(studies::load_machine(machine)));
  };
  model.simulated_ = TUTTI_TRY(prepare_machine(request, ranks, load));
  return model;
}

Result<replay::ReplayResult> ReplayModel::run(const workloads::traces::Trace& trace,
                                              replay::ReplayArgs args,
                                              replay::ReplaySink* sink) const {
  args.loggp = loggp_;
  Result<replay::ReplayResult> result =
      !simulated_ ? Result<replay::ReplayResult>(replay::replay(trace, args, sink))
                  : replay::replay_on_platform(trace, args,
                                               {.machine = *simulated_->machine,
                                                .placement = simulated_->placement,
                                                .selection = simulated_->selection,
                                                .contention = contention_},
                                               sink);
  if (result)
    if (auto error = replay::too_late(*result, args)) return *std::move(error);
  return result;
}

CoreSpeeds ReplayModel::core_speeds(std::optional<double> given, std::size_t ranks) const {
  if (given)
    return {std::vector(ranks, *given),
            fmt::format("computation takes its flops at {}flop/s (--flop-rate)", si(*given)),
            false};
  if (simulated_) return studies::core_speeds(*simulated_->machine, simulated_->placement);
  return {std::vector(ranks, assumed_flops_per_s),
          "computation takes its flops at 1 Gflop/s: without a platform, this speed is assumed "
          "(--flop-rate gives another)",
          true};
}

std::string ReplayModel::name() const {
  if (!simulated_) return loggp_ ? "loggp" : "recorded";
  const int ppn = simulated_->placement.ppn;
  return fmt::format("platform {}, {} per node", simulated_->machine->name, counted(ppn, "rank"));
}

ReplayOptions trace_options(std::size_t count, std::string example) {
  return ReplayOptions{
      {trace_option::align_clocks}, {trace_option::window}, {trace_option::flop_rate}}
      .then([=](options::OptionReader& reader, ReplayRequest& request) {
        read_traces(reader, request, count, example);
      });
}

ReplayOptions change_options() {
  return {{replay_option::hypothesis, read_hypothesis},
          {replay_option::cpu_factor, read_cpu_factor}};
}

const ReplayOptions& model_options() {
  using Table = options::OptionTable<ReplayModelRequest>;
  using namespace replay_option;  // NOLINT: its rows
  static const ReplayOptions table =
      Table{{model, options::choice<std::string>(
                        {{"recorded", "recorded"}, {"loggp", "loggp"}, {"platform", "platform"}},
                        &ReplayModelRequest::name)},
            {loggp},
            {replay_option::platform},
            {set},
            {background},
            {ppn, options::number(options::count_axis,
                                  options::within(&ReplayModelRequest::placement,
                                                  &platforms::PlacementRequest::ppn))},
            {map},
            {nodes},
            {allocation},
            {oversubscribe},
            {selection, options::text(&ReplayModelRequest::selection)},
            {contention,
             [](options::OptionReader& reader, std::string_view, ReplayModelRequest& request) {
               reader.read_contention(request.contention);
             }}}
          .of(&ReplayRequest::model)
          .then(read_model);
  return table;
}

void need_times(options::OptionReader& reader, const ReplayRequest& request,
                std::string_view option, const std::string& message, const std::string& hint) {
  if (std::ranges::any_of(request.traces, &TraceRequest::is_ti))
    reader.wrong(option, message, hint);
}

}  // namespace tutti::studies
