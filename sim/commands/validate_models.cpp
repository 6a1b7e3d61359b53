// SPDX-License-Identifier: BSD-3-Clause
// sim validate models: formulas of collectives beside simulations with and without contention.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "algorithms/models/message_cost.hpp"
#include "platforms/parameters/models.hpp"
#include "sim/base/quote.hpp"
#include "sim/base/split.hpp"
#include "sim/base/suggest.hpp"
#include "sim/commands/check_run.hpp"
#include "sim/commands/job_options.hpp"
#include "sim/commands/point_names.hpp"
#include "sim/commands/run_options.hpp"
#include "sim/commands/validate.hpp"
#include "sim/studies/memory_estimate.hpp"
#include "sim/studies/model_summary.hpp"
#include "sim/studies/run_point.hpp"

namespace tutti::commands {
namespace {

using reports::DocumentTable;
using reports::Shown;
using studies::CheckedCall;
using studies::Point;

constexpr std::string_view collective = "The collectives";
constexpr std::string_view checking = "What is compared";

constexpr OptionSpec specs[] = {
    job_option::platform,
    job_option::set,
    job_option::procs,
    job_option::ppn,
    {job_option::machine, "--map", "HOW", "block (default), round-robin, file:PATH"},
    job_option::oversubscribe,
    {collective, "--collective", "NAMES", "a list; default: all with formulas"},
    {collective, "--algorithm", "NAMES", "of these collectives; default: all that run"},
    {collective, "--message-size", "SIZES", "default: 128:1MiB, doubling"},
    {collective, "--segment-size", "SIZES", "0 (default): not segmented"},
    {checking, "--models", "NAMES", "hockney,loggp (default: both)"},
    {checking, "--parameters", "WHOSE",
     "platform (default): the sets of the platform's file; protocol: derived from its message "
     "protocol"},
    {checking, "--contention", "WHICH",
     "both (default), on, or off: what is simulated beside the formulas"},
    {checking, "--no-parts", "",
     "do not switch off cards, nodes and protocol in turn: three simulations of a call less"},
    {checking, "--fail-above", "PERCENT", "exit code 1 if a formula is off by more, as in 10%"},
    jobs_option,
    part_option,
    document_format,
    job_option::output_file,
    job_option::color,
    job_option::quiet,
    job_option::help,
};

constexpr const char* default_sizes = "128:1MiB";

struct Request : JobRequest {
  std::vector<studies::Sweep> sweeps;  // of each collective
  std::vector<std::string> models;
  std::string parameters;
  studies::ModelCheckOptions options;
  std::optional<double> most_error;
  int jobs = 1;
  DocumentOutput document;
};

class Reading : private JobReading {
 public:
  explicit Reading(const Parsed& parsed) : JobReading(parsed) {}

  Result<Request> read() {
    if (!parsed_.arguments.empty())
      wrong("", fmt::format("unexpected argument {}", in_quotes(parsed_.arguments[0])),
            "everything is said by options");
    read_machine(request_);
    read_job();
    read_collectives();
    read_comparison();
    read_output();
    if (!errors_.empty()) return errors_.errors();
    request_.command = "sim validate models" + reproducing_options(specs, parsed_);
    return std::move(request_);
  }

 private:
  void read_job() {
    if (!parsed_.has("--procs")) wrong("--procs", "is required", "the numbers of processes");
    read_axis("--procs", count_axis, job_.procs);
    read_axis("--ppn", count_axis, job_.ppn);
    read_axis("--segment-size", bytes_axis, job_.segment_bytes);
    read_placement(job_.common.placement);
    job_.common.engine = engines::EngineKind::flow;
    job_.message_bytes = studies::parse_axis(default_sizes, bytes_axis).value();
    read_axis("--message-size", bytes_axis, job_.message_bytes);
  }

  std::vector<std::string> list_of(std::string_view option, const std::vector<std::string>& all) {
    if (!parsed_.has(option) || parsed_.value(option) == "all") return all;
    std::vector<std::string> names;
    for (const std::string_view name : split(parsed_.value(option), ',')) {
      if (std::ranges::find(all, name) == all.end())
        wrong(std::string(option), fmt::format("unknown name {}", in_quotes(name)),
              did_you_mean(std::string(name), all, "`sim list algorithms` names them all"));
      names.emplace_back(name);
    }
    return names;
  }

  void read_collectives() {
    std::vector<std::string> algorithms;
    for (const auto& each : algorithms::all_algorithms())
      if (std::ranges::find(algorithms, each.name) == algorithms.end())
        algorithms.emplace_back(each.name);
    const bool all = !parsed_.has("--algorithm") || parsed_.value("--algorithm") == "all";
    const auto wanted = list_of("--algorithm", algorithms);
    for (const auto& name : list_of("--collective", collective_names()))
      add_collective(name, all ? std::vector<std::string>{"all"} : wanted);
    if (errors_.empty() && request_.sweeps.empty())
      wrong("--algorithm", "no collective that was asked for has it",
            "`sim list algorithms` names those of each");
  }

  void add_collective(const std::string& name, const std::vector<std::string>& algorithms) {
    const auto* found = algorithms::find_collective(name);
    if (found == nullptr) return;
    studies::Sweep sweep = job_;
    sweep.collective = name;
    for (const auto& each : algorithms)
      if (each == workloads::all_name || algorithms::find_algorithm(name, each) != nullptr)
        sweep.algorithms.push_back(each);
    if (!found->has_message) sweep.message_bytes = {0};
    if (!sweep.algorithms.empty()) request_.sweeps.push_back(std::move(sweep));
  }

  void read_comparison() {
    request_.models = list_of("--models", {"hockney", "loggp"});
    if (const auto whose = choice_of(parsed_, "--parameters", {"platform", "protocol"}))
      request_.parameters = *whose;
    else
      add(whose.errors());
    const auto which = choice_of(parsed_, "--contention", {"both", "on", "off"});
    if (!which) return add(which.errors());
    request_.options = {.with_contention = *which != "off",
                        .without_contention = *which != "on",
                        .parts = *which == "both" && !parsed_.has("--no-parts")};
    if (!parsed_.has("--fail-above")) return;
    request_.most_error = part_of(parsed_.value("--fail-above"));
    if (!request_.most_error)
      wrong("--fail-above", fmt::format("{} is no error", in_quotes(parsed_.value("--fail-above"))),
            "as in 10%, or 0.1");
  }

  static std::optional<double> part_of(std::string_view text) {
    const bool percent = text.ends_with('%');
    if (percent) text.remove_suffix(1);
    const auto number = parse_number(text);
    if (!number || *number < 0) return std::nullopt;
    return percent ? *number / 100 : *number;
  }

  void read_output() {
    if (const auto jobs = jobs_of(parsed_))
      request_.jobs = *jobs;
    else
      add(jobs.errors());
    if (auto output = document_output(parsed_, {"errors", "ranking", "choices", "points"}))
      request_.document = *std::move(output);
    else
      add(output.errors());
  }

  Request request_;
  studies::Sweep job_;
};

struct Parameters {
  platforms::HockneyParameters hockney;
  platforms::LogGPParameters loggp;
};

Parameters parameters_of(const Request& request, const platforms::Machine& machine) {
  if (request.parameters == "platform") return {machine.hockney, machine.loggp};
  return {platforms::derived_hockney(machine), platforms::derived_loggp(machine)};
}

std::string label_of(const Point& point) {
  const auto& args = point.call.args;
  const auto* algorithm = point.call.algorithm;
  std::string label(algorithm->name);
  if (args.segment_bytes > 0)
    label += fmt::format(" {} segments", format_bytes(args.segment_bytes));
  if (args.fanout != algorithm->default_fanout) label += fmt::format(" fan-out {}", args.fanout);
  return label;
}

// All but the times.
CheckedCall described(const Request& request, const Point& point, const platforms::Machine& machine,
                      const Parameters& parameters) {
  const auto placement = platforms::place(machine, point.placement).value();
  CheckedCall call{.collective = std::string(point.call.algorithm->collective),
                   .algorithm = label_of(point),
                   .procs = point.placement.procs,
                   .nodes = placement.nodes,
                   .ppn = placement.ppn,
                   .map = studies::map_name(point.placement),
                   .message_bytes = point.call.args.message_bytes,
                   .times = {},
                   .formulas = {}};
  const auto args = studies::model_args(point, machine);
  for (const auto& model : request.models) {
    const bool is_hockney = model == "hockney";
    const auto& algorithm = *point.call.algorithm;
    call.formulas.push_back(
        {.model = model,
         .set = is_hockney ? parameters.hockney.set : parameters.loggp.set,
         .time_s = is_hockney ? algorithms::models::hockney(algorithm, args, parameters.hockney)
                              : algorithms::models::loggp(algorithm, args, parameters.loggp)});
  }
  return call;
}

constexpr const char* columns_of_times[] = {"time_s", "contention_free_s", "private_s",
                                            "one_rank_nodes_s", "eager_s"};
constexpr std::optional<Seconds> studies::ModelTimes::*times[] = {
    &studies::ModelTimes::time_s, &studies::ModelTimes::contention_free_s,
    &studies::ModelTimes::private_s, &studies::ModelTimes::one_rank_nodes_s,
    &studies::ModelTimes::eager_s};

// In a child.
Result<Row> simulated(const Point& point, const studies::SimplifiedMachines& machines,
                      const studies::ModelCheckOptions& options) {
  const auto found = studies::model_times(point, machines, options);
  if (!found) return found.errors();
  Row row;
  for (std::size_t i = 0; i < std::size(times); ++i)
    if (const auto time_s = (*found).*times[i]) row.push_back({columns_of_times[i], *time_s});
  return row;
}

studies::ModelTimes times_in(const Row& row) {
  studies::ModelTimes found;
  for (std::size_t i = 0; i < std::size(times); ++i)
    found.*times[i] = number_of(cell_in(row, columns_of_times[i]));
  return found;
}

// Errors of all collectives; calls without a formula are left out.
Result<std::vector<Point>> points_of(const Request& request, const platforms::Machine& machine) {
  std::vector<Point> all;
  for (const auto& sweep : request.sweeps) {
    auto points = studies::points_of(sweep, machine);
    if (!points) return points.errors();
    for (auto& point : points->all)
      if (point.call.algorithm->cost != nullptr && point.placement.procs > 1)
        all.push_back(std::move(point));
  }
  for (const auto& point : all)
    if (auto placement = platforms::place(machine, point.placement); !placement)
      return placement.errors();
  if (all.empty())
    return usage_error("options", "leave nothing to compare",
                       "formulas need an algorithm and two processes or more");
  return all;
}

// ---- the document ----

std::string parameters_text(const Parameters& parameters) {
  const auto& [hockney, loggp] = parameters;
  constexpr Bytes small = 1, large = 1 << 20;
  const std::string gap = loggp.g_s(small) == loggp.g_s(large)
                              ? format_seconds(loggp.g_s(small))
                              : fmt::format("{} to {}", format_seconds(loggp.g_s(small)),
                                            format_seconds(loggp.g_s(large)));
  return fmt::format(
      "Hockney ({}): l {}, b {:.4g} MB/s; LogGP ({}): L {}, o {}, g {}, G {:.4g} ns/B", hockney.set,
      format_seconds(hockney.l_s), hockney.b_Bps / 1e6, loggp.set, format_seconds(loggp.L_s),
      format_seconds(loggp.o_s), gap, loggp.G_s_per_B * 1e9);
}

std::string reference_text(const Request& request) {
  if (!request.options.with_contention)
    return "errors are (formula - simulated) / simulated, without contention but at the cards";
  return "errors are (formula - simulated) / simulated, with contention";
}

DocumentTable errors_table(const std::vector<CheckedCall>& calls, const Request& request) {
  DocumentTable table{.name = "errors",
                      .title = "How far the formulas are off",
                      .table = studies::model_errors(calls),
                      .shown = {{"algorithm", "Algorithm"},
                                {"model", "Model"},
                                {"median_error", "Median %", Shown::percent},
                                {"p90_error", "90 %", Shown::percent, 1},
                                {"worst_error", "Worst %", Shown::signed_percent, 2},
                                {"worst_simulated_over_model", "Sim/model", Shown::decimals},
                                {"worst_at", "At"}},
                      .group_by = "collective"};
  table.notes = {
      "Median, 90 %: of the errors without their signs; Worst: with its sign; "
      "Sim/model, At: there"};
  if (request.options.parts) {
    table.shown.push_back({"mostly", "Mostly"});
    table.notes.emplace_back(
        "Mostly: what makes the greatest part of the errors, switched off in turn: links behind "
        "the "
        "cards are shared, cards of nodes are shared, messages inside nodes go another way, the "
        "protocol (eager limit, handshake, copies), the formula itself and its parameters; "
        "--format csv has the shares");
  }
  return table;
}

DocumentTable ranking_table(const std::vector<CheckedCall>& calls) {
  return {.name = "ranking",
          .title = "Whether they rank the algorithms",
          .table = studies::model_ranking(calls),
          .shown = {{"collective", "Collective"},
                    {"model", "Model"},
                    {"settings", "Settings", Shown::plain, 1},
                    {"pairs", "Pairs", Shown::plain, 2},
                    {"right_part", "Right %", Shown::percent},
                    {"median_regret", "Regret %", Shown::percent},
                    {"worst_regret", "Worst %", Shown::percent},
                    {"worst_at", "At"},
                    {"worst_choice", "Its choice"}},
          .group_by = {},
          .notes = {"Right: pairs of algorithms, of those that differ by more than 1 %, that the "
                    "model orders as the simulation does; Regret: how much longer its choice takes "
                    "than the best one, median and worst over processes and sizes"}};
}

DocumentTable choices_table(const std::vector<CheckedCall>& calls) {
  return {.name = "choices",
          .title = "The best algorithm and the models' choice, of each setting",
          .table = studies::model_choices(calls),
          .shown = {{"procs", "Procs"},
                    {"message_bytes", "Size", Shown::bytes},
                    {"model", "Model"},
                    {"best", "Best"},
                    {"best_time_s", "us", Shown::microseconds, 1},
                    {"choice", "Its choice"},
                    {"regret", "Regret %", Shown::percent}},
          .group_by = "collective",
          .notes = {},
          .only_on_request = true};
}

DocumentTable points_table(const std::vector<CheckedCall>& calls) {
  return {.name = "points",
          .title = "Each call",
          .table = studies::model_points(calls),
          .shown = {{"algorithm", "Algorithm"},
                    {"procs", "Procs"},
                    {"message_bytes", "Size", Shown::bytes},
                    {"model", "Model"},
                    {"model_s", "Model us", Shown::microseconds},
                    {"contention_free_s", "Free us", Shown::microseconds},
                    {"time_s", "Simulated", Shown::microseconds},
                    {"relative_error", "Error %", Shown::signed_percent}},
          .group_by = "collective",
          .notes = {"Free: without contention but at the network cards"},
          .only_on_request = true};
}

// A picture of each collective, and in it a panel of each model and number of processes.
std::vector<reports::PlotWords> plots_of(const std::vector<CheckedCall>& calls) {
  std::vector<reports::PlotWords> plots;
  std::vector<std::string> collectives;
  for (const auto& call : calls) {
    if (std::ranges::find(collectives, call.collective) != collectives.end()) continue;
    collectives.push_back(call.collective);
    plots.push_back({{"x", "message_bytes"},
                     {"y", "simulated_over_model"},
                     {"series", "algorithm"},
                     {"facet", "model,procs"},
                     {"log", "xy"},
                     {"only", "collective=" + call.collective},
                     {"title", call.collective + ": simulated over model"}});
  }
  return plots;
}

reports::Document document_of(const Request& request, const platforms::Machine& machine,
                              const std::vector<CheckedCall>& calls, const Parameters& parameters,
                              const CheckRun& run) {
  reports::Document document;
  document.provenance =
      reports::provenance_of(machine, request.platform, request.overrides, request.command);
  document.failed = run.failed;
  document.schema = "sim.validate.models/1";
  document.about = {fmt::format("Formulas beside simulations on {}: {} calls, engine flow",
                                machine.name, calls.size()),
                    reference_text(request), parameters_text(parameters)};
  if (run.not_run > 0)
    document.about.push_back(fmt::format("INCOMPLETE: {} calls were not run", run.not_run));
  document.tables = {points_table(calls), errors_table(calls, request), ranking_table(calls),
                     choices_table(calls)};
  document.plots = plots_of(calls);
  return document;
}

// ---- what --fail-above says ----

std::optional<Error> too_far_off(const std::vector<CheckedCall>& calls, double most_error) {
  std::size_t above = 0, all = 0;
  std::string worst;
  double worst_error = 0;
  for (const auto& call : calls)
    for (const auto& formula : call.formulas) {
      const auto error = studies::model_error(call.times, formula.time_s);
      const double off = error.error.value_or(error.contention_free_error.value_or(0));
      ++all;
      above += std::abs(off) > most_error;
      if (std::abs(off) <= std::abs(worst_error)) continue;
      worst_error = off;
      worst = fmt::format("{} {}, {}, {} processes, {}", call.collective, call.algorithm,
                          formula.model, call.procs, format_bytes(call.message_bytes));
    }
  if (above == 0) return std::nullopt;
  return make_error(
      ErrorKind::run, "",
      fmt::format("{} of {} formulas are off by more than {:.4g} %", above, all, most_error * 100),
      fmt::format("the worst: {}: {:+.1f} %", worst, worst_error * 100));
}

int report(const Request& request, const platforms::Machine& machine,
           const std::vector<CheckedCall>& calls, const Parameters& parameters, const CheckRun& run,
           const Diagnostics& diagnostics) {
  const auto document = document_of(request, machine, calls, parameters, run);
  const int written = write_document(document, request.document, diagnostics);
  if (written != exit_done) return written;
  if (run.code != exit_done || !request.most_error) return run.code;
  const auto error = too_far_off(calls, *request.most_error);
  return error ? diagnostics.fail({*error}) : exit_done;
}

int run(const Parsed& parsed, const Diagnostics& diagnostics) {
  const auto request = Reading(parsed).read();
  if (!request) return diagnostics.fail(request.errors());
  const auto machine = platforms::load_machine(request->platform, request->overrides);
  if (!machine) return diagnostics.fail(machine.errors());
  const auto points = points_of(*request, *machine);
  if (!points) return diagnostics.fail(as_typed(points.errors(), parsed));
  for (const auto& warning : machine->warnings) diagnostics.warning(warning);
  const studies::SimplifiedMachines machines(*machine);
  std::vector<studies::StudyPoint> jobs;
  for (const Point& point : *points)
    jobs.push_back({.key = {},
                    .description = {},
                    .name = name_of(point),
                    .parameters = {},
                    .simulate = [&] { return simulated(point, machines, request->options); },
                    .memory_bytes = studies::memory_estimate(point)});
  const CheckRun checked = run_check(jobs, request->jobs, diagnostics);
  const Parameters parameters = parameters_of(*request, *machine);
  std::vector<CheckedCall> calls;
  for (std::size_t i = 0; i < points->size(); ++i) {
    if (!checked.answers[i]) continue;
    calls.push_back(described(*request, (*points)[i], *machine, parameters));
    calls.back().times = times_in(*checked.answers[i]);
  }
  if (calls.empty()) return checked.code;
  return report(*request, *machine, calls, parameters, checked, diagnostics);
}

}  // namespace

const Subcommand validate_models{
    .usage = "models",
    .summary = "formulas of collectives, against simulated contention",
    .help =
        "Puts the formulas of collectives (Hockney, LogGP) beside simulations with and without "
        "contention: how far each is off, where and why, and whether a model ranks the algorithms "
        "rightly. Links, cards, nodes and protocol are switched off in turn, so that their parts "
        "sum up to the error.",
    .specs = specs,
    .run = run};

}  // namespace tutti::commands
