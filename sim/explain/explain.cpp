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

// Why coll/han does not run the call although the rule set has it.
std::string reason_against_han(const workloads::CollectiveCall& call) {
  const NodeShape& nodes = call.args.nodes;
  if (nodes.is_one_node()) return "not HAN: one node";
  if (nodes.is_disjoint()) return "not HAN: one rank on each node";
  if (!call.args.commutative) return "not HAN: the operation does not commute";
  if (!nodes.is_balanced())
    return fmt::format("not HAN: {} nodes with {}", nodes.nodes, ranks_per_node(nodes));
  return "not in HAN";
}

std::string algorithm_text(const workloads::CollectiveCall& call, int procs) {
  std::string inner = workloads::runs_as(call, procs);
  if (inner.empty()) inner = workloads::nccl_names(*call.algorithm, call.args.fanout);
  std::string text(call.algorithm->name);
  if (call.args.segment_bytes > 0)
    text += fmt::format(", segments of {}", format_bytes(call.args.segment_bytes));
  return inner.empty() ? text : fmt::format("{} ({})", text, inner);
}

// The predictions of NCCL's choice and of the second best.
std::string reason_of_nccl(const algorithms::selection::NcclPrediction& prediction) {
  const auto text = [](const algorithms::selection::NcclCandidate& candidate) {
    return fmt::format("{} {}", workloads::nccl_names(candidate), format_seconds(candidate.time_s));
  };
  const algorithms::selection::NcclCandidate* second = nullptr;
  for (const auto& candidate : prediction.candidates)
    if (candidate.disabled.empty() && &candidate != &prediction.choice() &&
        (second == nullptr || candidate.time_s < second->time_s))
      second = &candidate;
  const std::string first = "NCCL predicts " + text(prediction.choice());
  return second == nullptr ? first : fmt::format("{}, {}", first, text(*second));
}

// Why the rules chose the algorithm of a call.
std::string reason(const workloads::CollectiveCall& call, int procs) {
  if (call.component == "nccl" && call.rules_line == 0)
    return call.nccl ? reason_of_nccl(*call.nccl) : "NCCL groups messages";
  const NodeShape& nodes = call.args.nodes;
  if (call.rules_line > 0) return fmt::format("line {} of {}", call.rules_line, call.rules_file);
  if (call.component == "han")
    return fmt::format("{} nodes with {}", nodes.nodes, ranks_per_node(nodes));
  std::string text = fmt::format("{} processes, {}", procs, format_bytes(call.args.message_bytes));
  if (call.table.ends_with("_single_node")) text += ", table for one node";
  if (call.table.ends_with("_disjoint")) text += ", table for ranks on different nodes";
  return nodes.nodes == 0 ? text : fmt::format("{}; {}", text, reason_against_han(call));
}

Choice make_choice(const Point& point, std::string rules, Answer answer) {
  const int procs = point.placement.procs;
  return {.rules = std::move(rules),
          .algorithm = algorithm_text(point.call, procs),
          .component = point.call.component.empty()     ? ""
                       : point.call.component == "nccl" ? "NCCL"
                                                        : "coll/" + point.call.component,
          .why = reason(point.call, procs),
          .answer = std::move(answer),
          .nccl = point.call.nccl};
}

}  // namespace

std::optional<double> Comparison::ratio() const {
  const auto& a = from.answer.record.time_s;
  const auto& b = to.answer.record.time_s;
  if (!a || !b || *a == 0) return std::nullopt;
  return *b / *a;
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

Result<Pairs> make_pairs(Sweep sweep, const Rules& rules, const platforms::Machine& machine) {
  sweep.algorithms = {"auto:" + rules.from};
  auto from = TUTTI_TRY(make_points(sweep, machine));
  sweep.algorithms = {"auto:" + rules.to};
  auto to = TUTTI_TRY(make_points(sweep, machine));
  const auto key = [](const Point& point) {
    const auto& args = point.call.args;
    return std::tuple(point.placement.ppn, point.placement.procs, args.root, args.message_bytes);
  };
  std::map<decltype(key(Point{})), Point*> others;
  for (Point& point : to.all) others.emplace(key(point), &point);
  Pairs pairs{.all = {}, .skipped = std::move(from.skipped)};
  for (Point& point : from.all) {
    const auto other = others.find(key(point));
    if (other != others.end()) pairs.all.push_back({std::move(point), std::move(*other->second)});
  }
  if (to.skipped.count > pairs.skipped.count) pairs.skipped = std::move(to.skipped);
  return pairs;
}

Comparisons compare(const std::vector<Pair>& pairs, const Rules& rules,
                    const platforms::Machine& machine, const RunPoints& run) {
  std::vector<StudyPoint> points;
  for (const auto side : {&Pair::from, &Pair::to})
    for (const Pair& pair : pairs) {
      const Point& point = pair.*side;
      points.push_back(simulation_of(
          point, [&point, &machine] { return packed_answer(point, machine, nullptr); }));
    }
  Comparisons comparisons{.points = {}, .run = run(points)};
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto& a = comparisons.run.answers[i];
    const auto& b = comparisons.run.answers[pairs.size() + i];
    if (!a || !b) continue;
    comparisons.points.push_back(
        {make_choice(pairs[i].from, rules.from, unpacked_answer<Answer>(*a)),
         make_choice(pairs[i].to, rules.to, unpacked_answer<Answer>(*b))});
  }
  return comparisons;
}

}  // namespace tutti::studies::explain
