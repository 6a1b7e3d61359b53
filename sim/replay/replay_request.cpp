// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/replay_request.hpp"

#include <iterator>

#include "sim/base/file_roles.hpp"
#include "sim/base/text_file.hpp"
#include "sim/replay/hypothesis_file.hpp"
#include "sim/studies/background_jobs.hpp"

namespace tutti::studies {

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

Result<ReplayModel> ReplayModel::make(const ReplayModelRequest& request, std::size_t ranks) {
  ReplayModel model;
  model.loggp_ = request.loggp;
  if (request.name != "platform") return model;
  auto machine = TUTTI_TRY(studies::load_machine(request.machine));
  auto placement = TUTTI_TRY(place_ranks(machine, request.placement, ranks));
  auto selection = TUTTI_TRY(workloads::parse_selection(request.selection, machine));
  model.warnings_ = machine.warnings;
  std::ranges::copy(selection.warnings, std::back_inserter(model.warnings_));
  model.simulated_ = std::make_shared<const Simulated>(std::move(machine), std::move(placement),
                                                       std::move(selection), request.contention);
  return model;
}

Result<replay::ReplayResult> ReplayModel::run(const workloads::traces::Trace& trace,
                                              replay::ReplayArgs args,
                                              replay::ReplaySink* sink) const {
  args.loggp = loggp_;
  Result<replay::ReplayResult> result =
      simulated_ == nullptr
          ? Result<replay::ReplayResult>(replay::replay(trace, args, sink))
          : replay::replay_on_platform(trace, args,
                                       {.machine = simulated_->machine,
                                        .placement = simulated_->placement,
                                        .selection = simulated_->selection.selection,
                                        .contention = simulated_->contention},
                                       sink);
  if (result)
    if (auto error = replay::too_late(*result, args)) return *std::move(error);
  return result;
}

std::string ReplayModel::name() const {
  if (simulated_ == nullptr) return loggp_ ? "loggp" : "recorded";
  const int ppn = simulated_->placement.ppn;
  return fmt::format("platform {}, {} per node", simulated_->machine.name, counted(ppn, "rank"));
}

namespace {

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
            {ppn,
             options::one(options::count_axis, options::within(&ReplayModelRequest::placement,
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
