// SPDX-License-Identifier: BSD-3-Clause
#include "sim/explain/explain.hpp"

#include "sim/studies/study_point.hpp"

namespace tutti::studies::explain {
namespace {

using algorithms::NodeShape;

std::string ranks_per_node(const NodeShape& nodes) {
  return nodes.is_balanced() ? fmt::format("{} on each", counted(nodes.most, "rank"))
                             : fmt::format("{} to {} ranks on each", nodes.least, nodes.most);
}

// Why coll/han, which the rule set has, does not run the call.
std::string why_not_han(const workloads::CollectiveCall& call) {
  const NodeShape& nodes = call.args.nodes;
  if (nodes.is_one_node()) return "not HAN: one node";
  if (nodes.is_disjoint()) return "not HAN: one rank on each node";
  if (!call.args.commutative) return "not HAN: the operation does not commute";
  if (!nodes.is_balanced())
    return fmt::format("not HAN: {} nodes with {}", nodes.nodes, ranks_per_node(nodes));
  return "not in HAN";
}

std::string algorithm_of(const workloads::CollectiveCall& call, int procs) {
  const std::string inner = workloads::runs_as(call, procs);
  std::string text(call.algorithm->name);
  if (call.args.segment_bytes > 0)
    text += fmt::format(", segments of {}", format_bytes(call.args.segment_bytes));
  return inner.empty() ? text : fmt::format("{} ({})", text, inner);
}

// A point, which may run in another process.
StudyPoint simulated(const Point& point, const platforms::Machine& machine) {
  return simulation_of(point,
                       [&point, &machine] { return packed_answer(point, machine, nullptr); });
}

Choice choice_of(const Point& point, std::string rules, Answer answer) {
  const int procs = point.placement.procs;
  return {.rules = std::move(rules),
          .algorithm = algorithm_of(point.call, procs),
          .component = component_of(point.call),
          .why = why(point.call, procs),
          .answer = std::move(answer)};
}

}  // namespace

std::optional<double> Comparison::ratio() const {
  const auto& a = from.answer.record.time_s;
  const auto& b = to.answer.record.time_s;
  if (!a || !b || *a == 0) return std::nullopt;
  return *b / *a;
}

std::string component_of(const workloads::CollectiveCall& call) {
  return call.component.empty() ? std::string() : "coll/" + call.component;
}

std::string why(const workloads::CollectiveCall& call, int procs) {
  const NodeShape& nodes = call.args.nodes;
  if (call.component == "han")
    return fmt::format("{} nodes with {}", nodes.nodes, ranks_per_node(nodes));
  std::string text = fmt::format("{} processes, {}", procs, format_bytes(call.args.message_bytes));
  if (call.table.ends_with("_single_node")) text += ", table for one node";
  if (call.table.ends_with("_disjoint")) text += ", table for ranks on different nodes";
  return nodes.nodes == 0 ? text : fmt::format("{}; {}", text, why_not_han(call));
}

Result<Comparisons> compared(Sweep sweep, const Rules& rules, const platforms::Machine& machine,
                             const RunPoints& run) {
  sweep.algorithms = {"auto:" + rules.from};
  const auto from = TUTTI_TRY(points_of(sweep, machine));
  sweep.algorithms = {"auto:" + rules.to};
  const auto to = TUTTI_TRY(points_of(sweep, machine));
  if (from.all.empty() && from.skipped.count > 0) return from.skipped.reasons;
  TUTTI_CHECK(from.all.size() == to.all.size(), "the rules run different points");
  std::vector<StudyPoint> points;
  for (const auto* side : {&from, &to})
    for (const Point& point : side->all) points.push_back(simulated(point, machine));
  Comparisons made{.points = {}, .run = run(points)};
  const std::size_t count = from.all.size();
  for (std::size_t i = 0; i < count; ++i) {
    const auto& a = made.run.answers[i];
    const auto& b = made.run.answers[count + i];
    if (!a || !b) continue;
    made.points.push_back({choice_of(from.all[i], rules.from, unpacked_answer<Answer>(*a)),
                           choice_of(to.all[i], rules.to, unpacked_answer<Answer>(*b))});
  }
  return made;
}

}  // namespace tutti::studies::explain
