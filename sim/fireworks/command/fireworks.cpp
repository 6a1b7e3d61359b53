// SPDX-License-Identifier: BSD-3-Clause
#include "sim/base/common.hpp"
#include "sim/commands/command.hpp"
#include "sim/fireworks/command/fireworks.help.hpp"
#include "sim/fireworks/command/fireworks_request.hpp"
#include "sim/fireworks/report/reports.hpp"

namespace tutti::commands {
namespace {

const Subcommand* const fireworks_subcommands[] = {&fireworks_measure, &fireworks_predict,
                                                   &fireworks_check};

}  // namespace

extern const Command fireworks_command{
    .name = "fireworks",
    .summary = "measure and predict the communication cost of a hot-spot node",
    .alone = &fireworks_measure,
    .help = texts::fireworks["fireworks"],
    .subcommands = fireworks_subcommands};

// sim fireworks check: do predictions order random node sets as the simulation does?

namespace {

namespace fireworks = studies::fireworks;

constexpr std::string_view node_sets_group = "Node sets";

struct FireworksCheckRequest : FireworksRequest, fireworks::RandomSetsSpec {};

using FireworksCheckOptions = options::OptionTable<FireworksCheckRequest>;

constexpr options::AxisKind sets_axis{parse_integer, 2, 100'000};
constexpr options::AxisKind nodes_axis{parse_integer, 2, 4096};
constexpr options::AxisKind tile_axis{parse_bytes, 1, Bytes{1} << 40, units_hint};

const FireworksCheckOptions fireworks_check_options =
    FireworksCheckOptions({}) + cost_options() +
    FireworksCheckOptions{
        {node_sets_group, "--node-sets", "COUNT", texts::fireworks["--node-sets"],
         options::number(sets_axis, &FireworksCheckRequest::count)},
        {node_sets_group, "--nodes", "N",
         "Numbers of nodes, used in turn; default: 8,16,32,64, or those that fit",
         options::list(nodes_axis, &FireworksCheckRequest::nodes)},
        {node_sets_group, "--ppn", "N", "Mean number of processes per node; default: 2",
         options::number(count_axis, &FireworksCheckRequest::ppn)},
        {node_sets_group, "--seed", "SEED", "Seed of the random node sets; default: 1",
         options::number(fireworks_option::seed_axis, &FireworksCheckRequest::seed)},
        {node_sets_group, "--clearly", "PERCENT",
         "Count only pairs whose predictions differ by more than this; default: 5%",
         options::fraction(&FireworksCheckRequest::clearly)},
        {fireworks_option::exchange, "--bytes-per-proc", "SIZE", "Size of a tile; default: 64MiB",
         options::number(tile_axis, &FireworksCheckRequest::proc_bytes)}} +
    exchange_options() + fireworks_output_options(reports::fireworks_check_document_parts);

Result<int> run_fireworks_check(const OptionValues& parsed, const Diagnostics& diagnostics) {
  auto request = TUTTI_TRY(read_request(parsed, fireworks_check_options, "fireworks check"));
  const auto machine =
      TUTTI_TRY(load_exchange_machine(request, parsed, diagnostics, [&](const auto& loaded) {
        return errors_in(request, request, loaded);
      }));
  reports::FireworksCheckReport report{
      {},
      check_exchanges(request, request, machine, runner(request.jobs, diagnostics)),
      request.clearly};
  if (report.chosen)
    for (const auto& warning : shortcomings(report.chosen->form, report.chosen->trial))
      diagnostics.warning(warning);
  if (report.sets.empty()) request.plot.reset();
  return write_fireworks(std::move(report), request, machine, reports::fireworks_check_document,
                         reports::fireworks_check_picture);
}

}  // namespace

const Subcommand fireworks_check{
    .usage = "check",
    .summary = "check that predictions rank random node sets as the simulation does",
    .help = texts::fireworks["check"],
    .specs = fireworks_check_options,
    .run = run_fireworks_check};

}  // namespace tutti::commands
