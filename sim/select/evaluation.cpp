// SPDX-License-Identifier: BSD-3-Clause
#include "sim/select/evaluation.hpp"

namespace tutti::studies::select {
namespace {

using algorithms::selection::Selection;
using workloads::CollectiveCall;

std::set<Bytes> sizes_of(const Evaluation& evaluation, const std::string& collective,
                         Bytes element_bytes) {
  if (!algorithms::find_collective(collective)->has_message) return {0};
  std::set<Bytes> sizes;
  for (const Bytes bytes : evaluation.axes.message_bytes) {
    const Bytes whole = bytes - bytes % element_bytes;
    if (whole > 0 || bytes == 0) sizes.insert(whole);
  }
  return sizes;
}

// A call without a message has no elements.
std::vector<std::int64_t> elements_of(const Evaluation& evaluation, const std::string& collective) {
  if (!algorithms::find_collective(collective)->has_message) return {1};
  return evaluation.axes.element_bytes;
}

Result<CollectiveCall> call_by_rules(const Evaluation& evaluation, const EvaluationCell& cell,
                                     const platforms::Machine& machine,
                                     const std::shared_ptr<const Selection>& inside) {
  const int procs = cell.placement.procs;
  auto call = workloads::resolve({.collective = cell.collective,
                                  .algorithm = "auto:rules=" + evaluation.rules->file(),
                                  .rules = evaluation.rules,
                                  .procs = procs,
                                  .message_bytes = cell.message_bytes,
                                  .element_bytes = cell.element_bytes},
                                 machine, cell.placement);
  if (!call) return call;
  if (auto rejected = workloads::rejection(*call, machine, procs)) return *std::move(rejected);
  if (call->algorithm->made_of != nullptr) workloads::apply_selection(*call, inside);
  return call;
}

Candidate candidate_of(const CollectiveCall& call) {
  return {.algorithm = std::string(call.algorithm->name),
          .id = call.algorithm->id,
          .segment_bytes = call.args.segment_bytes,
          .fanout = call.args.fanout};
}

}  // namespace

std::vector<EvaluationCell> cells_of(const Evaluation& evaluation,
                                     const platforms::Machine& machine) {
  std::vector<EvaluationCell> cells;
  for (const auto& collective : evaluation.collectives)
    for (const auto procs : evaluation.axes.procs)
      for (const auto& placement : placements_of(evaluation.axes, static_cast<int>(procs), machine))
        for (const Bytes element_bytes : elements_of(evaluation, collective))
          for (const Bytes bytes : sizes_of(evaluation, collective, element_bytes))
            cells.push_back({collective, bytes, element_bytes, placement});
  return cells;
}

Result<EvaluationCalls> calls_of(const Evaluation& evaluation, const EvaluationCell& cell,
                                 const platforms::Machine& machine) {
  const auto inside = std::make_shared<const Selection>(
      Selection{.rule_set = evaluation.candidates.library, .rules = evaluation.rules});
  Point common = evaluation.common;
  common.placement = cell.placement;
  EvaluationCalls made;
  if (evaluation.has_best) {
    made.candidates = candidates_of(cell.collective, evaluation.candidates);
    std::erase_if(made.candidates, [](const Candidate& candidate) { return !candidate.competes; });
  }
  made.calls = TUTTI_TRY(calls_of(cell.collective, made.candidates,
                                  {.procs = cell.placement.procs,
                                   .message_bytes = cell.message_bytes,
                                   .element_bytes = {cell.element_bytes},
                                   .inside = inside,
                                   .library = evaluation.candidates.library},
                                  common, machine));
  auto by_rules = TUTTI_TRY(call_by_rules(evaluation, cell, machine, inside));
  auto& points = made.calls.points;
  points.emplace_back();
  if (workloads::expected_messages(by_rules, cell.placement.procs) > most_messages) return made;
  points.back() = common;
  points.back()->call = std::move(by_rules);
  return made;
}

std::optional<EvaluatedCell> evaluated(const EvaluationCell& cell, const EvaluationCalls& calls,
                                       const Row& row) {
  const auto& points = calls.calls.points;
  const auto& own = calls.calls.own.front();
  const auto times = times_in(row, points.size(), 1);
  if (!times.times_s.back() || !times.own_s.front()) return std::nullopt;
  const auto& rules = points.back()->call;
  EvaluatedCell made{.cell = cell,
                     .nodes = calls.calls.nodes,
                     .ppn = calls.calls.ppn,
                     .choice = candidate_of(rules),
                     .line = rules.rules_line,
                     .time_s = *times.times_s.back(),
                     .own = candidate_of(own->call),
                     .own_s = *times.own_s.front()};
  if (points.size() == 1) return made;
  made.best = made.own_s < made.time_s ? made.own : made.choice;
  made.best_s = std::min(made.own_s, made.time_s);
  for (std::size_t i = 0; i + 1 < points.size(); ++i)
    if (times.times_s[i] && *times.times_s[i] < *made.best_s) {
      made.best = calls.candidates[i];
      made.best_s = *times.times_s[i];
    }
  return made;
}

std::vector<Error> check_cells(const Evaluation& evaluation,
                               const std::vector<EvaluationCell>& cells,
                               const platforms::Machine& machine, bool force) {
  for (const auto& cell : cells) {
    const auto made = TUTTI_TRY(calls_of(evaluation, cell, machine));
    if (force) continue;
    for (const auto* points : {&made.calls.points, &made.calls.own})
      if (auto errors = memory_errors_of(*points, machine); !errors.empty()) return errors;
  }
  return {};
}

EvaluatedCells evaluate(const Evaluation& evaluation, const std::vector<EvaluationCell>& cells,
                        const platforms::Machine& machine, const RunPoints& run) {
  std::vector<StudyPoint> points;
  for (const auto& cell : cells) {
    const auto again = [&]() -> Result<CellCalls> {
      auto made = TUTTI_TRY(calls_of(evaluation, cell, machine));
      return std::move(made.calls);
    };
    points.push_back(cell_point(fmt::format("{}, {}, {} processes", cell.collective,
                                            format_bytes(cell.message_bytes), cell.placement.procs),
                                again().value(), again, machine));
  }
  EvaluatedCells found{.cells = {}, .run = run(points)};
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (!found.run.answers[i]) continue;
    const auto calls = calls_of(evaluation, cells[i], machine).value();
    if (auto cell = evaluated(cells[i], calls, *found.run.answers[i]))
      found.cells.push_back(*std::move(cell));
    else
      ++found.too_large;
  }
  return found;
}

std::size_t count_unplaceable(const CellAxes& axes, const platforms::Machine& machine) {
  std::size_t count = 0;
  for (const auto procs : axes.procs)
    for (const auto& placement : axes.placements) {
      CellAxes one = axes;
      one.placements = {placement};
      count += placements_of(one, static_cast<int>(procs), machine).empty();
    }
  return count;
}

}  // namespace tutti::studies::select
