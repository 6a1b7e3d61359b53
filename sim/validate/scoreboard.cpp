// SPDX-License-Identifier: BSD-3-Clause
#include "sim/validate/scoreboard.hpp"

#include "platforms/changed_machine.hpp"
#include "sim/base/quantile.hpp"
#include "sim/fit/fitted_parameters.hpp"
#include "sim/jobs/run_point.hpp"

namespace tutti::studies {
namespace {

constexpr double same = 0.02, clearly_off = 0.25;
constexpr std::size_t least_sizes = 3;

// The measured times of one algorithm at one size.
struct SizeTimes {
  Seconds measured_s = 0;
  std::vector<std::size_t> rows;  // indices of the scored times; empty: no prediction
  double error = 0;               // of the last row
  std::string algorithm = {};
};

using Curve = std::map<Bytes, SizeTimes>;
using Curves = std::map<std::string, Curve>;  // by the name in the file
using RunKey = std::tuple<std::string, std::string, std::int64_t, std::int64_t>;

RunKey run_key(const MeasuredCollective& row) {
  return {row.run, row.collective, row.procs, row.ppn};
}

bool is_off(const SizeTimes& times) { return std::abs(times.error) > clearly_off; }

bool measured_similar(const SizeTimes& a, const SizeTimes& b) {
  return std::abs(a.measured_s / b.measured_s - 1) <= same;
}

// Whether the algorithm is a library's own, without a prediction, or the library's default choice.
bool is_unknown_of_library(const std::string& name, const SizeTimes& times) {
  return times.rows.empty() && !is_program_of_pico(name);
}

bool is_known_and_right(const SizeTimes& times) { return !times.rows.empty() && !is_off(times); }

// The sizes at which the prediction of `curve` is off and its measured time equals the time of
// `other`. The prediction of `other` must be correct there, unless it is a library's own algorithm.
std::vector<Bytes> similar_sizes(const Curve& curve, const std::string& name, const Curve& other) {
  std::vector<Bytes> sizes;
  for (const auto& [bytes, times] : curve) {
    const auto there = other.find(bytes);
    if (there == other.end() || times.rows.empty() || !is_off(times)) continue;
    const bool may_be_it =
        is_known_and_right(there->second) || is_unknown_of_library(name, there->second);
    if (may_be_it && measured_similar(times, there->second)) sizes.push_back(bytes);
  }
  return sizes;
}

// True if another implementation of the same algorithm took as long, so the algorithm did run.
bool is_confirmed(const std::string& name, Bytes bytes, const SizeTimes& times,
                  const Curves& curves) {
  return std::ranges::any_of(curves, [&](const auto& other) {
    const auto there = other.second.find(bytes);
    return other.first != name && there != other.second.end() &&
           there->second.algorithm == times.algorithm && measured_similar(times, there->second);
  });
}

Curve remove_confirmed(const std::string& name, const Curve& curve, const Curves& curves) {
  Curve others;
  for (const auto& [bytes, times] : curve)
    if (!is_confirmed(name, bytes, times, curves)) others.emplace(bytes, times);
  return others;
}

std::size_t sizes_off(const Curve& curve) {
  return static_cast<std::size_t>(std::ranges::count_if(
      curve, [](const auto& point) { return !point.second.rows.empty() && is_off(point.second); }));
}

class SimilarSearch {
 public:
  SimilarSearch(const std::vector<ScoredTime>& times, const std::vector<MeasuredCollective>& others)
      : times_(times) {
    similar_.rows.resize(times.size());
    for (std::size_t i = 0; i < times.size(); ++i) {
      const auto& row = times[i].measured;
      auto& size = find(row);
      size.measured_s = row.time_s;
      size.rows.push_back(i);
      size.error = times[i].error();
      size.algorithm = row.algorithm;
    }
    for (const auto& row : others) find(row).measured_s = row.time_s;
  }

  FoundSimilar search() {
    for (const auto& [run, curves] : runs_)
      for (const auto& [name, curve] : curves)
        compare(name, remove_confirmed(name, curve, curves), curves);
    return std::move(similar_);
  }

 private:
  // The times of the row's algorithm and size.
  SizeTimes& find(const MeasuredCollective& row) {
    return runs_[run_key(row)][row.measured_as][row.message_bytes];
  }

  // Compares the curve with the other curve that it equals at most sizes.
  void compare(const std::string& name, const Curve& curve, const Curves& curves) {
    if (is_program_of_pico(name)) return;  // no library chose the algorithm
    std::vector<Bytes> best;
    std::string other;
    for (const auto& [other_name, other_curve] : curves) {
      if (other_name == name) continue;
      auto sizes = similar_sizes(curve, other_name, other_curve);
      if (sizes.size() <= best.size()) continue;
      best = std::move(sizes);
      other = other_name;
    }
    if (best.size() >= least_sizes && 2 * best.size() >= sizes_off(curve)) add(curve, best, other);
  }

  void add(const Curve& curve, const std::vector<Bytes>& sizes, const std::string& other) {
    std::vector<double> ratios;
    for (const Bytes bytes : sizes) {
      const auto& times = curve.at(bytes);
      ratios.push_back(1 + times.error);
      for (const std::size_t row : times.rows) similar_.rows[row] = true;
    }
    similar_.all.push_back({.first = times_[curve.at(sizes.front()).rows.front()].measured,
                            .other = other,
                            .sizes = sizes.size(),
                            .largest = sizes.back(),
                            .simulated_over_measured = median_of(std::move(ratios))});
  }

  const std::vector<ScoredTime>& times_;
  std::map<RunKey, Curves> runs_;
  FoundSimilar similar_;
};

}  // namespace

FoundSimilar find_similar(const std::vector<ScoredTime>& times,
                          const std::vector<MeasuredCollective>& others) {
  return SimilarSearch(times, others).search();
}

Score compute_score(const std::vector<ScoredTime>& times, const PredictionOf& prediction) {
  constexpr double clearly_slower = 1.05;
  std::vector<double> errors;
  std::vector<RankedTime> ranked;
  for (const auto& time : times) {
    const auto predicted_s = prediction(time);
    if (!predicted_s) continue;
    const auto& row = time.measured;
    errors.push_back(std::abs(*predicted_s / row.time_s - 1));
    ranked.push_back({{row.run, row.collective, row.procs, row.ppn, row.message_bytes},
                      row.algorithm,
                      row.time_s,
                      *predicted_s});
  }
  if (errors.empty()) return {};
  return {ranking_of(ranked, clearly_slower), errors.size(), median_of(errors),
          quantile_of(errors, 0.9)};
}

Score compute_score(const std::vector<ScoredTime>& times) {
  return compute_score(times, [](const ScoredTime& time) -> std::optional<Seconds> {
    return time.predicted.simulated_s;
  });
}

namespace {

Result<ScoringPlan::Call> possible_call(const MeasuredCollective& measured, JobMachines& machines,
                                        const platforms::PlacementRequest& placement) {
  const auto machine = TUTTI_TRY(machines.of(measured.torus));
  auto point = TUTTI_TRY(point_of(measured, *machine, placement));
  TUTTI_TRY(platforms::place(*machine, point.placement));
  return ScoringPlan::Call{.point = std::move(point), .machine = machine, .rows = {}};
}

Result<Row> all_predictions(Point point, const platforms::Machine& machine) {
  const auto* harness = point.benchmark.harness;
  if (harness != nullptr) point.starts.runs = 0;  // the start of the fit
  const auto answer = TUTTI_TRY(run_point(point, machine));
  Row row{{"time_s", printed_time(answer.record, harness)}};
  if (answer.record.model_hockney_s) row.push_back({"hockney_s", *answer.record.model_hockney_s});
  if (answer.record.model_loggp_s) row.push_back({"loggp_s", *answer.record.model_loggp_s});
  point.contention = engines::Contention::off;
  const auto uncontended = TUTTI_TRY(run_point(point, machine));
  row.push_back({"uncontended_s", printed_time(uncontended.record, harness)});
  point.contention = engines::Contention::private_nics;
  const auto alone = TUTTI_TRY(run_point(point, platforms::with_single_paths(machine)));
  row.push_back({"alone_s", printed_time(alone.record, harness)});
  return row;
}

TimePredictions read_predictions(const Row& answer) {
  return {.simulated_s = time_in(answer),
          .alone_s = number_of(cell_in(answer, "alone_s")),
          .uncontended_s = number_of(cell_in(answer, "uncontended_s")),
          .hockney_s = number_of(cell_in(answer, "hockney_s")),
          .loggp_s = number_of(cell_in(answer, "loggp_s"))};
}

StudyPoint scored_point(const ScoringPlan::Call& call) {
  const auto& algorithm = *call.point.call.algorithm;
  auto point =
      simulation_of(call.point, [&call] { return all_predictions(call.point, *call.machine); });
  point.name = fmt::format("{} {}, {}, {}", algorithm.collective, algorithm.name,
                           counted(call.point.placement.procs, "process"),
                           format_bytes(call.point.call.args.message_bytes));
  return point;
}

}  // namespace

Result<ScoringPlan> plan_scores(std::vector<MeasuredCollective> rows, const std::string& machine,
                                JobMachines& machines,
                                const platforms::PlacementRequest& placement) {
  ScoringPlan plan;
  for (auto& row : rows)
    (row.algorithm.empty() ? plan.others : plan.rows).push_back(std::move(row));
  if (plan.rows.empty())
    return make_error(ErrorKind::input, "", "no row has an algorithm that Tutti knows",
                      "`sim list algorithms` lists the algorithms");
  std::map<CallKey, std::optional<std::size_t>> known;
  for (std::size_t row = 0; row < plan.rows.size(); ++row) {
    const auto [at, is_new] = known.try_emplace(call_key(plan.rows[row]));
    if (is_new) {
      auto call = possible_call(plan.rows[row], machines, placement);
      if (call) {
        at->second = plan.calls.size();
        plan.calls.push_back(*std::move(call));
      } else if (plan.omitted == 0) {
        plan.why = call.error().message;
      }
    }
    if (at->second)
      plan.calls[*at->second].rows.push_back(row);
    else
      ++plan.omitted;
  }
  if (plan.calls.empty())
    return make_error(ErrorKind::input, "",
                      fmt::format("no row can run on {}: {}", machine, plan.why),
                      "use a machine with enough nodes and cores, or select rows with --only");
  return plan;
}

ScoredTimes simulate_times(const ScoringPlan& plan, const RunPoints& run) {
  std::vector<StudyPoint> points;
  for (const auto& call : plan.calls) points.push_back(scored_point(call));
  ScoredTimes scored{.times = {}, .run = run(points)};
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!scored.run.answers[i]) continue;
    for (const std::size_t row : plan.calls[i].rows) {
      scored.times.push_back({plan.rows[row], read_predictions(*scored.run.answers[i])});
      // Replace "auto" by the algorithm that was chosen, so that it forms no pair with itself.
      scored.times.back().measured.algorithm = plan.calls[i].point.call.algorithm->name;
    }
  }
  return scored;
}

}  // namespace tutti::studies
