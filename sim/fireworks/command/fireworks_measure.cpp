// SPDX-License-Identifier: BSD-3-Clause
// sim fireworks: what messages cost a node of a simulated machine.

#include "sim/base/common.hpp"
#include "sim/engines/simgrid_module.hpp"
#include "sim/fireworks/command/fireworks_measure.help.hpp"
#include "sim/fireworks/command/fireworks_request.hpp"
#include "sim/fireworks/node_set_check.hpp"
#include "sim/fireworks/report/reports.hpp"
#include "sim/studies/background_jobs.hpp"

namespace tutti::commands {
namespace {

namespace fireworks = studies::fireworks;

constexpr std::string_view measurement_group = "Measurement";
constexpr options::AxisKind pairs_axis{parse_integer, 1, 1024};
constexpr options::AxisKind message_axis{parse_bytes, 1, most_bytes, units_hint};

struct FireworksMeasureRequest : JobRequest {
  fireworks::SurfaceSpec spec{
      .message_bytes = {Bytes{4} << 20},
      .orders = {workloads::PostingOrder::intra_first, workloads::PostingOrder::inter_first},
      .hot_spots = {1},
      .intra_pairs = {},
      .inter_pairs = {}};
  fireworks::PairsSpec pairs;
  engines::EngineKind engine = engines::EngineKind::flow;
  int jobs = default_jobs();
  std::optional<std::string> model;
  std::optional<PictureOutput> plot;
  DocumentOutput document;
};

// Sorts the values in ascending order and removes duplicates.
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
  request.spec.orders.clear();
  for (const auto& name : read.names_of(option, "", names))
    request.spec.orders.push_back(
        static_cast<workloads::PostingOrder>(std::ranges::find(names, name) - names.begin()));
}

void read_max_pairs(OptionReader& read, std::string_view option, FireworksMeasureRequest& request) {
  const std::string& text = read.values().value(option);
  if (text.find('x') == std::string::npos) {
    request.pairs.most_inside = read.single(option, pairs_axis);
    request.pairs.most_outside = request.pairs.most_inside;
    return;
  }
  const auto parts = split(text, 'x');
  const auto number = [&](std::size_t i) -> std::optional<std::int64_t> {
    const auto value = parse_integer(parts[i]);
    const bool fits = value && *value >= pairs_axis.least && *value <= pairs_axis.most;
    return parts.size() == 2 && fits ? std::optional(*value) : std::nullopt;
  };
  request.pairs.most_inside = number(0);
  request.pairs.most_outside = number(1);
  if (!request.pairs.most_inside || !request.pairs.most_outside)
    read.wrong(option, fmt::format("invalid INSIDExOUTSIDE {}", in_quotes(text)),
               fmt::format("expected two numbers from {} to {}, for example 3x7", pairs_axis.least,
                           pairs_axis.most));
}

void read_samples(OptionReader& read, std::string_view option, FireworksMeasureRequest& request) {
  const std::string& how = read.values().value(option);
  if (how == "all") return;
  const auto number = how.starts_with("grid:") ? parse_integer(how.substr(5)) : 0;
  if (!number || *number < 3 || *number > pairs_axis.most)
    return read.wrong(option, fmt::format("invalid sampling {}", in_quotes(how)),
                      "expected all, or grid:N with N of at least 3");
  request.pairs.samples = *number;
}

constexpr auto surface = options::under(&FireworksMeasureRequest::spec);

using MeasureOptions = options::OptionTable<FireworksMeasureRequest>;

const MeasureOptions fireworks_measure_options =
    MeasureOptions({}) + machine_options() +
    MeasureOptions{
        {measurement_group, "--message-size", "SIZES", texts::fireworks_measure["--message-size"],
         axis_set(message_axis, surface(&fireworks::SurfaceSpec::message_bytes))},
        {measurement_group, "--order", "NAMES",
         "Messages that a hot spot posts first: intra-first, inter-first; default: both",
         options::takes("intra-first inter-first"), read_orders},
        {measurement_group, "--hot-spots", "N", texts::fireworks_measure["--hot-spots"],
         axis_set(pairs_axis, surface(&fireworks::SurfaceSpec::hot_spots))},
        {measurement_group, "--max-pairs", "N|INSIDExOUTSIDE",
         texts::fireworks_measure["--max-pairs"], read_max_pairs},
        {measurement_group, "--samples", "HOW",
         "Numbers of partners to measure: all (default), or grid:N for N from 0 to the maximum",
         options::takes("all grid:"), read_samples},
        {measurement_group, "--engine", "NAME", "Simulation engine: flow (default), simgrid",
         options::takes("flow simgrid"),
         options::choice<engines::EngineKind>(
             {{"flow", engines::EngineKind::flow}, {"simgrid", engines::EngineKind::simgrid}},
             &FireworksMeasureRequest::engine)},
        {jobs_option, options::value_from(read_jobs, &FireworksMeasureRequest::jobs)},
        {written(job_option::output_row("--costs", "FILE",
                                        "Write the costs to FILE (TOML) for predict and check")),
         options::file(&FireworksMeasureRequest::model)},
        {plot_option, options::value_from(read_plot, &FireworksMeasureRequest::plot)}} +
    document_options({reports::fireworks_document_parts}).of(&FireworksMeasureRequest::document);

// Once per warning: the models of several orders and sizes often have the same.
void warn_of_trials(const fireworks::CostFile& costs, const Diagnostics& diagnostics) {
  std::set<std::string> warned;
  for (const auto& model : costs.models)
    if (model.trial)
      for (const auto& warning : fireworks::shortcomings(model.best, *model.trial))
        if (warned.insert(warning).second) diagnostics.warning(warning);
}

Result<int> write_measured(fireworks::MeasuredCosts measured,
                           const FireworksMeasureRequest& request,
                           const platforms::Machine& machine, const Diagnostics& diagnostics) {
  measured.costs.platform = request.platform;
  for (const auto& warning : measured.warnings) diagnostics.warning(warning);
  warn_of_trials(measured.costs, diagnostics);
  if (measured.costs.models.empty())
    return measured.run.code == exit_done ? exit_points_failed : measured.run.code;
  if (request.model && !measured.is_whole())
    diagnostics.warning(
        fmt::format("{} was not written: some rounds were not measured", *request.model));
  if (request.model && measured.is_whole())
    if (const auto error = write_file(
            *request.model,
            cost_file_text(measured.costs,
                           {"Communication costs of a node, written by Tutti:", request.command})))
      return *error;
  return write_fireworks(reports::FireworksReport{{}, std::move(measured)}, request, machine,
                         reports::fireworks_document, reports::fireworks_picture);
}

Result<int> run_fireworks_measure(const OptionValues& parsed, const Diagnostics& diagnostics) {
  auto request = TUTTI_TRY(read_request(parsed, fireworks_measure_options, "fireworks"));
  const auto machine = TUTTI_TRY(studies::load_machine(request));
  for (const auto& warning : machine.warnings) diagnostics.warning(warning);
  const auto warning = fireworks::set_pairs(request.spec, request.pairs, machine);
  if (!warning) return parsed.placed(warning.errors());
  if (!warning->empty()) diagnostics.warning(*warning);
  if (request.engine == engines::EngineKind::simgrid)
    if (auto error = engines::load_simgrid()) return *std::move(error);
  const auto run = runner(request.jobs, diagnostics);
  auto measured = fireworks::measure_costs(request.spec, request.engine, machine, run);
  if (measured.is_whole() && !measured.costs.models.empty())
    measured.run.add(fireworks::choose_forms(measured.costs, machine, run));
  return write_measured(std::move(measured), request, machine, diagnostics);
}

}  // namespace

const Subcommand fireworks_measure{
    .usage = "measure",
    .summary = "measure what messages inside and between nodes cost a node",
    .help = texts::fireworks_measure["measure"],
    .specs = fireworks_measure_options,
    .run = run_fireworks_measure};

}  // namespace tutti::commands
