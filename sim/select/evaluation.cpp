// SPDX-License-Identifier: BSD-3-Clause
#include "sim/select/evaluation.hpp"

namespace tutti::studies::select {
namespace {

using algorithms::selection::Selection;
using workloads::CollectiveCall;

std::set<Bytes> list_sizes(const Evaluation& evaluation, const std::string& collective,
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
std::vector<std::int64_t> element_sizes(const Evaluation& evaluation,
                                        const std::string& collective) {
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

Candidate make_candidate(const CollectiveCall& call) {
  return {.algorithm = std::string(call.algorithm->name),
          .id = call.algorithm->id,
          .segment_bytes = call.args.segment_bytes,
          .fanout = call.args.fanout};
}

}  // namespace

std::vector<EvaluationCell> list_cells(const Evaluation& evaluation,
                                       const platforms::Machine& machine) {
  std::vector<EvaluationCell> cells;
  for (const auto& collective : evaluation.collectives)
    for (const auto procs : evaluation.axes.procs)
      for (const auto& placement :
           make_placements(evaluation.axes, static_cast<int>(procs), machine))
        for (const Bytes element_bytes : element_sizes(evaluation, collective))
          for (const Bytes bytes : list_sizes(evaluation, collective, element_bytes))
            cells.push_back({collective, bytes, element_bytes, placement});
  return cells;
}

Result<EvaluationCalls> make_calls(const Evaluation& evaluation, const EvaluationCell& cell,
                                   const platforms::Machine& machine) {
  const auto inside = std::make_shared<const Selection>(
      Selection{.rule_set = evaluation.candidates.library, .rules = evaluation.rules});
  Point common = evaluation.common;
  common.placement = cell.placement;
  EvaluationCalls calls;
  if (evaluation.has_best) {
    calls.candidates = list_candidates(cell.collective, evaluation.candidates);
    std::erase_if(calls.candidates, [](const Candidate& candidate) { return !candidate.competes; });
  }
  calls.calls = TUTTI_TRY(make_calls(cell.collective, calls.candidates,
                                     {.procs = cell.placement.procs,
                                      .message_bytes = cell.message_bytes,
                                      .element_bytes = {cell.element_bytes},
                                      .inside = inside,
                                      .library = evaluation.candidates.library},
                                     common, machine));
  auto by_rules = TUTTI_TRY(call_by_rules(evaluation, cell, machine, inside));
  auto& points = calls.calls.points;
  points.emplace_back();
  if (workloads::expected_messages(by_rules, cell.placement.procs) > most_messages) return calls;
  points.back() = common;
  points.back()->call = std::move(by_rules);
  return calls;
}

std::optional<EvaluatedCell> evaluate(const EvaluationCell& cell, const EvaluationCalls& calls,
                                      const Row& row) {
  const auto& points = calls.calls.points;
  const auto& own = calls.calls.own.front();
  const auto times = times_in(row, points.size(), 1);
  if (!times.times_s.back() || !times.own_s.front()) return std::nullopt;
  const auto& rules = points.back()->call;
  EvaluatedCell result{.cell = cell,
                       .nodes = calls.calls.nodes,
                       .ppn = calls.calls.ppn,
                       .choice = make_candidate(rules),
                       .line = rules.rules_line,
                       .time_s = *times.times_s.back(),
                       .own = make_candidate(own->call),
                       .own_s = *times.own_s.front()};
  if (points.size() == 1) return result;
  result.best = result.own_s < result.time_s ? result.own : result.choice;
  result.best_s = std::min(result.own_s, result.time_s);
  for (std::size_t i = 0; i + 1 < points.size(); ++i)
    if (times.times_s[i] && *times.times_s[i] < *result.best_s) {
      result.best = calls.candidates[i];
      result.best_s = *times.times_s[i];
    }
  return result;
}

std::vector<Error> check_cells(const Evaluation& evaluation,
                               const std::vector<EvaluationCell>& cells,
                               const platforms::Machine& machine, bool force) {
  for (const auto& cell : cells) {
    const auto calls = TUTTI_TRY(make_calls(evaluation, cell, machine));
    if (force) continue;
    for (const auto* points : {&calls.calls.points, &calls.calls.own})
      if (auto errors = check_memory(*points, machine); !errors.empty()) return errors;
  }
  return {};
}

EvaluatedCells evaluate(const Evaluation& evaluation, const std::vector<EvaluationCell>& cells,
                        const platforms::Machine& machine, const RunPoints& run) {
  std::vector<StudyPoint> points;
  for (const auto& cell : cells) {
    const auto again = [&]() -> Result<CellCalls> {
      auto calls = TUTTI_TRY(make_calls(evaluation, cell, machine));
      return std::move(calls.calls);
    };
    points.push_back(cell_point(fmt::format("{}, {}, {} processes", cell.collective,
                                            format_bytes(cell.message_bytes), cell.placement.procs),
                                again().value(), again, machine));
  }
  EvaluatedCells evaluated{.cells = {}, .run = run(points)};
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (!evaluated.run.answers[i]) continue;
    const auto calls = make_calls(evaluation, cells[i], machine).value();
    if (auto cell = evaluate(cells[i], calls, *evaluated.run.answers[i]))
      evaluated.cells.push_back(*std::move(cell));
    else
      ++evaluated.too_large;
  }
  return evaluated;
}

std::size_t count_unplaceable(const CellAxes& axes, const platforms::Machine& machine) {
  std::size_t count = 0;
  for (const auto procs : axes.procs)
    for (const auto& placement : axes.placements) {
      CellAxes single = axes;
      single.placements = {placement};
      count += make_placements(single, static_cast<int>(procs), machine).empty();
    }
  return count;
}

}  // namespace tutti::studies::select
