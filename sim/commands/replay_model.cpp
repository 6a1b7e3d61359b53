// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/replay_model.hpp"

#include <fmt/format.h>

#include "sim/base/counted.hpp"
#include "sim/base/text_file.hpp"
#include "sim/replay/hypothesis_file.hpp"

namespace tutti::commands {

namespace replay = studies::replay;

Result<ReplayModel> ReplayModel::make(const ReplayModelRequest& request, std::size_t ranks,
                                      const Diagnostics& diagnostics) {
  ReplayModel model;
  model.loggp_ = request.loggp;
  if (request.name != "platform") return model;
  auto machine = TUTTI_TRY(platforms::load_machine(request.job.platform, request.job.overrides));
  auto asked = request.placement;
  asked.procs = static_cast<int>(ranks);
  auto placement = platforms::place(machine, asked);
  if (!placement) {  // the trace says how many there are
    auto errors = placement.errors();
    for (auto& error : errors)
      if (error.place == "--procs") error.place = asked.ppn ? "--ppn" : "--platform";
    return errors;
  }
  auto selection = TUTTI_TRY(workloads::parse_selection(request.selection, machine));
  for (const auto& warning : machine.warnings) diagnostics.warning(warning);
  for (const auto& warning : selection.warnings) diagnostics.warning(warning);
  model.simulated_ = std::make_shared<const Simulated>(std::move(machine), *std::move(placement),
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

void ReplayModelReading::read_model(ReplayModelRequest& request) {
  const auto name = choice_of(parsed_, "--model", {"recorded", "loggp", "platform"});
  if (!name) return add(name.errors());
  request.name = *name;
  if ((*name == "loggp") != parsed_.has("--loggp"))
    wrong("--loggp", *name == "loggp" ? "is required" : "is for --model loggp",
          "the parameters, as TOML");
  else if (*name == "loggp")
    read_loggp(request);
  if (*name == "platform") return read_platform(request);
  for (const auto& row : replay_option::of_model)
    if (row.group == replay_option::machine && parsed_.has(row.name()))
      wrong(std::string(row.name()), "is for --model platform");
}

void ReplayModelReading::read_loggp(ReplayModelRequest& request) {
  const std::string& path = parsed_.value("--loggp");
  const auto text = read_text_file(path);
  if (!text) return add(text.errors());
  auto loggp = replay::read_loggp(*text, path);
  if (!loggp) return add(loggp.errors());
  request.loggp = *loggp;
}

void ReplayModelReading::read_platform(ReplayModelRequest& request) {
  read_machine(request.job);
  if (parsed_.has("--ppn"))
    request.placement.ppn = static_cast<int>(single("--ppn", count_axis, 1));
  read_placement(request.placement);
  request.selection = value_of("--selection", "auto");
  read_contention(request.contention);
}

}  // namespace tutti::commands
