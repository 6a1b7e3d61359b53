// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/replay_request.hpp"

#include <iterator>

#include "sim/base/file_roles.hpp"
#include "sim/base/text_file.hpp"
#include "sim/replay/hypothesis_file.hpp"

namespace tutti::studies {

Result<platforms::Placement> place_ranks(const platforms::Machine& machine,
                                         platforms::PlacementRequest asked, std::size_t ranks) {
  asked.procs = static_cast<int>(ranks);
  auto placement = platforms::place(machine, asked);
  if (placement) return placement;
  auto errors = placement.errors();
  for (auto& error : errors)
    if (error.place == "--procs") error.place = asked.ppn ? "--ppn" : "--platform";
  return errors;
}

Result<ReplayModel> ReplayModel::make(const ReplayModelRequest& request, std::size_t ranks) {
  ReplayModel model;
  model.loggp_ = request.loggp;
  if (request.name != "platform") return model;
  auto machine =
      TUTTI_TRY(platforms::load_machine(request.machine.platform, request.machine.overrides));
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
  return fmt::format("platform {}, {} on a node", simulated_->machine.name, counted(ppn, "rank"));
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

void read_platform(options::OptionReader& reader, ReplayModelRequest& request) {
  reader.read_machine(request.machine);
  if (const auto ppn = reader.single("--ppn", options::count_axis))
    request.placement.ppn = static_cast<int>(*ppn);
  reader.read_placement(request.placement);
  request.selection = reader.values().value_or("--selection", "auto");
  reader.read_contention(request.contention);
}

}  // namespace

void read_replay_model(options::OptionReader& reader, ReplayModelRequest& request) {
  const auto& values = reader.values();
  const auto name = options::choice_of(values, "--model", {"recorded", "loggp", "platform"});
  if (!name) return reader.add(name.errors());
  request.name = *name;
  if ((*name == "loggp") != values.has("--loggp"))
    reader.wrong("--loggp", *name == "loggp" ? "is required" : "is for --model loggp",
                 "the parameters, as TOML");
  else if (*name == "loggp")
    read_loggp(reader, request);
  if (*name == "platform") return read_platform(reader, request);
  for (const auto& row : replay_option::of_model)
    if (row.group == replay_option::machine && values.has(row.name()))
      reader.wrong(row.name(), "is for --model platform");
}

void ReplayReader::read_traces(std::size_t count, const std::string& example) {
  for (const auto& path : parsed_.arguments) {
    auto trace = trace_request(path, parsed_);
    if (!trace) return add(trace.errors());
    for (const auto& file : files_of(*trace))
      if (auto error = register_input(file, "part of the trace")) errors_.add(*std::move(error));
    common_.traces.push_back(*std::move(trace));
  }
  if (common_.traces.size() == count) return;
  if (count == 1)
    wrong("", common_.traces.empty() ? "which trace?" : "takes one trace", example);
  else
    wrong("", fmt::format("takes {} traces", count), example);
}

void ReplayReader::read_change() {
  if (parsed_.has("--cpu-factor")) {
    const auto factor = parse_number(parsed_.value("--cpu-factor"));
    if (!factor || *factor < 0)
      wrong("--cpu-factor", "is a number from 0 on", "as in 0.5: twice as fast");
    else if (*factor > replay::most_factor)
      wrong("--cpu-factor", fmt::format("is at most {:g}", replay::most_factor),
            "as in 0.5: twice as fast");
    else
      common_.args.cpu_factor = *factor;
  }
  if (!parsed_.has("--hypothesis")) return;
  common_.hypothesis_path = parsed_.value("--hypothesis");
  const auto text = read_text_file(common_.hypothesis_path);
  if (!text) return add(text.errors());
  auto hypothesis = replay::read_hypothesis(*text, common_.hypothesis_path);
  if (!hypothesis) return add(hypothesis.errors());
  common_.args.hypothesis = *std::move(hypothesis);
}

void ReplayReader::read_model() {
  read_replay_model(*this, common_.model);
  if (common_.model.name == "recorded")
    refuse_without_times("--model", "a time independent trace does not tell what calls take",
                         "--model loggp and --model platform do");
}

void ReplayReader::refuse_without_times(const std::string& option, const std::string& message,
                                        const std::string& hint) {
  if (std::ranges::any_of(common_.traces, &TraceRequest::is_ti)) wrong(option, message, hint);
}

}  // namespace tutti::studies
