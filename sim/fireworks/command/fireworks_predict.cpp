// SPDX-License-Identifier: BSD-3-Clause
// sim fireworks predict: predicts the exchange time of node sets and finds the fastest node order.

#include "sim/base/common.hpp"
#include "sim/fireworks/command/fireworks_predict.help.hpp"
#include "sim/fireworks/command/fireworks_request.hpp"
#include "sim/fireworks/report/reports.hpp"

namespace tutti::commands {
namespace {

namespace fireworks = studies::fireworks;

constexpr std::string_view orders = "Orders";

struct FireworksPredictRequest : FireworksRequest, fireworks::NodeSetsSpec {};

int count_procs(const std::vector<int>& node_set) {
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
    if (count_procs(node_set) != count_procs(first) || node_set.size() != first.size())
      read.wrong(option,
                 fmt::format("{} differs from the first set in its number of nodes or processes",
                             reports::node_set_text(node_set)),
                 "give sets with the same number of nodes and of processes");
}

// The limits of these options depend on the number of processes.
void read_tiles(OptionReader& read, FireworksPredictRequest& request) {
  if (!read.errors().empty()) return;
  const int procs = count_procs(request.node_sets.front());
  request.tiles = io_models::squarest_grid(procs);
  if (read.values().has("--tiles"))
    if (const auto pair = read.pair_of("--tiles", 1, platforms::most_procs)) {
      request.tiles = {static_cast<int>(pair->first), static_cast<int>(pair->second)};
      if (pair->first * pair->second != procs)
        read.wrong("--tiles",
                   fmt::format("rows times columns must be {}, the number of processes", procs),
                   "each process of the node set has one tile");
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
    PredictOptions{
        {{fireworks_option::exchange, "--node-set", "N,N,...",
          texts::fireworks_predict["--node-set"], true},
         options::required("for example 4,4,2,2,1,1,1,1"),
         read_node_sets},
        {fireworks_option::exchange, "--tiles", "ROWSxCOLS", texts::fireworks_predict["--tiles"]},
        {fireworks_option::exchange, "--file-size", "SIZE", "File size; default: 1GiB"},
        {fireworks_option::exchange, "--aggregators", "N",
         texts::fireworks_predict["--aggregators"]}}
        .then(read_tiles) +
    exchange_options() +
    PredictOptions{{orders, "--orders", "N", texts::fireworks_predict["--orders"],
                    options::number(orders_axis, &FireworksPredictRequest::orders)},
                   {orders, "--seed", "N",
                    "Seed of the search, used if there are too many orders to try all; default: 1",
                    options::number(fireworks_option::seed_axis, &FireworksPredictRequest::seed)}} +
    fireworks_output_options(reports::fireworks_predict_document_parts);

Result<int> run_fireworks_predict(const OptionValues& parsed, const Diagnostics& diagnostics) {
  const auto request =
      TUTTI_TRY(read_request(parsed, fireworks_predict_options, "fireworks predict"));
  const auto machine =
      TUTTI_TRY(load_exchange_machine(request, parsed, diagnostics, [&](const auto& loaded) {
        return errors_in(request, request, loaded);
      }));
  const auto cost = request.cost().value();
  if (const auto& model = cost.models().front(); model.trial && !request.form)
    for (const auto& warning : fireworks::shortcomings(model.best, *model.trial))
      diagnostics.warning(warning);
  return write_fireworks(
      reports::FireworksPredictReport{
          {}, predict_exchange(request, request, machine, runner(request.jobs, diagnostics))},
      request, machine, reports::fireworks_predict_document, reports::fireworks_predict_picture);
}

}  // namespace

const Subcommand fireworks_predict{
    .usage = "predict",
    .summary = "predict the collective I/O exchange time of node sets, and the best order",
    .help = texts::fireworks_predict["predict"],
    .specs = fireworks_predict_options,
    .run = run_fireworks_predict};

}  // namespace tutti::commands
