// SPDX-License-Identifier: BSD-3-Clause
// sim fireworks predict: what node sets are expected to take, and which order of them takes least.

#include "sim/base/common.hpp"
#include "sim/fireworks/command/fireworks.hpp"
#include "sim/fireworks/command/fireworks_request.hpp"
#include "sim/fireworks/report/fireworks_pictures.hpp"

namespace tutti::commands {
namespace {

namespace fireworks = studies::fireworks;
using fireworks::Nodes;
using reports::PredictedSet;

constexpr std::string_view orders = "Orders";

struct FireworksPredictRequest : FireworksRequest {
  std::vector<std::vector<int>> node_sets;
  io_models::Grid tiles;
  Bytes file_bytes = Bytes{1} << 30;
  std::optional<int> aggregators;
  std::int64_t orders = 3;
  std::uint64_t seed = 1;
};

int procs_of(const std::vector<int>& node_set) {
  return std::accumulate(node_set.begin(), node_set.end(), 0);
}

void read_node_sets(OptionReader& read, std::string_view option, FireworksPredictRequest& request) {
  constexpr options::AxisKind procs_axis{parse_integer, 1, 1 << 16};
  for (const auto& text : read.values().values(option)) {
    const auto values = options::parse_axis(text, procs_axis);
    if (!values) return read.add(option, values.errors());
    request.node_sets.emplace_back(values->begin(), values->end());
  }
  const auto& first = request.node_sets.front();
  for (const auto& node_set : request.node_sets)
    if (procs_of(node_set) != procs_of(first) || node_set.size() != first.size())
      read.wrong(option,
                 fmt::format("{} has other numbers of nodes or processes than the first",
                             reports::node_set_text(node_set)),
                 "sets of one size can be compared");
}

// Their limits depend on the number of processes.
void read_tiles(OptionReader& read, FireworksPredictRequest& request) {
  if (!read.errors().empty()) return;
  const int procs = procs_of(request.node_sets.front());
  request.tiles = io_models::squarest_grid(procs);
  if (read.values().has("--tiles"))
    if (const auto pair = read.pair_of("--tiles", 1, platforms::most_procs)) {
      request.tiles = {static_cast<int>(pair->first), static_cast<int>(pair->second)};
      if (pair->first * pair->second != procs)
        read.wrong("--tiles", fmt::format("{} processes have a tile each", procs),
                   "rows times columns are the node set's processes");
    }
  const options::AxisKind size_axis{parse_bytes, procs, most_bytes, units_hint};
  request.file_bytes = read.single("--file-size", size_axis, request.file_bytes);
  if (const auto count = read.single("--aggregators", {parse_integer, 1, procs}))
    request.aggregators = static_cast<int>(*count);
}

using PredictOptions = options::OptionTable<FireworksPredictRequest>;

constexpr options::AxisKind orders_axis{parse_integer, 0, 100};

const PredictOptions fireworks_predict_options =
    PredictOptions({}) + cost_options() +
    PredictOptions{{{fireworks_option::exchange, "--node-set", "N,N,...",
                     "processes of each node, in order, as in 4,4,2,2,1,1,1,1 (required)"
                     "\nAs often as wanted; all have one number of nodes and of processes.",
                     true},
                    options::required("as in 4,4,2,2,1,1,1,1"),
                    read_node_sets},
                   {fireworks_option::exchange, "--tiles", "ROWSxCOLS",
                    "of MPI-Tile-IO, a process for each; default: the squarest"
                    "\nThe array, a tile for each process; default: the squarest, 1GiB. A file "
                    "that has no whole tiles is a little smaller."},
                   {fireworks_option::exchange, "--file-size", "SIZE", "default: 1GiB"},
                   {fireworks_option::exchange, "--aggregators", "N",
                    "on the nodes in turn; default: one on each"
                    "\nOn the nodes in turn, one on each by default; 16MiB; romio, or another one "
                    "of `sim run write`."}}
        .then(read_tiles) +
    exchange_options() +
    PredictOptions{
        {orders, "--orders", "N",
         "the best so many are simulated; 0: none; default: 3"
         "\nHow many orders are simulated (3; 0: none), and the seed of the search.",
         options::one(orders_axis, &FireworksPredictRequest::orders)},
        {orders, "--seed", "N", "of the search, where there are too many orders; default: 1",
         options::one(fireworks_option::seed_axis, &FireworksPredictRequest::seed)}} +
    fireworks_output_options(reports::fireworks_predict_document_parts);

fireworks::ExchangeJob job_of(const FireworksPredictRequest& request) {
  auto job = fireworks::tiled_file(request.tiles, request.file_bytes);
  job.implementation = request.implementation;
  job.aggregators =
      request.aggregators.value_or(static_cast<int>(request.node_sets.front().size()));
  job.buffer_bytes = request.buffer_bytes;
  job.with_setup = request.with_setup;
  return job;
}

std::vector<Error> check_nodes(const FireworksPredictRequest& request,
                               const platforms::Machine& machine) {
  ErrorList errors;
  for (const auto& node_set : request.node_sets) {
    if (node_set.size() > machine.host_count())
      errors.add(usage_error("--node-set",
                             fmt::format("{} nodes, but {} has {}", node_set.size(), machine.name,
                                         machine.host_count()),
                             platform_hint));
    if (const int most = std::ranges::max(node_set); most > machine.cores_per_host)
      errors.add(usage_error("--node-set",
                             fmt::format("{} processes on a node, but a node of {} has {} cores",
                                         most, machine.name, machine.cores_per_host),
                             platform_hint));
    const int aggregators = job_of(request).aggregators;
    const int of_node = (aggregators - 1) / static_cast<int>(node_set.size()) + 1;
    if (of_node > std::ranges::min(node_set))
      errors.add(
          usage_error("--aggregators",
                      fmt::format("{} on a node, but the smallest number of processes of one is {}",
                                  of_node, std::ranges::min(node_set)),
                      "each is a process of its own; they are on the nodes in turn"));
  }
  return errors.errors();
}

// Where everybody is with a candidate.
Nodes nodes_of(const PredictedSet& set, const reports::Candidate& candidate, int aggregators) {
  if (candidate.of != reports::Candidate::Of::aggregators)
    return fireworks::nodes_in_order(candidate.order, aggregators);
  Nodes nodes = fireworks::nodes_in_order(set.procs_of_node, aggregators);
  nodes.of_aggregator = candidate.order;
  return nodes;
}

class Predicting {
 public:
  Predicting(const FireworksPredictRequest& request, const fireworks::Exchange& exchange)
      : request_(request), exchange_(exchange), cost_(request.cost()) {}

  PredictedSet predict(const std::vector<int>& node_set) const {
    PredictedSet set;
    set.procs_of_node = node_set;
    const Nodes nodes = fireworks::nodes_in_order(node_set, aggregators());
    set.matches = fireworks::matches_of(exchange_.rounds(), nodes);
    set.expected = expected(nodes);
    const auto longest =
        std::ranges::max_element(exchange_.rounds(), {}, &fireworks::Round::cycles);
    set.loads = fireworks::load_of(longest->transfers, nodes, true).of_node;
    set.candidates.push_back({reports::Candidate::Of::given, node_set, set.expected.time_s});
    if (request_.orders > 0) add_orders(set);
    if (request_.orders > 0) add_assignments(set, nodes);
    return set;
  }

 private:
  int aggregators() const { return exchange_.job().aggregators; }
  fireworks::OrderSearch search() const {
    return {.keep = static_cast<std::size_t>(request_.orders), .seed = request_.seed};
  }
  fireworks::Prediction expected(const Nodes& nodes) const {
    return fireworks::predict(exchange_.rounds(), nodes, true, cost_);
  }

  void add_orders(PredictedSet& set) const {
    const auto found = fireworks::find_orders(
        set.procs_of_node,
        [&](const auto& order) {
          return expected(fireworks::nodes_in_order(order, aggregators())).time_s;
        },
        search());
    set.orders = found.evaluated;
    set.are_all_orders = found.are_all;
    for (const auto& each : found.best)
      if (each.order != set.procs_of_node)
        set.candidates.push_back({reports::Candidate::Of::order, each.order, each.predicted_s});
    if (found.worst.order != set.procs_of_node)
      set.candidates.push_back(
          {reports::Candidate::Of::worst_order, found.worst.order, found.worst.predicted_s});
  }

  void add_assignments(PredictedSet& set, Nodes nodes) const {
    const std::vector<int> given = nodes.of_aggregator;
    const auto found = fireworks::find_orders(
        given,
        [&](const auto& of_aggregator) {
          nodes.of_aggregator = of_aggregator;
          return expected(nodes).time_s;
        },
        search());
    for (const auto& each : found.best)
      if (each.predicted_s < set.expected.time_s)
        set.candidates.push_back(
            {reports::Candidate::Of::aggregators, each.order, each.predicted_s});
  }

  const FireworksPredictRequest& request_;
  const fireworks::Exchange& exchange_;
  fireworks::CostFunction cost_;
};

// The simulations of all sets, and where their answers go.
class PredictedSimulations {
 public:
  PredictedSimulations(const fireworks::Exchange& exchange, const platforms::Machine& machine)
      : exchange_(exchange), machine_(machine) {}

  void add(PredictedSet& set) {
    const Nodes given = fireworks::nodes_in_order(set.procs_of_node, aggregators());
    add("write", given, {}, {&set.write_s, &set.candidates.front().simulated_s});
    add("read", given, {.writes = false}, {&set.read_s});
    add("one cycle", given, {.cycle = 0}, {&set.one_cycle_s});
    for (std::size_t i = 1; i < set.candidates.size(); ++i)
      add("order", nodes_of(set, set.candidates[i], aggregators()), {},
          {&set.candidates[i].simulated_s});
  }

  studies::PointsRun run(int jobs, const Diagnostics& diagnostics) const {
    auto run = run_check(points_, jobs, diagnostics);
    for (std::size_t i = 0; i < points_.size(); ++i)
      if (run.answers[i])
        for (auto* into : wanted_[i]) *into = studies::time_in(*run.answers[i]);
    return run;
  }

 private:
  int aggregators() const { return exchange_.job().aggregators; }

  void add(const char* what, Nodes nodes, fireworks::Exchange::Simulation how,
           std::vector<std::optional<Seconds>*> into) {
    points_.push_back(studies::timed_point(fmt::format("exchange {}, {}", wanted_.size() + 1, what),
                                           [this, nodes = std::move(nodes), how] {
                                             return exchange_.simulate(nodes, how, machine_);
                                           }));
    wanted_.push_back(std::move(into));
  }

  const fireworks::Exchange& exchange_;
  const platforms::Machine& machine_;
  std::vector<studies::StudyPoint> points_;
  std::vector<std::vector<std::optional<Seconds>*>> wanted_;
};

Bytes nearest_measured(const fireworks::CostFunction& cost, Bytes message_bytes) {
  const auto& models = cost.models();
  return std::ranges::min(
             models, {},
             [&](const auto& model) { return std::abs(model.message_bytes - message_bytes); })
      .message_bytes;
}

Result<int> predict(const FireworksPredictRequest& request, const platforms::Machine& machine,
                    const Diagnostics& diagnostics) {
  const fireworks::Exchange exchange(job_of(request));
  const Predicting predicting(request, exchange);
  reports::FireworksPredictReport report;
  for (const auto& node_set : request.node_sets)
    report.sets.push_back(predicting.predict(node_set));
  PredictedSimulations simulations(exchange, machine);
  for (auto& set : report.sets) simulations.add(set);
  const auto run = simulations.run(request.jobs, diagnostics);
  begin_report(report, request, machine, run);
  const auto cost = request.cost();
  report.form = fireworks::name_of(cost.form_of(cost.models().front()));
  report.tiles = fmt::format("{}x{}", request.tiles.rows, request.tiles.columns);
  report.file_bytes = exchange.job().file_bytes();
  report.message_bytes = exchange.largest_message();
  report.measured_bytes = nearest_measured(cost, report.message_bytes);
  report.cycles = exchange.cycles();
  report.aggregators = exchange.job().aggregators;
  TUTTI_TRY(write_document(reports::fireworks_predict_document(report), request.document));
  TUTTI_TRY(write_plot([&] { return draw(reports::fireworks_predict_picture(report)); }, report,
                       request.plot));
  return run.code;
}

Result<int> run_fireworks_predict(const OptionValues& parsed, const Diagnostics& diagnostics) {
  auto request = TUTTI_TRY(request_of(parsed, fireworks_predict_options, "fireworks predict"));
  const auto machine = TUTTI_TRY(machine_of(request, parsed));
  const auto errors = check_nodes(request, machine);
  if (!errors.empty()) return parsed.placed(errors);
  if (const auto error = too_large(job_of(request))) return parsed.placed({*error});
  for (const auto& warning : machine.warnings) diagnostics.warning(warning);
  if (const auto warning = other_machine(request, machine)) diagnostics.warning(*warning);
  return predict(request, machine, diagnostics);
}

}  // namespace

const Subcommand fireworks_predict{
    .usage = "predict",
    .summary = "what node sets take in collective I/O, and the best order",
    .help =
        "Counts the messages of each node in the exchange of data of a tiled file, finds the hot "
        "spot and what it is expected to take, and looks for the order of the nodes, and the nodes "
        "of the aggregators, that take least. Simulates the exchange (no storage) beside it, and "
        "proposes what is fastest there.",
    .specs = fireworks_predict_options,
    .run = run_fireworks_predict};

}  // namespace tutti::commands
