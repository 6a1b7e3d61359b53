// SPDX-License-Identifier: BSD-3-Clause
// sim select models: the algorithms that fitted models choose, compared with the best, with
// traditional formulas and with Open MPI's decision rules.

#include "sim/base/common.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/point_run.hpp"
#include "sim/fit/command/model_jobs.hpp"
#include "sim/select/command/select_models.help.hpp"
#include "sim/select/command/select_request.hpp"
#include "sim/select/report/reports.hpp"
#include "sim/studies/background_jobs.hpp"
#include "sim/studies/workloads/collective_options.hpp"

namespace tutti::commands {
namespace {

constexpr const char* selected_segments = "8KiB";
constexpr options::OptionGroup chosen_calls{model_option::calls, texts::select_models.all};

struct SelectModelsRequest : JobRequest, studies::select::ModelChoiceSpec {
  std::string file_path;
  int jobs = default_jobs();
  bool with_cost = false;
  DocumentOutput document;
};

void choose_models(OptionReader& reader, SelectModelsRequest& request) {
  std::vector<std::string> collectives, algorithms;
  const auto has = [](const auto& names, const std::string& name) {
    return std::ranges::find(names, name) != names.end();
  };
  const auto once = [&](std::vector<std::string>& names, const std::string& name) {
    if (!has(names, name)) names.push_back(name);
  };
  for (const auto& model : request.file.models) {
    once(collectives, model.collective);
    once(algorithms, model.algorithm);
  }
  const auto of = reader.names_of("--collective", "all", collectives, true);
  const auto named = reader.names_of("--algorithm", "all", algorithms, true);
  for (const auto& model : request.file.models) {
    if (!has(of, model.collective) || !has(named, model.algorithm)) continue;
    request.models.push_back(model);
    once(request.collectives, model.collective);
  }
  if (reader.errors().empty() && request.models.empty())
    reader.wrong("--algorithm", "the file contains no model of these algorithms and collectives",
                 "`sim fit models` fits others");
}

void place_as_fitted(OptionReader& reader, const studies::ModelFile& file, studies::Sweep& job) {
  if (job.ppn.empty() && file.ppn > 0) job.ppn = {file.ppn};
  if (reader.values().has("--map")) return;
  if (file.map == "round-robin")
    job.common.placement.policy = platforms::MapPolicy::round_robin;
  else if (file.map != "block")
    reader.wrong("--map", fmt::format("is required: the models were fitted with {}", file.map),
                 fmt::format("add --map {}", file.map));
}

void read_models_and_job(OptionReader& reader, SelectModelsRequest& request) {
  read_model_job(reader, selected_segments, request.job);
  if (request.file_path.empty()) return;
  auto file = models_in(request.file_path);
  if (!file) return reader.add(file.errors());
  request.file = *std::move(file);
  choose_models(reader, request);
  place_as_fitted(reader, request.file, request.job);
}

using SelectModelsOptions = options::OptionTable<SelectModelsRequest>;

const SelectModelsOptions select_models_options =
    SelectModelsOptions({}) + machine_options() +
    SelectModelsOptions{
        {job_option::procs, options::required("the numbers of processes"), {}},
        {job_option::machine, "--ppn", "N",
         "Processes per node; default: as in the fit of the models"},
        {job_option::with_help("Placement of ranks; default: as in the fit of the models",
                               job_option::map)},
        {job_option::nodes},
        {job_option::allocation},
        {job_option::oversubscribe},
        {model_option::force, options::flag(&SelectModelsRequest::force)},
        {chosen_calls("--models", "FILE"), options::required("a file of `sim fit models -o FILE`"),
         options::text(&SelectModelsRequest::file_path)},
        {taking("all", taking(studies::collective_names, chosen_calls("--collective", "NAMES")))},
        taking("all", chosen_calls("--algorithm", "NAMES")),
        chosen_calls("--message-size", "SIZES"),
        chosen_calls("--segment-size", "SIZES"),
        {model_option::noise},
        {jobs_option, options::value_from(read_jobs, &SelectModelsRequest::jobs)},
        {job_option::output_file},
        {job_option::provenance},
        {job_option::output_row("--cost", "", texts::select_models["--cost"]),
         options::flag(&SelectModelsRequest::with_cost)},
        {document_format},
        {taking(reports::model_choice_document_parts, part_option)},
        {job_option::color},
        {job_option::quiet},
        {job_option::help}}
        .then(read_models_and_job)
        .then([](OptionReader& reader, SelectModelsRequest& request) {
          read_document(reader, {reports::model_choice_document_parts}, request.document);
        });

Result<int> run_select_models(const OptionValues& parsed, const Diagnostics& diagnostics) {
  const auto request = TUTTI_TRY(read_request(parsed, select_models_options, "select models"));
  const auto machine = TUTTI_TRY(studies::load_machine(request));
  const auto plan = studies::select::plan_choices(request, machine, request.force);
  if (!plan) return parsed.placed(plan.errors());
  for (const auto& warning : machine.warnings) diagnostics.warning(warning);
  warn_of_models(request.file, request.file_path, machine, diagnostics);
  reports::ModelChoiceReport report{
      {},
      model_choices(request, *plan, machine, runner(request.jobs, diagnostics)),
      {fmt::format("models of {}, fitted with {} processes", request.file_path,
                   fmt::join(request.file.procs(), ", ")),
       fmt::format("formulas: Hockney, set {}", machine.hockney.set)}};
  if (report.cells.empty()) return report.run.code;
  begin_report(report, request, machine, report.run);
  if (!request.with_cost)
    for (auto& cell : report.cells) cell.decision_s = 0;
  for (const auto& warning : reports::model_choice_warnings(report)) diagnostics.warning(warning);
  TUTTI_TRY(write_document(reports::model_choice_document(report), request.document));
  return report.run.code;
}

}  // namespace

const Subcommand select_models{
    .usage = "models",
    .summary = "compare the choice of fitted models with the best and Open MPI's",
    .help = texts::select_models["models"],
    .specs = select_models_options,
    .run = run_select_models};

}  // namespace tutti::commands
