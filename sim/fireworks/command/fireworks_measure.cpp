// SPDX-License-Identifier: BSD-3-Clause
// sim fireworks: what messages cost a node of a simulated machine.

#include "sim/base/common.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/commands/options.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/picture_output.hpp"
#include "sim/commands/point_run.hpp"
#include "sim/engines/simgrid_module.hpp"
#include "sim/fireworks/command/fireworks.hpp"
#include "sim/fireworks/report/fireworks_pictures.hpp"

namespace tutti::commands {
namespace {

namespace fireworks = studies::fireworks;
using workloads::Fireworks;

constexpr std::string_view measured_group = "What is measured";
constexpr std::int64_t paper_pairs = 7;
constexpr std::int64_t least_pairs = 3;  // of both kinds: planes have three coefficients
constexpr options::AxisKind pairs_axis{parse_integer, 1, 1024};
constexpr options::AxisKind message_axis{parse_bytes, 1, most_bytes, units_hint};

struct FireworksMeasureRequest : JobRequest {
  fireworks::SurfaceWish wish{
      .message_bytes = {Bytes{4} << 20},
      .orders = {workloads::PostingOrder::intra_first, workloads::PostingOrder::inter_first},
      .hot_spots = {1},
      .intra_pairs = {},
      .inter_pairs = {}};
  std::optional<std::int64_t> most_pairs;
  std::optional<std::int64_t> samples;  // unset: all
  engines::EngineKind engine = engines::EngineKind::flow;
  int jobs = default_jobs();
  std::optional<std::string> model;
  std::optional<PictureOutput> plot;
  DocumentOutput document;
};

// Ascending, each once.
template <class Place>
auto axis_set(options::AxisKind kind, Place place) {
  return [kind, place](OptionReader& read, std::string_view option, auto& request) {
    auto& axis = std::invoke(place, request);
    read.read_axis(option, kind, axis);
    std::ranges::sort(axis);
    axis.erase(std::unique(axis.begin(), axis.end()), axis.end());
  };
}

void read_orders(OptionReader& read, std::string_view option, FireworksMeasureRequest& request) {
  const std::vector<std::string> names(workloads::posting_orders.begin(),
                                       workloads::posting_orders.end());
  request.wish.orders.clear();
  for (const auto& name : read.names_of(option, "", names))
    request.wish.orders.push_back(
        static_cast<workloads::PostingOrder>(std::ranges::find(names, name) - names.begin()));
}

void read_samples(OptionReader& read, std::string_view option, FireworksMeasureRequest& request) {
  const std::string& how = read.values().value(option);
  if (how == "all") return;
  const auto number = how.starts_with("grid:") ? parse_integer(how.substr(5)) : 0;
  if (!number || *number < 3 || *number > pairs_axis.most)
    return read.wrong(option, fmt::format("{} is no way to sample", in_quotes(how)),
                      "all, or grid:N with N from 3 on");
  request.samples = *number;
}

template <class Member>
auto measured(Member member) {
  return options::within(&FireworksMeasureRequest::wish, member);
}

using MeasureOptions = options::OptionTable<FireworksMeasureRequest>;

const MeasureOptions fireworks_measure_options =
    MeasureOptions({}) + machine_options() +
    MeasureOptions{
        {measured_group, "--message-size", "SIZES",
         "default: 4MiB; several sizes make the costs depend on it"
         "\nDefault: 4MiB. Between several sizes predictions interpolate; one size alone is "
         "scaled.",
         axis_set(message_axis, measured(&fireworks::SurfaceWish::message_bytes))},
        {measured_group, "--order", "NAMES",
         "what a hot spot posts first: intra-first, inter-first; default: both",
         options::takes("intra-first inter-first"), read_orders},
        {measured_group, "--hot-spots", "N",
         "processes of the node that share its partners; default: 1"
         "\nProcesses of the node among which the partners are dealt out; default: 1.",
         axis_set(pairs_axis, measured(&fireworks::SurfaceWish::hot_spots))},
        {measured_group, "--max-pairs", "N",
         "partners inside the node, and on other nodes; default: 7, as far as there is room"
         "\nHow many partners of each kind, at most (7, as far as there is room), and which "
         "numbers of them: `all` (default), or `grid:`N, N numbers from 0 to the most.",
         options::one(pairs_axis, &FireworksMeasureRequest::most_pairs)},
        {measured_group, "--samples", "HOW",
         "all (default), or grid:N: N numbers of partners from 0 to the most",
         options::takes("all grid:"), read_samples},
        {measured_group, "--engine", "NAME", "flow (default), simgrid",
         options::takes("flow simgrid"),
         options::choice<engines::EngineKind>(
             {{"flow", engines::EngineKind::flow}, {"simgrid", engines::EngineKind::simgrid}},
             &FireworksMeasureRequest::engine)},
        {jobs_option, options::made(jobs_of, &FireworksMeasureRequest::jobs)},
        {written(job_option::output_row("--model", "FILE",
                                        "writes the costs (TOML) there, for predict and check")),
         options::file(&FireworksMeasureRequest::model)},
        {plot_option, options::made(plot_of, &FireworksMeasureRequest::plot)}} +
    document_options({reports::fireworks_document_parts}).of(&FireworksMeasureRequest::document);

// As many partners as were asked for, which the machine must have room for.
std::optional<Error> set_pairs(FireworksMeasureRequest& request, const platforms::Machine& machine,
                               const Diagnostics& diagnostics) {
  const int most_hot = static_cast<int>(request.wish.hot_spots.back());
  const std::int64_t intra = fireworks::most_intra_pairs(machine, most_hot);
  const std::int64_t inter = fireworks::most_inter_pairs(machine);
  const std::int64_t wanted = request.most_pairs.value_or(paper_pairs);
  if (intra < 1 || inter < 1)
    return usage_error(
        intra < 1 && most_hot > 1 ? "--hot-spots" : "--platform",
        fmt::format("no room for partners: nodes of {} have {}, and there {} {}", machine.name,
                    counted(machine.cores_per_host, "core"),
                    machine.host_count() == 1 ? "is" : "are", machine.host_count()),
        "partners inside the node and on others are needed to tell their costs apart");
  if (request.most_pairs && wanted > std::min(intra, inter))
    return usage_error("--max-pairs",
                       fmt::format("there is room for {} inside a node, and {} others",
                                   counted(intra, "partner"), inter),
                       "take less, or fewer --hot-spots");
  if (std::min(wanted, intra) + std::min(wanted, inter) < least_pairs)
    return usage_error(request.most_pairs ? "--max-pairs" : "--platform",
                       "one partner of each kind tells no costs",
                       "two of one of them are the least");
  if (wanted > std::min(intra, inter))
    diagnostics.warning(fmt::format("room for {} inside a node and {} on others only",
                                    counted(std::min(wanted, intra), "partner"),
                                    std::min(wanted, inter)));
  const auto values = [&](std::int64_t most) {
    return fireworks::grid_values(most, std::min(request.samples.value_or(most + 1), most + 1));
  };
  request.wish.intra_pairs = values(std::min(wanted, intra));
  request.wish.inter_pairs = values(std::min(wanted, inter));
  return std::nullopt;
}

std::string fireworks_name(const Fireworks& asked) {
  return fmt::format("{} pairs inside, {} with others, {}", asked.intra_pairs, asked.inter_pairs,
                     format_bytes(asked.message_bytes));
}

std::vector<studies::StudyPoint> pair_simulations(const std::vector<Fireworks>& points,
                                                  const FireworksMeasureRequest& request,
                                                  const platforms::Machine& machine) {
  std::vector<studies::StudyPoint> simulations;
  for (const Fireworks& asked : points)
    simulations.push_back(studies::timed_point(
        fireworks_name(asked), [&] { return fireworks::time_of(asked, machine, request.engine); }));
  return simulations;
}

// A model of each order, number of hot spots and size whose rounds determine it.
void fit(reports::FireworksReport& report, const Diagnostics& diagnostics) {
  using Key = std::tuple<Bytes, int, workloads::PostingOrder>;
  std::vector<std::pair<Key, std::vector<fireworks::Sample>>> groups;
  for (const auto& round : report.rounds) {
    const Key key{round.asked.message_bytes, round.asked.hot_spots, round.asked.order};
    if (groups.empty() || groups.back().first != key) groups.push_back({key, {}});
    groups.back().second.push_back(
        {.load = fireworks::load_of(round.asked),
         .time_s = round.time_s,
         .both_ways = round.asked.exchanged == workloads::Exchanged::both});
  }
  for (const auto& [key, samples] : groups) {
    if (!fireworks::determine_costs(samples)) {
      diagnostics.warning(
          fmt::format("too few rounds of {} to tell costs", format_bytes(std::get<0>(key))));
      continue;
    }
    auto model = fireworks::fit_cost_model(samples);
    std::tie(model.message_bytes, model.hot_spots, model.order) = key;
    report.printed.push_back(
        fireworks::beside_printed_costs(report.provenance.platform_name, model, samples));
    report.costs.models.push_back(model);
  }
}

std::optional<Error> write_costs(const std::string& path, const fireworks::CostFile& costs,
                                 const std::string& command) {
  return write_file(path, fireworks::cost_file_text(
                              costs, {"What messages cost a node, made by Tutti:", command}));
}

Result<int> measure(const FireworksMeasureRequest& request, const platforms::Machine& machine,
                    const Diagnostics& diagnostics) {
  const auto points = fireworks::surface_points(request.wish);
  const auto run = run_check(pair_simulations(points, request, machine), request.jobs, diagnostics);
  reports::FireworksReport report;
  begin_report(report, request, machine, run);
  report.costs.platform = request.platform;
  report.costs.platform_hash = machine.content_hash;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!run.answers[i]) continue;
    const Seconds time_s = studies::time_in(*run.answers[i]);
    report.rounds.push_back(
        {points[i], time_s, fireworks::busiest_link(points[i], machine, time_s)});
  }
  fit(report, diagnostics);
  if (report.costs.models.empty()) return run.code == exit_done ? exit_points_failed : run.code;
  // Costs of a part of the rounds would look like those of all.
  const bool is_whole = run.not_run == 0 && run.failed.empty();
  if (request.model && !is_whole)
    diagnostics.warning(fmt::format("{} is not written: rounds are missing", *request.model));
  if (request.model && is_whole)
    if (const auto error = write_costs(*request.model, report.costs, request.command))
      return *error;
  TUTTI_TRY(write_document(reports::fireworks_document(report), request.document));
  TUTTI_TRY(
      write_plot([&] { return draw(reports::fireworks_picture(report)); }, report, request.plot));
  return run.code;
}

Result<int> run_fireworks_measure(const OptionValues& parsed, const Diagnostics& diagnostics) {
  auto request = TUTTI_TRY(request_of(parsed, fireworks_measure_options, "fireworks"));
  const auto machine = TUTTI_TRY(platforms::load_machine(request.platform, request.overrides));
  for (const auto& warning : machine.warnings) diagnostics.warning(warning);
  if (const auto error = set_pairs(request, machine, diagnostics)) return parsed.placed({*error});
  if (request.engine == engines::EngineKind::simgrid)
    if (auto error = engines::load_simgrid()) return *std::move(error);
  return measure(request, machine, diagnostics);
}

}  // namespace

const Subcommand fireworks_measure{
    .usage = "measure",
    .summary = "what messages inside and between nodes cost a node",
    .help =
        "A node's process exchanges messages with growing numbers of partners inside the node and "
        "on other nodes (cFireworks). Prints the surface of times, fits T = alpha ca + beta ce + "
        "gamma to it, split where the node saturates, and what fits better where that does not; "
        "names the link that saturates.",
    .specs = fireworks_measure_options,
    .run = run_fireworks_measure};

}  // namespace tutti::commands
