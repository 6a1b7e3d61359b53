// SPDX-License-Identifier: BSD-3-Clause
// sim validate models: compares formulas of collectives with simulations with and without
// contention.

#include "sim/base/common.hpp"
#include "sim/studies/background_jobs.hpp"
#include "sim/studies/workloads/collective_options.hpp"
#include "sim/validate/command/validate.hpp"
#include "sim/validate/command/validate_models.help.hpp"
#include "sim/validate/report/reports.hpp"

namespace tutti::commands {
namespace {

constexpr std::string_view collectives_group = "The collectives";
constexpr std::string_view checking = "What is compared";

constexpr const char* validated_sizes = "128:1MiB";

struct ValidateModelsRequest : JobRequest, studies::ModelCheckSpec {
  studies::Sweep job;  // of each collective
  std::optional<double> most_error;
  int jobs = default_jobs();
  DocumentOutput document;
};

// Returns the given names without duplicates.
std::vector<std::string> read_names(OptionReader& reader, std::string_view option,
                                    const std::vector<std::string>& all, const std::string& hint) {
  const auto given = reader.values().value_or(option, "all");
  if (given == "all") return all;
  std::vector<std::string> names;
  for (const std::string_view name : split(given, ',')) {
    if (std::ranges::find(all, name) == all.end())
      reader.wrong(option, fmt::format("unknown name {}", in_quotes(name)),
                   did_you_mean(std::string(name), all, hint));
    if (std::ranges::find(names, name) == names.end()) names.emplace_back(name);
  }
  return names;
}

void add_sweep(ValidateModelsRequest& request, const std::string& name,
               const std::vector<std::string>& wanted) {
  const auto* collective = algorithms::find_collective(name);
  if (collective == nullptr) return;
  studies::Sweep sweep = request.job;
  sweep.collective = name;
  sweep.algorithms = studies::algorithms_among(wanted, name);
  if (!collective->has_message) sweep.message_bytes = {0};
  if (!sweep.algorithms.empty()) request.sweeps.push_back(std::move(sweep));
}

void read_sweeps(OptionReader& reader, ValidateModelsRequest& request) {
  const std::string listed = "`sim list algorithms` lists them";
  auto& job = request.job;
  reader.read_placement(job.common.placement);
  job.common.engine = engines::EngineKind::flow;
  if (job.message_bytes.empty())
    job.message_bytes = options::parse_axis(validated_sizes, bytes_axis).value();
  auto wanted = read_names(reader, "--algorithm", studies::algorithm_names(), listed);
  if (reader.values().value_or("--algorithm", "all") == "all")
    wanted = {std::string(workloads::all_name)};
  for (const auto& name : read_names(reader, "--collective", studies::collective_names(), listed))
    add_sweep(request, name, wanted);
  if (reader.errors().empty() && request.sweeps.empty())
    reader.wrong("--algorithm", "none of the requested collectives has this algorithm",
                 "`sim list algorithms` lists the algorithms of each collective");
  request.models =
      read_names(reader, "--formulas", {"hockney", "loggp"}, "expected hockney or loggp");
}

constexpr auto in_job = options::under(&ValidateModelsRequest::job);

using ModelsOptions = options::OptionTable<ValidateModelsRequest>;

const ModelsOptions validate_models_options =
    ModelsOptions({}) + machine_options() +
    ModelsOptions{
        {job_option::procs, options::required("the numbers of processes"),
         options::list(count_axis, in_job(&studies::Sweep::procs))},
        {job_option::ppn, options::list(count_axis, in_job(&studies::Sweep::ppn))},
        {job_option::map},
        {job_option::nodes},
        {job_option::allocation},
        {job_option::oversubscribe},
        {job_option::machine, "--force", "",
         "Simulate even if the estimated memory exceeds that of this machine",
         options::flag(&ValidateModelsRequest::force)},
        {taking("all", taking(studies::collective_names,
                              {collectives_group, "--collective", "NAMES",
                               "Collectives to compare; default: all with formulas"}))},
        {collectives_group, "--algorithm", "NAMES",
         "Algorithms of these collectives; default: all that run", options::takes("all")},
        {collectives_group, "--message-size", "SIZES", "Message sizes; default: 128:1MiB, doubling",
         options::list(bytes_axis, in_job(&studies::Sweep::message_bytes))},
        {collectives_group, "--segment-size", "SIZES",
         "Segment sizes; 0 (default): no segmentation",
         options::list(bytes_axis, in_job(&studies::Sweep::segment_bytes))},
        {taking("hockney loggp", {checking, "--formulas", "NAMES",
                                  "Formulas to compare: hockney, loggp; default: both"})},
        {{checking, "--parameters-from", "SOURCE", texts::validate_models["--parameters-from"]},
         options::choice<std::string>(
             {{"platform", "platform"}, {"protocol", "protocol"}, {"measured", "measured"}},
             &ValidateModelsRequest::parameters)},
        {checking, "--contention", "WHICH", texts::validate_models["--contention"],
         options::choice<studies::ModelCheckOptions>(
             {{"both", {}}, {"on", {true, false, false}}, {"off", {false, true, false}}},
             &ValidateModelsRequest::options)},
        {checking, "--no-parts", "", texts::validate_models["--no-parts"],
         options::flag(
             options::within(&ValidateModelsRequest::options, &studies::ModelCheckOptions::parts),
             false)},
        {checking, "--fail-above", "PERCENT", texts::validate_models["--fail-above"],
         options::fraction(&ValidateModelsRequest::most_error)},
        {jobs_option, options::value_from(read_jobs, &ValidateModelsRequest::jobs)}}
        .then(read_sweeps) +
    document_options(
        {.parts = reports::model_document_parts,
         .part = job_option::output_row("--part", "NAME", texts::validate_models["--part"])})
        .of(&ValidateModelsRequest::document);

std::optional<Error> too_far_off(const std::vector<studies::CheckedCall>& calls,
                                 double most_error) {
  const auto far_off = studies::far_off(calls, most_error);
  if (far_off.above == 0) return std::nullopt;
  return make_error(
      ErrorKind::check, "",
      fmt::format("the error of {} of {} formulas exceeds {:.4g} %", far_off.above, far_off.all,
                  most_error * 100),
      fmt::format("largest error: {} {}, {}, {} processes, {}: {:+.1f} %",
                  far_off.worst->collective, far_off.worst->algorithm, far_off.worst_model,
                  far_off.worst->procs, format_bytes(far_off.worst->message_bytes),
                  far_off.worst_error * 100));
}

Result<int> run_validate_models(const OptionValues& parsed, const Diagnostics& diagnostics) {
  const auto request = TUTTI_TRY(read_request(parsed, validate_models_options, "validate models"));
  const auto machine = TUTTI_TRY(studies::load_machine(request));
  const auto plan = studies::plan_model_check(request, machine, request.force);
  if (!plan) return parsed.placed(plan.errors());
  for (const auto& warning : machine.warnings) diagnostics.warning(warning);
  reports::ModelReport report{
      {},
      simulate_calls(request, *plan, machine, runner(request.jobs, diagnostics)),
      plan->parameters,
      request.options};
  if (report.calls.empty()) return report.run.code;
  begin_report(report, request, machine, report.run);
  TUTTI_TRY(write_document(reports::model_document(report), request.document));
  if (report.run.code != exit_done || !request.most_error) return report.run.code;
  if (const auto error = too_far_off(report.calls, *request.most_error)) return *error;
  return exit_done;
}

}  // namespace

const Subcommand validate_models{.usage = "models",
                                 .summary = "compare formulas of collectives with simulations",
                                 .help = texts::validate_models["models"],
                                 .specs = validate_models_options,
                                 .run = run_validate_models};

}  // namespace tutti::commands
