// SPDX-License-Identifier: BSD-3-Clause
#include "sim/select/cell_times.hpp"

#include "sim/select/model_choice.hpp"

namespace tutti::studies::select {
namespace {

class CellTimer {
 public:
  CellTimer(const RuleStudy& study, const ModelFile* models, const platforms::Machine& machine,
            const RunPoints& run)
      : study_(study), models_(models), machine_(machine), run_(run) {}

  std::vector<std::optional<CellTimes>> time(const std::vector<WantedCell>& wanted,
                                             const Inside& inside) {
    return models_ != nullptr ? predict(wanted) : simulate(wanted, inside);
  }

  PointsRun all;

 private:
  // Predicts by models, which do not cover calls inside other calls.
  std::vector<std::optional<CellTimes>> predict(const std::vector<WantedCell>& wanted) const {
    std::vector<std::optional<CellTimes>> times;
    for (const auto& cell : wanted) {
      const auto calls = make_calls(study_, cell, nullptr, machine_).value();
      times.push_back(CellTimes{.times_s = predicted(calls.points),
                                .own_s = predicted(calls.own),
                                .too_large = calls.too_large});
    }
    return times;
  }

  std::vector<std::optional<Seconds>> predicted(
      const std::vector<std::optional<Point>>& points) const {
    std::vector<std::optional<Seconds>> times_s;
    for (const auto& point : points) times_s.push_back(point ? covered_time(*point) : std::nullopt);
    return times_s;
  }

  // Empty if the experiments of the models do not cover the call.
  std::optional<Seconds> covered_time(const Point& point) const {
    const auto prediction = predicted_time(*models_, point, machine_);
    if (!prediction || !prediction->outside.empty()) return std::nullopt;
    return prediction->time_s;
  }

  std::vector<std::optional<CellTimes>> simulate(const std::vector<WantedCell>& wanted,
                                                 const Inside& inside) {
    std::vector<StudyPoint> points;
    std::vector<int> too_large;
    for (const auto& cell : wanted) {
      const auto again = [this, cell, inside] {
        return make_calls(study_, cell, inside, machine_);
      };
      const auto calls = again().value();
      too_large.push_back(calls.too_large);
      points.push_back(
          cell_point(fmt::format("{}, {}, {} processes", study_.collectives[cell.collective],
                                 format_bytes(cell.message_bytes), cell.placement.procs),
                     calls, again, machine_));
    }
    const auto run = run_(points);
    all.add(run);
    std::vector<std::optional<CellTimes>> times(wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (!run.answers[i]) continue;
      const auto& name = study_.collectives[wanted[i].collective];
      times[i] = times_in(*run.answers[i], list_candidates(name, study_.candidates).size(),
                          study_.axes.element_bytes.size());
      times[i]->too_large = too_large[i];
    }
    return times;
  }

  const RuleStudy& study_;
  const ModelFile* models_;
  const platforms::Machine& machine_;
  const RunPoints& run_;
};

Error no_allocation(const CellAxes& axes, int procs, int nodes) {
  std::size_t most = 0;
  for (const auto& allocation : axes.allocations) most = std::max(most, allocation->nodes.size());
  return usage_error("--over",
                     fmt::format("no allocation has the {} that {} need; the largest has {}",
                                 counted(static_cast<std::size_t>(nodes), "node"),
                                 counted(static_cast<std::size_t>(procs), "process"), most),
                     "use fewer processes, or more per node (--ppn)");
}

}  // namespace

std::optional<Error> placement_error(const CellAxes& axes, const platforms::Machine& machine) {
  for (const auto procs : axes.procs) {
    if (!make_placements(axes, static_cast<int>(procs), machine).empty()) continue;
    auto placement = axes.placements.front();
    placement.procs = static_cast<int>(procs);
    const auto placed = platforms::place(machine, placement);
    return placed ? no_allocation(axes, placement.procs, placed->nodes) : placed.error();
  }
  return std::nullopt;
}

std::vector<Error> check_cells(const RuleStudy& study, const platforms::Machine& machine,
                               bool force) {
  if (auto error = placement_error(study.axes, machine)) return {*std::move(error)};
  for (const auto& cell : first_cells(study, machine)) {
    const auto calls = TUTTI_TRY(make_calls(study, cell, nullptr, machine));
    if (force) continue;
    if (auto errors = check_memory(calls.points, machine); !errors.empty()) return errors;
  }
  return {};
}

SelectedTimes time_cells(const RuleStudy& study, const ModelFile* models,
                         const platforms::Machine& machine, const RunPoints& run) {
  CellTimer timer(study, models, machine, run);
  auto collectives = run_study(study, machine, [&](const auto& wanted, const auto& inside) {
    return timer.time(wanted, inside);
  });
  return {std::move(collectives), std::move(timer.all)};
}

}  // namespace tutti::studies::select
