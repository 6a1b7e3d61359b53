// SPDX-License-Identifier: BSD-3-Clause
#include "sim/explain/explain.hpp"

#include "sim/jobs/packed_answer.hpp"
#include "sim/jobs/study_point.hpp"

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
  if (call.rules_line > 0) return fmt::format("line {} of {}", call.rules_line, call.rules_file);
  if (call.component == "han")
    return fmt::format("{} nodes with {}", nodes.nodes, ranks_per_node(nodes));
  std::string text = fmt::format("{} processes, {}", procs, format_bytes(call.args.message_bytes));
  if (call.table.ends_with("_single_node")) text += ", table for one node";
  if (call.table.ends_with("_disjoint")) text += ", table for ranks on different nodes";
  return nodes.nodes == 0 ? text : fmt::format("{}; {}", text, why_not_han(call));
}

bool Pair::differs() const {
  const auto chosen = [](const Point& point) {
    const auto& args = point.call.args;
    return std::tuple(point.call.algorithm, args.segment_bytes, args.fanout, args.max_requests);
  };
  if (chosen(from) != chosen(to)) return true;
  // Segments of inner calls show in the number of messages.
  const auto inner = [](const Point& point) {
    const int procs = point.placement.procs;
    return std::pair(workloads::runs_as(point.call, procs),
                     workloads::expected_messages(point.call, procs));
  };
  return from.call.algorithm->made_of != nullptr && inner(from) != inner(to);
}

Result<Pairs> pairs_of(Sweep sweep, const Rules& rules, const platforms::Machine& machine) {
  sweep.algorithms = {"auto:" + rules.from};
  auto from = TUTTI_TRY(points_of(sweep, machine));
  sweep.algorithms = {"auto:" + rules.to};
  auto to = TUTTI_TRY(points_of(sweep, machine));
  const auto key = [](const Point& point) {
    const auto& args = point.call.args;
    return std::tuple(point.placement.ppn, point.placement.procs, args.root, args.message_bytes);
  };
  std::map<decltype(key(Point{})), Point*> others;
  for (Point& point : to.all) others.emplace(key(point), &point);
  Pairs made{.all = {}, .skipped = std::move(from.skipped)};
  for (Point& point : from.all) {
    const auto other = others.find(key(point));
    if (other != others.end()) made.all.push_back({std::move(point), std::move(*other->second)});
  }
  if (to.skipped.count > made.skipped.count) made.skipped = std::move(to.skipped);
  return made;
}

Comparisons compared(const std::vector<Pair>& pairs, const Rules& rules,
                     const platforms::Machine& machine, const RunPoints& run) {
  std::vector<StudyPoint> points;
  for (const auto side : {&Pair::from, &Pair::to})
    for (const Pair& pair : pairs) points.push_back(simulated(pair.*side, machine));
  Comparisons made{.points = {}, .run = run(points)};
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto& a = made.run.answers[i];
    const auto& b = made.run.answers[pairs.size() + i];
    if (!a || !b) continue;
    made.points.push_back({choice_of(pairs[i].from, rules.from, unpacked_answer<Answer>(*a)),
                           choice_of(pairs[i].to, rules.to, unpacked_answer<Answer>(*b))});
  }
  return made;
}

}  // namespace tutti::studies::explain
