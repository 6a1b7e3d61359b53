// SPDX-License-Identifier: BSD-3-Clause
#include "sim/select/command/select_times.hpp"

#include "sim/base/common.hpp"
#include "sim/fit/model_choice.hpp"
#include "sim/studies/memory_estimate.hpp"

namespace tutti::commands {
namespace {

using studies::select::CellCalls;
using studies::select::CellTimes;
using studies::select::Inside;
using studies::select::WantedCell;

class CellTimer {
 public:
  CellTimer(const RulesRequest& request, const platforms::Machine& machine,
            const Diagnostics& diagnostics)
      : request_(request), machine_(machine), diagnostics_(diagnostics) {}

  std::vector<std::optional<CellTimes>> time(const std::vector<WantedCell>& wanted,
                                             const Inside& inside) {
    return request_.models ? predict(wanted) : simulate(wanted, inside);
  }

  SelectedTimes result;

 private:
  // By models, which know no calls inside others.
  std::vector<std::optional<CellTimes>> predict(const std::vector<WantedCell>& wanted) const {
    std::vector<std::optional<CellTimes>> times;
    for (const auto& cell : wanted) {
      const auto calls = calls_of(request_.study, cell, nullptr, machine_).value();
      times.push_back(CellTimes{.times_s = predicted(calls.points),
                                .own_s = predicted(calls.own),
                                .too_large = calls.too_large});
    }
    return times;
  }

  std::vector<std::optional<Seconds>> predicted(
      const std::vector<std::optional<studies::Point>>& points) const {
    std::vector<std::optional<Seconds>> times_s;
    for (const auto& point : points) times_s.push_back(point ? covered_time(*point) : std::nullopt);
    return times_s;
  }

  // Nothing where the experiments of the models do not cover the call.
  std::optional<Seconds> covered_time(const studies::Point& point) const {
    const auto found = studies::predicted_time(*request_.models, point, machine_);
    return found && found->outside.empty() ? std::optional(found->time_s) : std::nullopt;
  }

  std::vector<std::optional<CellTimes>> simulate(const std::vector<WantedCell>& wanted,
                                                 const Inside& inside) {
    std::vector<studies::StudyPoint> points;
    std::vector<int> too_large;
    points.reserve(wanted.size());
    for (const auto& cell : wanted) {
      const auto calls = calls_of(request_.study, cell, inside, machine_).value();
      too_large.push_back(calls.too_large);
      points.push_back(study_point(cell, inside, calls));
    }
    const auto run = run_check(points, request_.jobs, diagnostics_);
    result.failed.insert(result.failed.end(), run.failed.begin(), run.failed.end());
    result.not_run += run.not_run;
    result.code = std::max(result.code, run.code);
    std::vector<std::optional<CellTimes>> times(wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (!run.answers[i]) continue;
      const auto& name = request_.study.collectives[wanted[i].collective];
      const auto count = studies::select::candidates_of(name, request_.study.candidates).size();
      times[i] = studies::select::times_in(*run.answers[i], count,
                                           request_.study.axes.element_bytes.size());
      times[i]->too_large = too_large[i];
    }
    return times;
  }

  // The calls are made anew in the child: many at once need memory.
  studies::StudyPoint study_point(const WantedCell& cell, const Inside& inside,
                                  const CellCalls& calls) const {
    const auto simulated = [this, cell, inside]() -> Result<Row> {
      const auto made = calls_of(request_.study, cell, inside, machine_);
      return made ? studies::select::simulate(*made, machine_) : made.errors();
    };
    const auto& name = request_.study.collectives[cell.collective];
    return {.name = fmt::format("{}, {}, {} processes", name, format_bytes(cell.message_bytes),
                                cell.placement.procs),
            .simulate = simulated,
            .memory_bytes = std::max(most_memory(calls.points), most_memory(calls.own))};
  }

  const RulesRequest& request_;
  const platforms::Machine& machine_;
  const Diagnostics& diagnostics_;
};

}  // namespace

std::optional<Error> without_room(const studies::select::CellAxes& axes,
                                  const platforms::Machine& machine) {
  for (const auto procs : axes.procs) {
    if (!placements_of(axes, static_cast<int>(procs), machine).empty()) continue;
    auto placement = axes.placements.front();
    placement.procs = static_cast<int>(procs);
    return platforms::place(machine, placement).error();
  }
  return std::nullopt;
}

std::optional<Error> memory_error(const std::vector<std::optional<studies::Point>>& points,
                                  Bytes free_bytes) {
  for (const auto& point : points)
    if (point)
      if (auto error = studies::check_memory(*point, free_bytes)) return error;
  return std::nullopt;
}

Bytes most_memory(const std::vector<std::optional<studies::Point>>& points) {
  Bytes most = 0;
  for (const auto& point : points)
    if (point) most = std::max(most, studies::memory_estimate(*point));
  return most;
}

std::vector<Error> check_cells(const RulesRequest& request, const platforms::Machine& machine) {
  if (auto error = without_room(request.study.axes, machine)) return {*std::move(error)};
  const auto free_bytes = studies::free_memory();
  for (const auto& cell : first_cells(request.study, machine)) {
    const auto calls = TUTTI_TRY(calls_of(request.study, cell, nullptr, machine));
    if (request.force || !free_bytes) continue;
    if (auto error = memory_error(calls.points, *free_bytes)) return {*std::move(error)};
  }
  return {};
}

SelectedTimes time_cells(const RulesRequest& request, const platforms::Machine& machine,
                         const Diagnostics& diagnostics) {
  CellTimer timer(request, machine, diagnostics);
  auto collectives = run_study(request.study, machine, [&](const auto& wanted, const auto& inside) {
    return timer.time(wanted, inside);
  });
  timer.result.collectives = std::move(collectives);
  return std::move(timer.result);
}

}  // namespace tutti::commands
