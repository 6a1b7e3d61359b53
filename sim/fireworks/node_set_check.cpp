// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fireworks/node_set_check.hpp"

#include "sim/base/quantile.hpp"

namespace tutti::studies::fireworks {
namespace {

constexpr double least_correct = 0.95;
constexpr double widest_spread = 1.25;

// Every other time of each group.
std::vector<PredictedTime> take_half(const std::vector<PredictedTime>& times, int which) {
  std::map<std::int64_t, int> seen;
  std::vector<PredictedTime> half;
  for (const auto& time : times)
    if (seen[time.group]++ % 2 == which) half.push_back(time);
  return half;
}

TimesOfForms take_half(const TimesOfForms& times, int which) {
  TimesOfForms half;
  for (std::size_t i = 0; i < times.size(); ++i) half[i] = take_half(times[i], which);
  return half;
}

// 1 if the second time is longer by more than the fraction `clearly`, -1 if the first one is.
int longer(Seconds first_s, Seconds second_s, double clearly) {
  return (second_s > (1 + clearly) * first_s) - (first_s > (1 + clearly) * second_s);
}

// Fraction of the pairs of a group of which expected and simulated times agree which set is clearly
// faster, or that neither is. Unlike the fraction of the pairs that are ordered right, it does not
// favor a form that expects differences where there are none.
double agreed_fraction(const std::vector<PredictedTime>& times, double clearly) {
  std::int64_t pairs = 0, agreed = 0;
  for (std::size_t i = 0; i < times.size(); ++i)
    for (std::size_t j = i + 1; j < times.size(); ++j) {
      const auto& a = times[i];
      const auto& b = times[j];
      if (a.group != b.group) continue;
      ++pairs;
      agreed += longer(a.predicted_s, b.predicted_s, clearly) ==
                longer(a.simulated_s, b.simulated_s, clearly);
    }
  return pairs > 0 ? static_cast<double>(agreed) / static_cast<double>(pairs) : 1;
}

// Mean difference between expected and simulated times, as a fraction.
double mean_error(const std::vector<PredictedTime>& times) {
  double sum = 0;
  for (const auto& time : times) sum += std::abs(time.predicted_s / time.simulated_s - 1);
  return sum / static_cast<double>(times.size());
}

std::optional<Form> best_form(const TimesOfForms& times, double clearly) {
  constexpr double of_pairs = 0.01, of_time = 0.01;
  std::array<double, form_names.size()> agreement = {};
  for (std::size_t i = 0; i < times.size(); ++i)
    if (!times[i].empty()) agreement[i] = agreed_fraction(times[i], clearly);
  const double most = std::ranges::max(agreement);
  std::optional<Form> best;
  double least_error = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (times[i].empty() || agreement[i] < most - of_pairs) continue;
    const double error = mean_error(times[i]);
    if (error >= least_error - of_time) continue;
    best = static_cast<Form>(i);
    least_error = error;
  }
  return best;
}

std::vector<std::int64_t> set_sizes(const RandomSetsSpec& spec, const platforms::Machine& machine) {
  if (!spec.nodes.empty()) return spec.nodes;
  const auto all = static_cast<std::int64_t>(machine.host_count());
  std::vector<std::int64_t> nodes;
  for (const std::int64_t count : {8, 16, 32, 64})
    if (count <= all) nodes.push_back(count);
  if (nodes.empty()) nodes.push_back(all);
  return nodes;
}

ExchangeJob make_job(const ExchangeJob& given, const RandomSetsSpec& spec, int nodes) {
  const int procs = nodes * spec.ppn;
  auto job = tiled_file(io_models::squarest_grid(procs), procs * spec.proc_bytes, given);
  job.aggregators = nodes;
  return job;
}

struct RandomSet {
  const Exchange* exchange = nullptr;
  std::vector<int> procs_of_node;
  Nodes nodes;
  std::optional<Seconds> simulated_s = {};
};

// Random node sets and their simulated times.
class SimulatedSets {
 public:
  SimulatedSets(const ExchangeJob& job, const RandomSetsSpec& spec,
                const platforms::Machine& machine, const RunPoints& run)
      : machine_(machine) {
    const auto counts = set_sizes(spec, machine);
    for (std::int64_t i = 0; i < spec.count; ++i) {
      const auto nodes = static_cast<int>(counts[static_cast<std::size_t>(i) % counts.size()]);
      draw(job, spec, nodes, spec.seed + static_cast<std::uint64_t>(i));
    }
    simulate(run);
  }

  PointsRun take_run() { return std::move(run_); }

  // The times of all simulated sets with the forms that the costs have, or only with spec.form.
  std::vector<CheckedNodeSet> expected(const ExchangeSpec& spec) const {
    std::vector<CheckedNodeSet> check_exchanges;
    for (const auto& set : sets_)
      if (set.simulated_s) check_exchanges.push_back(expected(spec, set));
    return check_exchanges;
  }

 private:
  void draw(const ExchangeJob& given, const RandomSetsSpec& spec, int nodes, std::uint64_t seed) {
    const auto& exchange =
        exchanges_.try_emplace(nodes, make_job(given, spec, nodes)).first->second;
    auto procs_of_node = random_node_set(
        {.nodes = nodes, .procs = nodes * spec.ppn, .cores = machine_.cores_per_host}, seed);
    auto where = nodes_in_order(procs_of_node, nodes);
    sets_.push_back({&exchange, std::move(procs_of_node), std::move(where)});
  }

  void simulate(const RunPoints& run) {
    std::vector<StudyPoint> points;
    for (const auto& set : sets_)
      points.push_back(
          timed_point(fmt::format("node set {}, {} nodes", points.size() + 1, set.nodes.count),
                      [&] { return set.exchange->simulate(set.nodes, {}, machine_); }));
    run_ = run(points);
    for (std::size_t i = 0; i < sets_.size(); ++i)
      if (const auto& answer = run_.answers[i]) sets_[i].simulated_s = time_in(*answer);
  }

  CheckedNodeSet expected(const ExchangeSpec& given, const RandomSet& of) const {
    CheckedNodeSet set{of.procs_of_node, {}, of.simulated_s.value()};
    ExchangeSpec spec = given;
    for (std::size_t i = 0; i < form_names.size(); ++i) {
      spec.form = static_cast<Form>(i);
      if (given.form && *given.form != *spec.form) continue;
      if (const auto cost = spec.cost())
        set.expected_s[i] = predict(of.exchange->rounds(), of.nodes, true, *cost, machine_).time_s;
    }
    return set;
  }

  const platforms::Machine& machine_;
  std::map<int, Exchange> exchanges_;  // by number of nodes
  std::vector<RandomSet> sets_;
  PointsRun run_;
};

TimesOfForms times_by_form(const std::vector<CheckedNodeSet>& sets) {
  TimesOfForms times;
  for (const auto& set : sets)
    for (std::size_t i = 0; i < form_names.size(); ++i)
      if (set.expected_s[i])
        times[i].push_back({std::ssize(set.procs_of_node), *set.expected_s[i], set.simulated_s});
  return times;
}

}  // namespace

std::optional<ChosenForm> choose_form(const TimesOfForms& times, double clearly) {
  const auto best = best_form(times, clearly);
  if (!best) return std::nullopt;
  ChosenForm chosen{.form = *best, .trial = {}};
  std::vector<double> ratios;
  for (const int judged : {0, 1}) {
    const auto form = best_form(take_half(times, 1 - judged), clearly);
    if (!form) continue;
    const auto half = take_half(times[static_cast<std::size_t>(*form)], judged);
    const auto ordering = count_ordered_pairs(half, clearly);
    chosen.trial.pairs += ordering.pairs;
    chosen.trial.right += ordering.right;
    for (const auto& time : half) ratios.push_back(time.predicted_s / time.simulated_s);
  }
  if (ratios.empty()) return chosen;
  chosen.trial.low_ratio = quantile_of(ratios, 0.05);
  chosen.trial.high_ratio = quantile_of(ratios, 0.95);
  return chosen;
}

std::vector<std::string> shortcomings(Form form, const Trial& trial) {
  std::vector<std::string> warnings;
  if (trial.pairs == 0)
    warnings.push_back(
        fmt::format("form {} expects no difference between node sets: their order was not checked",
                    form_name(form)));
  else if (trial.correct_fraction() < least_correct)
    warnings.push_back(
        fmt::format("form {} orders only {:.1f} % of the pairs of node sets as the simulation "
                    "does: rely on simulated times instead of expected ones",
                    form_name(form), 100 * trial.correct_fraction()));
  if (trial.high_ratio > widest_spread * trial.low_ratio)
    warnings.push_back(
        fmt::format("form {} expects {:.2f} to {:.2f} of the simulated time, depending on the node "
                    "set: differences of this size mean nothing",
                    form_name(form), trial.low_ratio, trial.high_ratio));
  return warnings;
}

std::vector<Error> errors_in(const ExchangeSpec& exchange, const RandomSetsSpec& spec,
                             const platforms::Machine& machine) {
  for (const auto nodes : set_sizes(spec, machine)) {
    if (auto error = too_many_nodes("--nodes", static_cast<std::size_t>(nodes), machine))
      return {*error};
    if (auto error = too_large(make_job(exchange.job, spec, static_cast<int>(nodes))))
      return {*error};
  }
  if (spec.ppn <= machine.cores_per_host) return {};
  return {usage_error("--ppn",
                      fmt::format("{} processes, but a node of {} has {} cores", spec.ppn,
                                  machine.name, machine.cores_per_host),
                      other_machine_hint)};
}

CheckedExchanges check_exchanges(const ExchangeSpec& exchange, const RandomSetsSpec& spec,
                                 const platforms::Machine& machine, const RunPoints& run) {
  SimulatedSets simulated(exchange.job, spec, machine, run);
  CheckedExchanges result{.chosen = {},
                          .is_requested = exchange.form.has_value(),
                          .form_of_costs = form_name(exchange.cost().value().models().front().best),
                          .sets = simulated.expected(exchange),
                          .run = simulated.take_run()};
  result.chosen = choose_form(times_by_form(result.sets), spec.clearly);
  return result;
}

PointsRun choose_forms(CostFile& costs, const platforms::Machine& machine, const RunPoints& run) {
  const RandomSetsSpec spec{.count = 64, .nodes = {}, .seed = std::uint64_t{1} << 32};
  SimulatedSets simulated({}, spec, machine, run);
  std::map<std::pair<workloads::PostingOrder, int>, std::optional<ChosenForm>> chosen;
  for (auto& model : costs.models) {
    const auto [choice, is_new] = chosen.try_emplace({model.order, model.hot_spots});
    if (is_new)
      choice->second = choose_form(times_by_form(simulated.expected({.costs = costs,
                                                                     .order = model.order,
                                                                     .hot_spots = model.hot_spots,
                                                                     .form = {},
                                                                     .job = {}})),
                                   spec.clearly);
    if (!choice->second) continue;
    model.best = choice->second->form;
    model.trial = choice->second->trial;
  }
  return simulated.take_run();
}

}  // namespace tutti::studies::fireworks
