// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fireworks/node_set_check.hpp"

namespace tutti::studies::fireworks {
namespace {

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
