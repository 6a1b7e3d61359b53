// SPDX-License-Identifier: BSD-3-Clause

#include "sim/base/text_file.hpp"
#include "sim/commands/command.hpp"
#include "sim/fit/command/model_jobs.hpp"
#include "sim/select/cell_times.hpp"
#include "sim/select/command/select.help.hpp"
#include "sim/select/command/select_request.hpp"
#include "sim/select/report/reports.hpp"
#include "sim/studies/background_jobs.hpp"

namespace tutti::commands {
namespace {

const Subcommand* const select_subcommands[] = {&select_models, &select_rules, &select_evaluate};

// sim select evaluate: any rules file on any calls, compared with the library's own choice and the
// best algorithm.

using algorithms::selection::DynamicRules;
using studies::select::EvaluatedCell;
using studies::select::Evaluation;
using studies::select::EvaluationCell;

constexpr options::OptionGroup scoring_group{"The evaluation", texts::select.all};
constexpr double default_tolerance = 0.05;

struct EvaluateRequest : JobRequest {
  Evaluation evaluation;
  std::optional<double> fail_above;
  int jobs = default_jobs();
  DocumentOutput document;
  std::vector<Error> warnings;  // about the rules file
};

// Without --collective, evaluates the collectives that the file decides.
void read_evaluated(OptionReader& reader, Evaluation& evaluation) {
  std::vector<std::string> all, decided;
  for (const auto& collective : algorithms::all_collectives()) {
    const std::string name(collective.name);
    if (!algorithms::selection::applies_rules_file(name)) continue;
    all.push_back(name);
    if (evaluation.rules->decides(name)) decided.push_back(name);
  }
  evaluation.collectives = reader.values().has("--collective")
                               ? reader.names_of("--collective", "all", all, true)
                               : std::move(decided);
  if (evaluation.collectives.empty() && reader.errors().empty())
    reader.wrong(evaluation.rules->file(), "no rule of the file names an algorithm",
                 "evaluate other collectives with --collective");
}

void read_file(OptionReader& reader, EvaluateRequest& request) {
  const auto& arguments = reader.values().arguments;
  if (arguments.size() != 1 || arguments.front().empty())
    return reader.wrong("", "expected one file of dynamic rules",
                        "for example one that `sim select rules -o` wrote");
  const auto text = read_text_file(arguments.front());
  if (!text) return reader.add(text.errors());
  auto rules = std::make_shared<const DynamicRules>(*text, arguments.front());
  if (rules->ignored()) return reader.add({*rules->ignored()});
  request.warnings = rules->warnings();
  if (!rules->library().starts_with("ompi"))
    return reader.wrong(rules->file(), "is a file of MPICH, not of Open MPI",
                        "sim rules diff compares it with other rules");
  request.evaluation.candidates.library = rules->library();
  request.evaluation.rules = std::move(rules);
  read_evaluated(reader, request.evaluation);
}

void read_repetitions(OptionReader& reader, EvaluateRequest& request) {
  request.evaluation.common.benchmark.repetitions =
      static_cast<int>(reader.single("--repetitions", count_axis, 10));
  if (reader.values().has("--repetitions") && !reader.values().has("--noise"))
    reader.wrong("--repetitions", "has no effect without --noise: all repetitions are equal",
                 "omit it");
}

using EvaluateOptions = options::OptionTable<EvaluateRequest>;

const EvaluateOptions select_evaluate_options =
    EvaluateOptions({}) + machine_options() + cell_job_options().of(&EvaluateRequest::evaluation) +
    EvaluateOptions{{model_option::force, options::flag(&EvaluateRequest::force)}} +
    cell_options({.collectives = "Collectives, a list; default: all that the file decides",
                  .sizes = "1:4MiB:*4",
                  .sizes_shown = "Message sizes; default: 1:4MiB:*4"})
        .of(&EvaluateRequest::evaluation) +
    EvaluateOptions{
        {scoring_group("--no-best", ""),
         options::flag(options::within(&EvaluateRequest::evaluation, &Evaluation::has_best),
                       false)},
        {scoring_group("--fail-above", "PERCENT"), options::fraction(&EvaluateRequest::fail_above)},
        {taking("multiplicative: additive:", scoring_group("--noise", "HOW")),
         options::parse_with(
             workloads::parse_noise, [](EvaluateRequest& request) -> auto& {
               return request.evaluation.common.benchmark.noise;
             })},
        scoring_group("--repetitions", "N"),
        {jobs_option, options::value_from(read_jobs, &EvaluateRequest::jobs)}}
        .then(read_file)
        .then(read_repetitions) +
    document_options({.parts = reports::evaluation_document_parts,
                      .part = job_option::output_row("--part", "NAME", texts::select["--part"])})
        .of(&EvaluateRequest::document);

// Returns exit code 1 if a cell is slower than --fail-above allows.
Result<int> score(const EvaluateRequest& request, const std::vector<EvaluatedCell>& cells) {
  if (!request.fail_above) return exit_done;
  std::size_t slower = 0;
  for (const auto& cell : cells) slower += cell.above_own() > *request.fail_above;
  if (slower == 0) return exit_done;
  return make_error(
      ErrorKind::check, request.evaluation.rules->file(),
      fmt::format("{} of {} slower than the library's own choice by more than {:.4g} %", slower,
                  counted(cells.size(), "cell"), *request.fail_above * 100),
      "--part worst lists them");
}

Result<int> evaluate(const EvaluateRequest& request, const platforms::Machine& machine,
                     const std::vector<EvaluationCell>& cells, const Diagnostics& diagnostics) {
  const auto& evaluation = request.evaluation;
  reports::EvaluationReport report{
      {},
      studies::select::evaluate(evaluation, cells, machine, runner(request.jobs, diagnostics)),
      evaluation.rules->file(),
      evaluation.candidates.library,
      request.fail_above.value_or(default_tolerance),
      count_unplaceable(evaluation.axes, machine)};
  if (report.run.code != exit_done || report.run.not_run > 0) return report.run.code;
  begin_report(report, request, machine, report.run);
  const auto& noise = evaluation.common.benchmark.noise;
  if (noise.kind != runtime::Noise::Kind::none) report.noise = workloads::format_noise(noise);
  TUTTI_TRY(write_document(reports::evaluation_document(report), request.document));
  return score(request, report.cells);
}

Result<int> run_select_evaluate(const OptionValues& parsed, const Diagnostics& diagnostics) {
  const auto request =
      TUTTI_TRY(read_request(parsed, select_evaluate_options, "select evaluate", Words::files));
  const auto machine = TUTTI_TRY(studies::load_machine(request));
  const auto cells = list_cells(request.evaluation, machine);
  if (cells.empty())
    if (const auto error = placement_error(request.evaluation.axes, machine))
      return parsed.placed({*error});
  if (const auto errors = check_cells(request.evaluation, cells, machine, request.force);
      !errors.empty())
    return parsed.placed(errors);
  for (const auto& warning : machine.warnings) diagnostics.warning(warning);
  for (const auto& warning : request.warnings)
    diagnostics.warning(algorithms::selection::one_line(warning));
  return evaluate(request, machine, cells, diagnostics);
}

}  // namespace

extern const Command select_command{
    .name = "select",
    .summary = "choose algorithms by models, or as Open MPI rules",
    .alone = &select_models,
    .help = "Chooses the algorithm of a collective for each number of processes and message size.",
    .subcommands = select_subcommands};

const Subcommand select_evaluate{.usage = "evaluate FILE",
                                 .summary = "evaluate a rules file on any calls",
                                 .help = texts::select["evaluate"],
                                 .specs = select_evaluate_options,
                                 .run = run_select_evaluate};

}  // namespace tutti::commands
