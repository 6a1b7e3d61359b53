// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fireworks/command/fireworks.hpp"

#include "sim/base/common.hpp"
#include "sim/commands/command.hpp"
#include "sim/fireworks/command/fireworks_request.hpp"
#include "sim/fireworks/node_sets.hpp"
#include "sim/fireworks/report/fireworks_pictures.hpp"

namespace tutti::commands {
namespace {

const Subcommand* const fireworks_subcommands[] = {&fireworks_measure, &fireworks_predict,
                                                   &fireworks_check};

}  // namespace

extern const Command fireworks_command{
    .name = "fireworks",
    .summary = "what a busy node costs",
    .alone = &fireworks_measure,
    .help =
        "What a busy node costs, as cFireworks measures it, and which order of the nodes lets "
        "collective I/O exchange its data fastest. `sim fireworks --platform NAME` measures.",
    .subcommands = fireworks_subcommands};

// sim fireworks check: do predictions order random node sets as the simulation does?

namespace {

namespace fireworks = studies::fireworks;

constexpr std::string_view node_sets_group = "The node sets";

struct FireworksCheckRequest : FireworksRequest {
  std::int64_t count = 500;
  std::vector<std::int64_t> nodes{8, 16, 32, 64};
  int ppn = 2;
  std::uint64_t seed = 1;
  double clearly = 0.05;
  Bytes proc_bytes = Bytes{64} << 20;
};

using CheckOptions = options::OptionTable<FireworksCheckRequest>;

constexpr options::AxisKind sets_axis{parse_integer, 2, 100'000};
constexpr options::AxisKind nodes_axis{parse_integer, 2, 4096};
constexpr options::AxisKind tile_axis{parse_bytes, 1, Bytes{1} << 40, units_hint};

const CheckOptions fireworks_check_options =
    CheckOptions({}) + cost_options() +
    CheckOptions{
        {node_sets_group, "--node-sets", "COUNT",
         "how many; default: 500"
         "\n500 sets of 8,16,32,64 nodes in turn, 2 processes on a node on average, at least one "
         "on each.",
         options::one(sets_axis, &FireworksCheckRequest::count)},
        {node_sets_group, "--nodes", "N", "of a set, in turn; default: 8,16,32,64",
         options::list(nodes_axis, &FireworksCheckRequest::nodes)},
        {node_sets_group, "--ppn", "N", "processes on a node, on average; default: 2",
         options::one(count_axis, &FireworksCheckRequest::ppn)},
        {node_sets_group, "--seed", "SEED", "default: 1",
         options::one(fireworks_option::seed_axis, &FireworksCheckRequest::seed)},
        {node_sets_group, "--clearly", "PERCENT",
         "pairs count whose predictions differ by more; default: 5%",
         options::fraction(&FireworksCheckRequest::clearly)},
        {fireworks_option::exchange, "--bytes-per-proc", "SIZE", "of a tile; default: 64MiB",
         options::one(tile_axis, &FireworksCheckRequest::proc_bytes)}} +
    exchange_options() + fireworks_output_options(reports::fireworks_check_document_parts);

fireworks::ExchangeJob job_of(const FireworksCheckRequest& request, int nodes) {
  const int procs = nodes * request.ppn;
  auto job = fireworks::tiled_file(io_models::squarest_grid(procs), procs * request.proc_bytes);
  job.implementation = request.implementation;
  job.aggregators = nodes;
  job.buffer_bytes = request.buffer_bytes;
  job.with_setup = request.with_setup;
  return job;
}

std::optional<Error> check_nodes(const FireworksCheckRequest& request,
                                 const platforms::Machine& machine) {
  for (const auto nodes : request.nodes) {
    if (nodes > machine.host_count())
      return usage_error(
          "--nodes",
          fmt::format("{} nodes, but {} has {}", nodes, machine.name, machine.host_count()),
          platform_hint);
    if (const auto error = too_large(job_of(request, static_cast<int>(nodes)))) return error;
  }
  if (request.ppn > machine.cores_per_host)
    return usage_error("--ppn",
                       fmt::format("{} processes, but a node of {} has {} cores", request.ppn,
                                   machine.name, machine.cores_per_host),
                       platform_hint);
  return std::nullopt;
}

// A node set, and the exchange of all with so many nodes.
struct Wanted {
  const fireworks::Exchange* exchange = nullptr;
  std::vector<int> procs_of_node;
  fireworks::Nodes nodes;
};

std::vector<Wanted> wanted_sets(const FireworksCheckRequest& request,
                                const platforms::Machine& machine,
                                std::map<int, fireworks::Exchange>& exchanges) {
  std::vector<Wanted> wanted;
  for (std::int64_t i = 0; i < request.count; ++i) {
    const auto nodes =
        static_cast<int>(request.nodes[static_cast<std::size_t>(i) % request.nodes.size()]);
    const auto& exchange = exchanges.try_emplace(nodes, job_of(request, nodes)).first->second;
    auto procs_of_node = fireworks::random_node_set(
        {.nodes = nodes, .procs = nodes * request.ppn, .cores = machine.cores_per_host},
        request.seed + static_cast<std::uint64_t>(i));
    auto where = fireworks::nodes_in_order(procs_of_node, nodes);
    wanted.push_back({&exchange, std::move(procs_of_node), std::move(where)});
  }
  return wanted;
}

std::vector<studies::StudyPoint> set_simulations(const std::vector<Wanted>& wanted,
                                                 const platforms::Machine& machine) {
  std::vector<studies::StudyPoint> simulations;
  for (const auto& each : wanted)
    simulations.push_back(studies::timed_point(
        fmt::format("node set {}, {} nodes", simulations.size() + 1, each.nodes.count),
        [&] { return each.exchange->simulate(each.nodes, {}, machine); }));
  return simulations;
}

reports::CheckedNodeSet checked(const FireworksCheckRequest& request, const Wanted& wanted,
                                Seconds simulated_s) {
  reports::CheckedNodeSet set{wanted.procs_of_node, {}, simulated_s};
  for (std::size_t i = 0; i < fireworks::form_names.size(); ++i) {
    const auto form = static_cast<fireworks::Form>(i);
    if (request.form && *request.form != form) continue;
    const auto cost =
        fireworks::CostFunction::of(request.costs, request.order, request.hot_spots, form);
    if (cost)
      set.expected_s[i] =
          fireworks::predict(wanted.exchange->rounds(), wanted.nodes, true, *cost).time_s;
  }
  return set;
}

Result<int> check_fireworks(const FireworksCheckRequest& request, const platforms::Machine& machine,
                            const Diagnostics& diagnostics) {
  std::map<int, fireworks::Exchange> exchanges;
  const auto wanted = wanted_sets(request, machine, exchanges);
  const auto run = run_check(set_simulations(wanted, machine), request.jobs, diagnostics);
  reports::FireworksCheckReport report;
  begin_report(report, request, machine, run);
  report.clearly = request.clearly;
  const auto cost = request.cost();
  report.form = fireworks::name_of(cost.form_of(cost.models().front()));
  report.form_is_best = !request.form;
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (run.answers[i])
      report.sets.push_back(checked(request, wanted[i], studies::time_in(*run.answers[i])));
  TUTTI_TRY(write_document(reports::fireworks_check_document(report), request.document));
  TUTTI_TRY(write_plot([&] { return draw(reports::fireworks_check_picture(report)); }, report,
                       report.sets.empty() ? std::nullopt : request.plot));
  return run.code;
}

Result<int> run_fireworks_check(const OptionValues& parsed, const Diagnostics& diagnostics) {
  auto request = TUTTI_TRY(request_of(parsed, fireworks_check_options, "fireworks check"));
  const auto machine = TUTTI_TRY(machine_of(request, parsed));
  if (const auto error = check_nodes(request, machine)) return parsed.placed({*error});
  for (const auto& warning : machine.warnings) diagnostics.warning(warning);
  if (const auto warning = other_machine(request, machine)) diagnostics.warning(*warning);
  return check_fireworks(request, machine, diagnostics);
}

}  // namespace

const Subcommand fireworks_check{
    .usage = "check",
    .summary = "whether predictions order random node sets as simulated",
    .help =
        "Draws random node sets, predicts and simulates the exchange of data of a tiled file on "
        "each, and tells how many pairs of one size the predictions order as the simulation does, "
        "for each form of cost.",
    .specs = fireworks_check_options,
    .run = run_fireworks_check};

}  // namespace tutti::commands
