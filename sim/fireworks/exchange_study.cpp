// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fireworks/exchange_study.hpp"

#include "sim/fireworks/node_sets.hpp"

namespace tutti::studies::fireworks {

const char* const other_machine_hint =
    "choose another machine with --platform NAME; `sim platform show NAME` describes it";

std::optional<Error> too_large(const ExchangeJob& job) {
  if (!is_too_large(job)) return std::nullopt;
  return usage_error("--buffer-size", "this exchange has more than 50 million messages",
                     "use a larger buffer, a smaller file or fewer processes");
}

std::optional<Error> too_many_nodes(const char* option, std::size_t nodes,
                                    const platforms::Machine& machine) {
  if (nodes <= machine.host_count()) return std::nullopt;
  return usage_error(
      option, fmt::format("{} nodes, but {} has {}", nodes, machine.name, machine.host_count()),
      other_machine_hint);
}

namespace {

std::string_view form_name(const CostFunction& cost) {
  return form_name(cost.used_form(cost.models().front()));
}

// ---- given node sets ----

ExchangeJob make_job(const ExchangeSpec& exchange, const NodeSetsSpec& spec) {
  auto job = tiled_file(spec.tiles, spec.file_bytes, exchange.job);
  job.aggregators = spec.aggregators.value_or(static_cast<int>(spec.node_sets.front().size()));
  return job;
}

// Nodes of all ranks and aggregators for a candidate.
Nodes place_candidate(const PredictedSet& set, const Candidate& candidate, int aggregators) {
  if (candidate.kind != Candidate::Kind::aggregators)
    return nodes_in_order(candidate.order, aggregators);
  Nodes nodes = nodes_in_order(set.procs_of_node, aggregators);
  nodes.of_aggregator = candidate.order;
  return nodes;
}

class Predicting {
 public:
  Predicting(const Exchange& exchange, const CostFunction& cost, const platforms::Machine& machine,
             const OrderSearch& search)
      : exchange_(exchange), cost_(cost), machine_(machine), search_(search) {}

  PredictedSet predict(const std::vector<int>& node_set) const {
    PredictedSet set;
    set.procs_of_node = node_set;
    const Nodes nodes = nodes_in_order(node_set, aggregators());
    set.matches = count_matches(exchange_.rounds(), nodes);
    set.expected = expected(nodes);
    const auto longest = std::ranges::max_element(exchange_.rounds(), {}, &Round::cycles);
    set.loads = count_messages(longest->transfers, nodes, true).of_node;
    set.candidates.push_back({Candidate::Kind::given, node_set, set.expected.time_s});
    if (search_.keep > 0) add_orders(set);
    if (search_.keep > 0) add_assignments(set, nodes);
    return set;
  }

 private:
  int aggregators() const { return exchange_.job().aggregators; }
  Prediction expected(const Nodes& nodes) const {
    return fireworks::predict(exchange_.rounds(), nodes, true, cost_, machine_);
  }

  void add_orders(PredictedSet& set) const {
    const auto orders = find_orders(
        set.procs_of_node,
        [&](const auto& order) { return expected(nodes_in_order(order, aggregators())).time_s; },
        search_);
    set.orders = orders.evaluated;
    set.are_all_orders = orders.are_all;
    for (const auto& order : orders.best)
      if (order.order != set.procs_of_node)
        set.candidates.push_back({Candidate::Kind::order, order.order, order.predicted_s});
    if (!orders.worst.order.empty() && orders.worst.order != set.procs_of_node)
      set.candidates.push_back(
          {Candidate::Kind::worst_order, orders.worst.order, orders.worst.predicted_s});
  }

  void add_assignments(PredictedSet& set, Nodes nodes) const {
    const std::vector<int> given = nodes.of_aggregator;
    const auto orders = find_orders(
        given,
        [&](const auto& of_aggregator) {
          nodes.of_aggregator = of_aggregator;
          return expected(nodes).time_s;
        },
        search_);
    for (const auto& order : orders.best)
      if (order.predicted_s < set.expected.time_s)
        set.candidates.push_back({Candidate::Kind::aggregators, order.order, order.predicted_s});
  }

  const Exchange& exchange_;
  const CostFunction& cost_;
  const platforms::Machine& machine_;
  OrderSearch search_;
};

// Simulates the sets and their candidates and stores the times in them.
PointsRun simulate(std::vector<PredictedSet>& sets, const Exchange& exchange,
                   const platforms::Machine& machine, const RunPoints& run) {
  std::vector<StudyPoint> points;
  std::vector<std::optional<Seconds>*> times;
  const auto add = [&](const char* what, const Nodes& nodes, const Exchange::Simulation& how,
                       std::optional<Seconds>& time_s) {
    points.push_back(
        timed_point(fmt::format("exchange {}, {}", points.size() + 1, what),
                    [&, nodes, how] { return exchange.simulate(nodes, how, machine); }));
    times.push_back(&time_s);
  };
  const int aggregators = exchange.job().aggregators;
  for (auto& set : sets) {
    const Nodes given = nodes_in_order(set.procs_of_node, aggregators);
    add("write", given, {}, set.candidates.front().simulated_s);
    add("read", given, {.writes = false}, set.read_s);
    add("one cycle", given, {.cycle = 0}, set.one_cycle_s);
    for (auto& candidate : std::span(set.candidates).subspan(1))
      add("order", place_candidate(set, candidate, aggregators), {}, candidate.simulated_s);
  }
  auto done = run(points);
  for (std::size_t i = 0; i < points.size(); ++i)
    if (done.answers[i]) *times[i] = time_in(*done.answers[i]);
  return done;
}

Bytes nearest_measured(const CostFunction& cost, Bytes message_bytes) {
  const auto distance = [&](const auto& model) {
    return std::abs(model.message_bytes - message_bytes);
  };
  return std::ranges::min(cost.models(), {}, distance).message_bytes;
}

}  // namespace

std::optional<CostFunction> ExchangeSpec::cost() const {
  return CostFunction::make(costs, order, hot_spots, form);
}

const Candidate* PredictedSet::proposal() const {
  const Candidate* fastest = nullptr;
  for (const auto& candidate : candidates)
    if (candidate.simulated_s &&
        (fastest == nullptr || *candidate.simulated_s < *fastest->simulated_s))
      fastest = &candidate;
  return fastest;
}

std::vector<Error> errors_in(const ExchangeSpec& exchange, const NodeSetsSpec& spec,
                             const platforms::Machine& machine) {
  ErrorList errors;
  const auto job = make_job(exchange, spec);
  for (const auto& node_set : spec.node_sets) {
    if (auto error = too_many_nodes("--node-set", node_set.size(), machine)) errors.add(*error);
    if (const int most = std::ranges::max(node_set); most > machine.cores_per_host)
      errors.add(usage_error("--node-set",
                             fmt::format("{} processes on a node, but a node of {} has {} cores",
                                         most, machine.name, machine.cores_per_host),
                             other_machine_hint));
    const int of_node = (job.aggregators - 1) / static_cast<int>(node_set.size()) + 1;
    if (of_node > std::ranges::min(node_set))
      errors.add(usage_error(
          "--aggregators",
          fmt::format("{} on a node, but the smallest number of processes per node is {}", of_node,
                      std::ranges::min(node_set)),
          "each aggregator is a process; aggregators are placed on the nodes in turn"));
  }
  if (errors.empty())
    if (auto error = too_large(job)) errors.add(*error);
  return errors.errors();
}

PredictedExchange predict_exchange(const ExchangeSpec& exchange, const NodeSetsSpec& spec,
                                   const platforms::Machine& machine, const RunPoints& run) {
  const Exchange file(make_job(exchange, spec));
  const auto cost = exchange.cost().value();
  PredictedExchange prediction{.form = form_name(cost),
                               .job = file.job(),
                               .message_bytes = file.largest_message(),
                               .measured_bytes = nearest_measured(cost, file.largest_message()),
                               .cycles = file.cycles(),
                               .sets = {},
                               .run = {}};
  OrderSearch search{.keep = static_cast<std::size_t>(spec.orders), .seed = spec.seed};
  // The loads of links take much longer to compute than the messages of nodes to count.
  if (cost.needs_links()) search.most_evaluated /= 10;
  const Predicting predicting(file, cost, machine, search);
  for (const auto& node_set : spec.node_sets)
    prediction.sets.push_back(predicting.predict(node_set));
  prediction.run = simulate(prediction.sets, file, machine, run);
  return prediction;
}

}  // namespace tutti::studies::fireworks
