// SPDX-License-Identifier: BSD-3-Clause
// sim validate models: formulas of collectives beside simulations with and without contention.

#include "sim/base/common.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/commands/options.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/point_run.hpp"
#include "sim/studies/memory_estimate.hpp"
#include "sim/studies/point.hpp"
#include "sim/studies/workloads/collective_options.hpp"
#include "sim/validate/command/validate.hpp"
#include "sim/validate/report/model_report.hpp"

namespace tutti::commands {
namespace {

using studies::CheckedCall;
using studies::Point;

constexpr std::string_view collectives_group = "The collectives";
constexpr std::string_view checking = "What is compared";

constexpr const char* validated_sizes = "128:1MiB";

struct ValidateModelsRequest : JobRequest {
  std::vector<studies::Sweep> sweeps;  // of each collective
  std::vector<std::string> models;
  std::string parameters = "platform";
  studies::ModelCheckOptions options;
  std::optional<double> most_error;
  int jobs = default_jobs();
  DocumentOutput document;
};

class ValidateModelsReading {
 public:
  ValidateModelsReading(OptionReader& reader, ValidateModelsRequest& request)
      : reader_(reader), request_(request) {}

  void read() {
    read_job();
    read_collectives();
    read_comparison();
  }

 private:
  void read_job() {
    reader_.read_axis("--procs", count_axis, job_.procs);
    reader_.read_axis("--ppn", count_axis, job_.ppn);
    reader_.read_axis("--segment-size", bytes_axis, job_.segment_bytes);
    reader_.read_placement(job_.common.placement);
    job_.common.engine = engines::EngineKind::flow;
    job_.message_bytes = options::parse_axis(validated_sizes, bytes_axis).value();
    reader_.read_axis("--message-size", bytes_axis, job_.message_bytes);
  }

  // Each name once.
  std::vector<std::string> list_of(std::string_view option, const std::vector<std::string>& all,
                                   const std::string& hint) {
    if (!values_.has(option) || values_.value(option) == "all") return all;
    std::vector<std::string> names;
    for (const std::string_view name : split(values_.value(option), ',')) {
      if (std::ranges::find(all, name) == all.end())
        reader_.wrong(std::string(option), fmt::format("unknown name {}", in_quotes(name)),
                      did_you_mean(std::string(name), all, hint));
      if (std::ranges::find(names, name) == names.end()) names.emplace_back(name);
    }
    return names;
  }

  void read_collectives() {
    const std::string listed = "`sim list algorithms` names them all";
    std::vector<std::string> algorithms;
    for (const auto& each : algorithms::all_algorithms())
      if (std::ranges::find(algorithms, each.name) == algorithms.end())
        algorithms.emplace_back(each.name);
    const bool all = !values_.has("--algorithm") || values_.value("--algorithm") == "all";
    const auto wanted = list_of("--algorithm", algorithms, listed);
    for (const auto& name : list_of("--collective", studies::collective_names(), listed))
      add_collective(name, all ? std::vector<std::string>{"all"} : wanted);
    if (reader_.errors().empty() && request_.sweeps.empty())
      reader_.wrong("--algorithm", "no collective that was asked for has it",
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
    request_.models = list_of("--models", {"hockney", "loggp"}, "there are: hockney, loggp");
    const auto which = choice_of(values_, "--contention", {"both", "on", "off"});
    if (!which) return reader_.add(which.errors());
    request_.options = {.with_contention = *which != "off",
                        .without_contention = *which != "on",
                        .parts = *which == "both" && !values_.has("--no-parts")};
  }

  OptionReader& reader_;
  const OptionValues& values_ = reader_.values();
  ValidateModelsRequest& request_;
  studies::Sweep job_;
};

using ModelsOptions = options::OptionTable<ValidateModelsRequest>;

// What is given for --parameters goes by its word.
void read_parameters(OptionReader& reader, std::string_view option,
                     ValidateModelsRequest& request) {
  if (const auto whose = choice_of(reader.values(), option, {"platform", "protocol", "measured"}))
    request.parameters = *whose;
  else
    reader.add(whose.errors());
}

const ModelsOptions validate_models_options =
    ModelsOptions({}) + machine_options() +
    ModelsOptions{
        {job_option::procs, options::required("the numbers of processes"), {}},
        {job_option::ppn},
        {job_option::machine, "--map", "HOW", "block (default), round-robin, file:PATH",
         options::takes(job_option::map_words)},
        {job_option::oversubscribe},
        {job_option::machine, "--force", "", "simulate although the memory seems too small",
         options::flag(&ValidateModelsRequest::force)},
        {taking("all",
                taking(studies::collective_names, {collectives_group, "--collective", "NAMES",
                                                   "a list; default: all with formulas"}))},
        {collectives_group, "--algorithm", "NAMES", "of these collectives; default: all that run",
         options::takes("all")},
        {collectives_group, "--message-size", "SIZES", "default: 128:1MiB, doubling"},
        {collectives_group, "--segment-size", "SIZES", "0 (default): not segmented"},
        {checking, "--models", "NAMES",
         "hockney,loggp (default: both)"
         "\nWhich formulas; default: both.",
         options::takes("hockney loggp")},
        {checking, "--parameters", "WHOSE",
         "platform (default): the sets of the platform's file; protocol: derived from its message "
         "protocol; measured: as `sim run loggp` measures them"
         "\n`platform` (default): the sets of the platform's file; `protocol`: derived from its "
         "message protocol; `measured`: as `sim run loggp` measures them on the simulated machine.",
         options::takes("platform protocol measured"), read_parameters},
        {checking, "--contention", "WHICH",
         "both (default), on, or off: what is simulated beside the formulas"
         "\nWhat is simulated beside the formulas. Off leaves the nodes' network cards shared, as "
         "in `sim run`.",
         options::takes("both on off")},
        {checking, "--no-parts", "",
         "do not switch off cards, nodes and protocol in turn: three simulations of a call less"
         "\nLeave out the parts of the errors: three simulations of each call less."},
        {checking, "--fail-above", "PERCENT",
         "exit code 1 if a formula is off by more, as in 10%"
         "\nThe exit code is 1 if a formula is off by more, and the worst is named.",
         options::fraction(&ValidateModelsRequest::most_error)},
        {jobs_option, options::made(jobs_of, &ValidateModelsRequest::jobs)}}
        .then([](OptionReader& reader, ValidateModelsRequest& request) {
          ValidateModelsReading(reader, request).read();
        }) +
    document_options(
        {.parts = reports::model_document_parts,
         .part = job_option::output_row("--part", "NAME",
                                        "one table alone: errors, ranking, choices, points; csv "
                                        "and jsonl have the points otherwise")})
        .of(&ValidateModelsRequest::document);

// Errors of all collectives; calls without a formula are left out.
Result<std::vector<Point>> points_of(const ValidateModelsRequest& request,
                                     const platforms::Machine& machine) {
  std::vector<Point> all;
  for (const auto& sweep : request.sweeps) {
    auto points = TUTTI_TRY(studies::points_of(sweep, machine));
    for (auto& point : points.all)
      if (point.call.algorithm->cost != nullptr && point.placement.procs > 1)
        all.push_back(std::move(point));
  }
  if (all.empty())
    return usage_error("options", "leave nothing to compare",
                       "formulas need an algorithm and two processes or more");
  return all;
}

std::optional<Error> too_far_off(const std::vector<CheckedCall>& calls, double most_error) {
  const auto found = studies::far_off(calls, most_error);
  if (found.above == 0) return std::nullopt;
  return make_error(
      ErrorKind::run, "",
      fmt::format("{} of {} formulas are off by more than {:.4g} %", found.above, found.all,
                  most_error * 100),
      fmt::format("the worst: {} {}, {}, {} processes, {}: {:+.1f} %", found.worst->collective,
                  found.worst->algorithm, found.worst_model, found.worst->procs,
                  format_bytes(found.worst->message_bytes), found.worst_error * 100));
}

std::vector<studies::StudyPoint> model_simulations(const std::vector<Point>& points,
                                                   const studies::SimplifiedMachines& machines,
                                                   const studies::ModelCheckOptions& options) {
  std::vector<studies::StudyPoint> simulations;
  for (const Point& point : points) {
    const auto simulate = [&]() -> Result<Row> {
      return studies::row_of(TUTTI_TRY(studies::model_times(point, machines, options)));
    };
    simulations.push_back(studies::simulation_of(point, simulate));
  }
  return simulations;
}

Result<int> check_models(const ValidateModelsRequest& request, const platforms::Machine& machine,
                         const std::vector<Point>& points,
                         const studies::ModelParameters& parameters,
                         const Diagnostics& diagnostics) {
  const studies::SimplifiedMachines machines(machine);
  const auto run =
      run_check(model_simulations(points, machines, request.options), request.jobs, diagnostics);
  reports::ModelReport report;
  begin_report(report, request, machine, run);
  report.parameters = parameters;
  report.options = request.options;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!run.answers[i]) continue;
    report.calls.push_back(studies::checked_call(points[i], machine, request.models, parameters));
    report.calls.back().times = studies::times_in(*run.answers[i]);
  }
  if (report.calls.empty()) return run.code;
  TUTTI_TRY(write_document(reports::model_document(report), request.document));
  if (run.code != exit_done || !request.most_error) return run.code;
  const auto error = too_far_off(report.calls, *request.most_error);
  if (error) return *error;
  return exit_done;
}

Result<int> run_validate_models(const OptionValues& parsed, const Diagnostics& diagnostics) {
  const auto request = TUTTI_TRY(request_of(parsed, validate_models_options, "validate models"));
  const auto machine = TUTTI_TRY(platforms::load_machine(request.platform, request.overrides));
  const auto points = points_of(request, machine);
  if (!points) return parsed.placed(points.errors());
  const auto parameters =
      TUTTI_TRY(studies::parameters_of(request.parameters, machine, request.models));
  if (const auto errors = studies::job_errors(*points, machine, request.force); !errors.empty())
    return parsed.placed(errors);
  for (const auto& warning : machine.warnings) diagnostics.warning(warning);
  return check_models(request, machine, *points, parameters, diagnostics);
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
    .specs = validate_models_options,
    .run = run_validate_models};

}  // namespace tutti::commands
