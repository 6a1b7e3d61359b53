// SPDX-License-Identifier: BSD-3-Clause
#include "sim/validate/scoreboard.hpp"

#include "algorithms/models/message_cost.hpp"
#include "platforms/changed_machine.hpp"
#include "sim/base/quantile.hpp"
#include "sim/fit/fitted_parameters.hpp"
#include "sim/jobs/expected_accuracy.hpp"
#include "sim/jobs/run_point.hpp"
#include "sim/validate/fitted_formulas.hpp"

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

RankedCall ranked_call(const MeasuredCollective& row) {
  return {row.run, row.collective, row.procs, row.ppn, row.message_bytes};
}

// Identifies what is simulated: a library's choice is the call of the algorithm that it chose,
// unless that makes further choices.
CallKey resolved_key(MeasuredCollective row, const workloads::CollectiveCall& call) {
  const auto& args = call.args;
  if (args.selection != nullptr || args.hierarchy != nullptr || args.max_requests > 0 ||
      call.scheduled)
    return call_key(row);
  row.algorithm = call.algorithm->name;
  row.segment_bytes = args.segment_bytes;
  row.fanout = args.fanout;
  return call_key(row);
}

Result<ScoringPlan::Call> possible_call(const MeasuredCollective& measured, JobMachines& machines,
                                        const platforms::PlacementRequest& placement) {
  const auto machine = TUTTI_TRY(machines.of(measured.torus));
  auto point = TUTTI_TRY(point_of(measured, *machine, placement));
  TUTTI_TRY(platforms::place(*machine, point.placement));
  auto key = resolved_key(measured, point.call);
  return ScoringPlan::Call{std::move(point), machine, {}, std::move(key)};
}

// Whether the ranks' arrival skew is negligible compared with the time in which a NIC transfers the
// data of the call, so that all repetitions take as long as one.
bool is_skew_negligible(const Point& point, const platforms::Machine& machine) {
  constexpr double negligible = 1e-3;
  const auto bytes = static_cast<double>(working_set(point.call, point.placement.procs));
  return point.benchmark.skew.time_s < negligible * bytes / machine.hockney.b_Bps;
}

// `single` is the machine with single paths.
Result<Row> all_predictions(Point point, const platforms::Machine& machine,
                            const platforms::Machine& single) {
  const auto* harness = point.benchmark.harness;
  if (harness != nullptr) point.starts.runs = 0;  // the start of the fit
  if (is_skew_negligible(point, machine)) point.benchmark.repetitions = 1;
  const auto answer = TUTTI_TRY(run_point(point, machine));
  Row row{{"time_s", printed_time(answer.record, harness)}};
  if (answer.record.model_hockney_s) row.push_back({"hockney_s", *answer.record.model_hockney_s});
  if (answer.record.model_loggp_s) row.push_back({"loggp_s", *answer.record.model_loggp_s});
  point.starts.runs = 0;  // examined only for the score of the simulation
  point.contention = engines::Contention::off;
  const auto uncontended = TUTTI_TRY(run_point(point, machine));
  row.push_back({"uncontended_s", printed_time(uncontended.record, harness)});
  point.contention = engines::Contention::private_nics;
  const auto alone = TUTTI_TRY(run_point(point, single));
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

StudyPoint scored_point(const ScoringPlan::Call& call, const platforms::Machine& single) {
  const auto& algorithm = *call.point.call.algorithm;
  auto point =
      simulation_of(call.point, [&] { return all_predictions(call.point, *call.machine, single); });
  point.name = fmt::format("{} {}, {}, {}", algorithm.collective, algorithm.name,
                           counted(call.point.placement.procs, "process"),
                           format_bytes(call.point.call.args.message_bytes));
  return point;
}

// Sets the rows whose calls are those that the rules of their library choose.
void find_defaults(ScoringPlan& plan, const platforms::PlacementRequest& placement) {
  plan.is_default.resize(plan.rows.size());
  std::map<CallKey, std::optional<CallKey>> choices;
  for (const auto& call : plan.calls)
    for (const std::size_t row : call.rows) {
      auto choice = plan.rows[row];
      plan.is_default[row] = workloads::is_automatic(choice.algorithm);
      if (plan.is_default[row] || choice.rules.empty() || is_program_of_pico(choice.measured_as))
        continue;
      choice.algorithm = choice.rules;
      choice.segment_bytes.reset();
      choice.fanout.reset();
      const auto [at, is_new] = choices.try_emplace(call_key(choice));
      if (is_new)
        if (const auto point = point_of(choice, *call.machine, placement))
          at->second = resolved_key(choice, point->call);
      plan.is_default[row] = at->second == call.key;
    }
}

// Adds the predictions of formulas that are fitted to the times, of which calls[i] is the call.
void add_fitted_formulas(const std::vector<const ScoringPlan::Call*>& calls, ScoredTimes& scored) {
  constexpr std::size_t parameters = 4;
  std::vector<FormulaTime> times;
  std::vector<TimePredictions*> predictions;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    auto& time = scored.times[i];
    if (!time.predicted.loggp_s) continue;
    const auto& point = calls[i]->point;
    times.push_back(
        {point.call.algorithm, model_args(point, *calls[i]->machine), time.measured.time_s});
    predictions.push_back(&time.predicted);
  }
  if (times.size() <= parameters) return;
  const auto& machine = *calls.front()->machine;
  scored.fitted = fit_formulas(times, {machine.hockney, machine.loggp});
  for (std::size_t i = 0; i < times.size(); ++i) {
    const auto& [algorithm, args, measured_s] = times[i];
    predictions[i]->hockney_fitted_s =
        algorithms::models::hockney(*algorithm, args, scored.fitted->hockney);
    predictions[i]->loggp_fitted_s =
        algorithms::models::loggp(*algorithm, args, scored.fitted->loggp);
  }
}

}  // namespace

FoundSimilar find_similar(const std::vector<ScoredTime>& times,
                          const std::vector<MeasuredCollective>& others) {
  return SimilarSearch(times, others).search();
}

Score compute_score(const std::vector<ScoredTime>& times, const PredictionOf& prediction) {
  constexpr double clearly_slower = 1.05;
  std::vector<double> errors;
  std::vector<RankedTime> ranked;
  std::size_t intervals = 0, covered = 0;
  for (const auto& time : times) {
    const auto predicted_s = prediction(time);
    if (!predicted_s) continue;
    const auto& row = time.measured;
    errors.push_back(std::abs(*predicted_s / row.time_s - 1));
    if (time.within) {
      ++intervals;
      covered += std::abs(std::log(*predicted_s / row.time_s)) <= std::log(*time.within) ? 1U : 0U;
    }
    ranked.push_back({{row.run, row.collective, row.procs, row.ppn, row.message_bytes},
                      row.algorithm,
                      row.time_s,
                      *predicted_s});
  }
  if (errors.empty()) return {};
  return {ranking_of(ranked, clearly_slower), errors.size(), median_of(errors),
          quantile_of(errors, 0.9),           intervals,     covered};
}

Score compute_score(const std::vector<ScoredTime>& times) {
  return compute_score(times, [](const ScoredTime& time) -> std::optional<Seconds> {
    return time.predicted.simulated_s;
  });
}

std::vector<ScoredTime> with_default(const std::vector<ScoredTime>& times,
                                     const std::vector<MeasuredCollective>& others) {
  auto all = times;
  for (const auto& row : others) {
    if (!is_unknown_choice(row.measured_as)) continue;
    all.push_back({.measured = row, .predicted = {}, .is_default = true});
    all.back().measured.algorithm = row.measured_as;
    all.back().predicted.simulated_s = std::numeric_limits<Seconds>::infinity();
  }
  std::map<RankedCall, std::string> choices;
  for (const auto& time : all)
    if (time.is_default) choices[ranked_call(time.measured)] = time.measured.algorithm;
  std::erase_if(all, [&](ScoredTime& time) {
    const auto choice = choices.find(ranked_call(time.measured));
    if (choice == choices.end()) return true;
    time.is_default = time.measured.algorithm == choice->second;
    return false;
  });
  return all;
}

Score score_defaults(const std::vector<ScoredTime>& with_default) {
  Score score = compute_score(with_default, [](const ScoredTime& time) {
    return std::optional<Seconds>(time.is_default ? 1 : 2);
  });
  Score choices;
  choices.settings = score.settings;
  choices.best_found = score.best_found;
  choices.mean_regret = score.mean_regret;
  choices.largest_regret = score.largest_regret;
  return choices;
}

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
  std::map<CallKey, std::size_t> resolved;
  for (std::size_t row = 0; row < plan.rows.size(); ++row) {
    const auto [at, is_new] = known.try_emplace(call_key(plan.rows[row]));
    if (is_new) {
      auto call = possible_call(plan.rows[row], machines, placement);
      if (call) {
        const auto [same, is_first] = resolved.try_emplace(call->key, plan.calls.size());
        at->second = same->second;
        if (is_first) plan.calls.push_back(*std::move(call));
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
  find_defaults(plan, placement);
  return plan;
}

ScoredTimes simulate_times(const ScoringPlan& plan, const RunPoints& run) {
  std::vector<StudyPoint> points;
  std::map<const platforms::Machine*, platforms::Machine> singles;
  for (const auto& call : plan.calls) {
    auto single = singles.find(call.machine);
    if (single == singles.end())
      single = singles.emplace(call.machine, platforms::with_single_paths(*call.machine)).first;
    points.push_back(scored_point(call, single->second));
  }
  ScoredTimes scored{.times = {}, .run = run(points)};
  std::vector<const ScoringPlan::Call*> calls;  // of the times
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!scored.run.answers[i]) continue;
    for (const std::size_t row : plan.calls[i].rows) {
      const auto& measured = plan.rows[row];
      const auto accuracy = jobs::expected_accuracy(
          *plan.calls[i].machine,
          {measured.collective, measured.nodes(), measured.ppn, measured.message_bytes});
      scored.times.push_back({measured, read_predictions(*scored.run.answers[i]),
                              accuracy ? std::optional(accuracy->factor) : std::nullopt});
      // Replace "auto" by the algorithm that was chosen, so that it forms no pair with itself.
      scored.times.back().measured.algorithm = plan.calls[i].point.call.algorithm->name;
      scored.times.back().is_default = plan.is_default[row];
      calls.push_back(&plan.calls[i]);
    }
  }
  add_fitted_formulas(calls, scored);
  return scored;
}

}  // namespace tutti::studies
