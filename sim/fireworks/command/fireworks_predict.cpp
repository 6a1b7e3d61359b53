// SPDX-License-Identifier: BSD-3-Clause
// sim fireworks predict: what node sets are expected to take, and which order of them takes least.

#include "sim/base/common.hpp"
#include "sim/fireworks/command/fireworks_request.hpp"
#include "sim/fireworks/report/reports.hpp"

namespace tutti::commands {
namespace {

namespace fireworks = studies::fireworks;

constexpr std::string_view orders = "Orders";

struct FireworksPredictRequest : FireworksRequest, fireworks::NodeSetsSpec {};

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

Result<int> run_fireworks_predict(const OptionValues& parsed, const Diagnostics& diagnostics) {
  const auto request =
      TUTTI_TRY(request_of(parsed, fireworks_predict_options, "fireworks predict"));
  const auto machine = TUTTI_TRY(machine_of(request, parsed, diagnostics));
  return write_fireworks(
      reports::FireworksPredictReport{
          {}, predicted(request, request, machine, runner(request.jobs, diagnostics))},
      request, machine, reports::fireworks_predict_document, reports::fireworks_predict_picture);
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
