// SPDX-License-Identifier: BSD-3-Clause
#include "sim/select/command/model_trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "sim/base/counted.hpp"
#include "sim/base/quantile.hpp"
#include "sim/base/random.hpp"
#include "sim/studies/memory_estimate.hpp"
#include "sim/studies/run_point.hpp"

namespace tutti::commands {
namespace {

using studies::select::TimedCell;

struct TriedCell {
  const PredictedRules* rules = nullptr;
  const TimedCell* cell = nullptr;
  std::size_t choice = 0;
  bool is_full = false;  // all that compete are simulated
};

std::vector<TriedCell> cells_with_choice(const std::vector<PredictedRules>& all) {
  std::vector<TriedCell> tried;
  for (const auto& each : all)
    for (const auto& cell : each.table.cells) {
      const auto seen = each.wish.seen(cell.procs, cell.message_bytes);
      const auto choice = studies::select::choice_of(each.rules, cell.procs, seen);
      if (choice && cell.times_s[*choice]) tried.push_back({&each, &cell, *choice, false});
    }
  return tried;
}

// A tenth, rounded up.
void draw_full_cells(std::vector<TriedCell>& tried) {
  std::vector<std::size_t> order(tried.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::sort(order, {}, [](std::size_t i) { return random_uniform(trial_seed, 0, i); });
  for (std::size_t i = 0; i < (tried.size() + 9) / 10; ++i) tried[order[i]].is_full = true;
}

bool is_tried(const TriedCell& tried, std::size_t candidate) {
  if (candidate == tried.choice) return true;
  const auto& each = *tried.rules;
  return tried.is_full && is_rival(each.table.candidates[candidate], each.wish.rivals);
}

std::string column_of(std::size_t candidate) { return fmt::format("time_{}_s", candidate); }

studies::StudyPoint trial_of(const TriedCell& tried, const CallsOfCell& calls_of,
                             const platforms::Machine& machine) {
  const auto& collective = tried.rules->table.collective;
  const auto simulate = [&tried, &calls_of, &machine]() -> Result<Row> {
    const auto calls = TUTTI_TRY(calls_of(tried.rules->table.collective, *tried.cell));
    Row row;
    for (std::size_t i = 0; i < calls.size(); ++i) {
      if (!(calls)[i] || !is_tried(tried, i)) continue;
      const auto answer = TUTTI_TRY(studies::run_point(*(calls)[i], machine));
      row.push_back({column_of(i), answer.record.time_s.value_or(0)});
    }
    return row;
  };
  Bytes memory_bytes = 0;
  if (const auto calls = calls_of(collective, *tried.cell))
    for (std::size_t i = 0; i < calls->size(); ++i)
      if ((*calls)[i] && is_tried(tried, i))
        memory_bytes = std::max(memory_bytes, studies::memory_estimate(*(*calls)[i]));
  return {.key = {},
          .description = {},
          .name = fmt::format("{}, {} processes, {}", collective, tried.cell->procs,
                              format_bytes(tried.cell->message_bytes)),
          .parameters = {},
          .simulate = simulate,
          .memory_bytes = memory_bytes};
}

// Of a cell whose rivals were all simulated.
double loss_in(const TriedCell& tried, const Row& answer, Seconds chosen_s) {
  Seconds best_s = chosen_s;
  for (std::size_t i = 0; i < tried.rules->table.candidates.size(); ++i)
    if (const auto time_s = number_of(cell_in(answer, column_of(i))))
      best_s = std::min(best_s, *time_s);
  return studies::select::loss_of(chosen_s, best_s);
}

}  // namespace

std::vector<std::string> ModelTrial::lines(const std::string& models) const {
  std::vector<std::string> lines{
      fmt::format("Predicted by {}; simulated: the chosen call of each of {}, off by {:.1f} % in "
                  "the median, {:.0f} % at most",
                  models, counted(cells, "cell"), median_error * 100, largest_error * 100),
      fmt::format(
          "In a random tenth ({}, seed {}) all were simulated: the choice loses {:.1f} % in "
          "the mean, {:.0f} % at most{}",
          counted(full_cells, "cell"), trial_seed, mean_loss * 100, largest_loss * 100,
          worst_at.empty() ? "" : " (" + worst_at + ")")};
  return lines;
}

ModelTrial try_rules(const std::vector<PredictedRules>& all, const CallsOfCell& calls_of,
                     const platforms::Machine& machine, int jobs, const Diagnostics& diagnostics,
                     CheckRun& run) {
  auto tried = cells_with_choice(all);
  draw_full_cells(tried);
  std::vector<studies::StudyPoint> points;
  for (const auto& each : tried) points.push_back(trial_of(each, calls_of, machine));
  run = run_check(points, jobs, diagnostics);
  ModelTrial trial;
  std::vector<double> errors, losses;
  for (std::size_t i = 0; i < tried.size(); ++i) {
    if (!run.answers[i]) continue;
    const auto time_s = number_of(cell_in(*run.answers[i], column_of(tried[i].choice)));
    if (!time_s || *time_s <= 0) continue;
    errors.push_back(std::fabs(*tried[i].cell->times_s[tried[i].choice] / *time_s - 1));
    if (!tried[i].is_full) continue;
    losses.push_back(loss_in(tried[i], *run.answers[i], *time_s));
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

}  // namespace tutti::commands
