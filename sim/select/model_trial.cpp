// SPDX-License-Identifier: BSD-3-Clause
#include "sim/base/quantile.hpp"
#include "sim/base/random.hpp"
#include "sim/jobs/run_point.hpp"
#include "sim/select/cell_times.hpp"

namespace tutti::studies::select {
namespace {

// Seed of the random tenth of the cells.
constexpr std::uint64_t trial_seed = 1;

struct TriedCell {
  const SelectedCollective* of = nullptr;
  const TimedCell* cell = nullptr;
  std::size_t choice = 0;
  bool is_full = false;  // all candidates are simulated

  bool tries(std::size_t candidate) const {
    return candidate == choice ||
           (is_full && is_rival(of->table.candidates[candidate], of->rules.front().spec.rivals));
  }
};

std::vector<TriedCell> cells_with_choice(const std::vector<SelectedCollective>& all) {
  std::vector<TriedCell> tried;
  for (const auto& selected : all)
    for (const auto& cell : selected.table.cells) {
      const auto choice = selected.rules_for(cell).choice_in(cell);
      if (choice && cell.times_s[*choice]) tried.push_back({&selected, &cell, *choice});
    }
  return tried;
}

// Draws a tenth of the cells, rounded up.
void draw_full_cells(std::vector<TriedCell>& tried) {
  std::vector<std::size_t> order(tried.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [](std::size_t i) { return random_uniform(trial_seed, 0, i); });
  for (std::size_t i = 0; i < (tried.size() + 9) / 10; ++i) tried[order[i]].is_full = true;
}

// The calls of a cell to simulate.
Result<CellCalls> tried_calls(const RuleStudy& study, const TriedCell& tried,
                              const platforms::Machine& machine) {
  const auto collective = std::ranges::find(study.collectives, tried.of->table.collective);
  WantedCell wanted{.collective = static_cast<std::size_t>(collective - study.collectives.begin()),
                    .most_procs = tried.cell->procs,
                    .message_bytes = tried.cell->message_bytes,
                    .placement = study.axes.placements.front()};
  wanted.placement.procs = tried.cell->procs;
  auto calls = TUTTI_TRY(make_calls(study, wanted, nullptr, machine));
  calls.own.clear();
  for (std::size_t i = 0; i < calls.points.size(); ++i)
    if (!tried.tries(i)) calls.points[i].reset();
  return calls;
}

// Uses the plain times, which models predict, not the times for comparison, which include the
// effects of the start.
StudyPoint make_trial(const RuleStudy& study, const TriedCell& tried,
                      const platforms::Machine& machine) {
  const auto again = [&] { return tried_calls(study, tried, machine); };
  auto point = cell_point(fmt::format("{}, {} processes, {}", tried.of->table.collective,
                                      tried.cell->procs, format_bytes(tried.cell->message_bytes)),
                          again().value(), again, machine);
  point.simulate = [again, &machine]() -> Result<Row> {
    const auto calls = TUTTI_TRY(again());
    Row row;
    for (std::size_t i = 0; i < calls.points.size(); ++i) {
      if (!calls.points[i]) continue;
      const auto answer = TUTTI_TRY(run_point(*calls.points[i], machine));
      row.push_back({std::to_string(i), answer.record.time_s.value_or(0)});
    }
    return row;
  };
  return point;
}

// The loss of the choice in a cell with all candidates simulated.
double choice_loss(const std::vector<std::optional<Seconds>>& times_s, Seconds chosen_s) {
  Seconds best_s = chosen_s;
  for (const auto& time_s : times_s) best_s = std::min(best_s, time_s.value_or(best_s));
  return relative_loss(chosen_s, best_s);
}

}  // namespace

std::vector<std::string> ModelTrial::lines(const std::string& models) const {
  std::vector<std::string> lines{
      fmt::format("Predicted by {}; the chosen calls of {} were simulated: median error {:.1f} %, "
                  "{:.0f} % at most",
                  models, counted(cells, "cell"), median_error * 100, largest_error * 100),
      fmt::format("In a random tenth ({}, seed {}) all candidates ran: the choice loses {:.1f} % "
                  "on average, {:.0f} % at most{}",
                  counted(full_cells, "cell"), trial_seed, mean_loss * 100, largest_loss * 100,
                  worst_at.empty() ? "" : " (" + worst_at + ")")};
  return lines;
}

ModelTrial try_rules(const RuleStudy& study, const std::vector<SelectedCollective>& selected,
                     const platforms::Machine& machine, const RunPoints& run) {
  auto tried = cells_with_choice(selected);
  draw_full_cells(tried);
  std::vector<StudyPoint> points;
  for (const auto& tried_cell : tried) points.push_back(make_trial(study, tried_cell, machine));
  ModelTrial trial{.run = run(points)};
  std::vector<double> errors, losses;
  for (std::size_t i = 0; i < tried.size(); ++i) {
    const auto& answer = trial.run.answers[i];
    if (!answer) continue;
    const auto times_s = times_in(*answer, tried[i].of->table.candidates.size(), 0).times_s;
    const auto& time_s = times_s[tried[i].choice];
    if (!time_s || *time_s <= 0) continue;
    errors.push_back(std::fabs(*tried[i].cell->times_s[tried[i].choice] / *time_s - 1));
    if (!tried[i].is_full) continue;
    losses.push_back(choice_loss(times_s, *time_s));
    if (losses.back() <= trial.largest_loss) continue;
    trial.largest_loss = losses.back();
    trial.worst_at = points[i].name;
  }
  trial.cells = errors.size();
  trial.full_cells = losses.size();
  for (const double loss : losses) trial.mean_loss += loss / static_cast<double>(losses.size());
  if (errors.empty()) return trial;
  trial.median_error = median_of(errors);
  trial.largest_error = *std::ranges::max_element(errors);
  return trial;
}

}  // namespace tutti::studies::select
