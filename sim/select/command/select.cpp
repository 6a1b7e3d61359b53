// SPDX-License-Identifier: BSD-3-Clause
#include "sim/select/command/select.hpp"

#include "sim/base/text_file.hpp"
#include "sim/commands/command.hpp"
#include "sim/select/cell_times.hpp"
#include "sim/select/command/select_request.hpp"
#include "sim/select/report/reports.hpp"

namespace tutti::commands {
namespace {

const Subcommand* const select_subcommands[] = {&select_models, &select_rules, &select_evaluate};

}  // namespace

extern const Command select_command{
    .name = "select",
    .summary = "which algorithm: by models, as rules",
    .alone = &select_models,
    .help = "Which algorithm of a collective for which processes and message sizes?",
    .subcommands = select_subcommands};

// sim select evaluate: any rules file on any calls, against the library's own choice and the best.

namespace {

using algorithms::selection::DynamicRules;
using studies::select::EvaluatedCell;
using studies::select::Evaluation;
using studies::select::EvaluationCell;

constexpr std::string_view scoring_group = "How it is judged";
constexpr double default_tolerance = 0.05;

struct EvaluateRequest : JobRequest {
  Evaluation evaluation;
  std::optional<double> fail_above;
  int jobs = default_jobs();
  DocumentOutput document;
  std::vector<Error> warnings;  // of the file
};

// All that the file decides, where none are named.
void read_evaluated(OptionReader& reader, Evaluation& evaluation) {
  std::vector<std::string> all, decided;
  for (const auto& each : algorithms::all_collectives()) {
    const std::string name(each.name);
    if (!algorithms::selection::applies_rules_file(name)) continue;
    all.push_back(name);
    if (evaluation.rules->decides(name)) decided.push_back(name);
  }
  evaluation.collectives = reader.values().has("--collective")
                               ? reader.names_of("--collective", "all", all, true)
                               : std::move(decided);
  if (evaluation.collectives.empty() && reader.errors().empty())
    reader.wrong(evaluation.rules->file(), "no rule of the file names an algorithm",
                 "--collective judges others");
}

void read_file(OptionReader& reader, EvaluateRequest& request) {
  const auto& arguments = reader.values().arguments;
  if (arguments.size() != 1 || arguments.front().empty())
    return reader.wrong("", "one file of dynamic rules is needed",
                        "as `sim select rules -o` writes it");
  const auto text = read_text_file(arguments.front());
  if (!text) return reader.add(text.errors());
  auto rules = std::make_shared<const DynamicRules>(*text, arguments.front());
  if (rules->ignored()) return reader.add({*rules->ignored()});
  request.warnings = rules->warnings();
  request.evaluation.rules = std::move(rules);
  read_evaluated(reader, request.evaluation);
}

void read_repetitions(OptionReader& reader, EvaluateRequest& request) {
  request.evaluation.common.benchmark.repetitions =
      static_cast<int>(reader.single("--repetitions", count_axis, 10));
  if (reader.values().has("--repetitions") && !reader.values().has("--noise"))
    reader.wrong("--repetitions", "has no effect without --noise: all would be equal", "omit it");
}

using EvaluateOptions = options::OptionTable<EvaluateRequest>;

const EvaluateOptions select_evaluate_options =
    EvaluateOptions({}) + machine_options() + cell_job_options().of(&EvaluateRequest::evaluation) +
    EvaluateOptions{{select_option::force, options::flag(&EvaluateRequest::force)}} +
    cell_options({.collectives = "a list; default: all that the file decides",
                  .sizes = "1:4MiB:*4",
                  .sizes_shown = "default: 1:4MiB:*4"})
        .of(&EvaluateRequest::evaluation) +
    EvaluateOptions{
        {scoring_group, "--no-best", "",
         "simulate the rules and the library's own choice alone, not all algorithms",
         options::flag(options::within(&EvaluateRequest::evaluation, &Evaluation::has_best),
                       false)},
        {scoring_group, "--fail-above", "PERCENT",
         "exit code 1 if a cell is slower than the library's own choice by more",
         options::fraction(&EvaluateRequest::fail_above)},
        {scoring_group, "--noise", "HOW",
         "multiplicative:PART[:SEED], additive:TIME[:SEED]"
         "\nAs in `sim run`; the median of N calls (10) counts, with the same seed for each.",
         options::takes("multiplicative: additive:"),
         options::parsed(
             workloads::parse_noise, [](EvaluateRequest& request) -> auto& {
               return request.evaluation.common.benchmark.noise;
             })},
        {scoring_group, "--repetitions", "N",
         "with noise: calls, of which the median counts; default: 10"},
        {jobs_option, options::made(jobs_of, &EvaluateRequest::jobs)}}
        .then(read_file)
        .then(read_repetitions) +
    document_options({.parts = reports::evaluation_document_parts,
                      .part = job_option::output_row(
                          "--part", "NAME",
                          "one table alone: cells, summary, worst"
                          "\nAll cells (csv and jsonl have these otherwise), sums by collective, "
                          "the ten that are worst against the library's own choice.")})
        .of(&EvaluateRequest::document);

// Exit code 1 where a cell is slower than --fail-above allows.
Result<int> score(const EvaluateRequest& request, const std::vector<EvaluatedCell>& cells) {
  if (!request.fail_above) return exit_done;
  std::size_t slower = 0;
  for (const auto& cell : cells) slower += cell.above_own() > *request.fail_above;
  if (slower == 0) return exit_done;
  return make_error(
      ErrorKind::check, request.evaluation.rules->file(),
      fmt::format("{} of {} slower than the library's own choice by more than {:.4g} %", slower,
                  counted(cells.size(), "cell"), *request.fail_above * 100),
      "--part worst has them");
}

Result<int> evaluate(const EvaluateRequest& request, const platforms::Machine& machine,
                     const std::vector<EvaluationCell>& cells, const Diagnostics& diagnostics) {
  const auto runs = runner(request.jobs, diagnostics);
  auto found = studies::select::evaluate(request.evaluation, cells, machine, runs);
  reports::EvaluationReport report;
  begin_report(report, request, machine, found.run);
  report.file = request.evaluation.rules->file();
  report.tolerance = request.fail_above.value_or(default_tolerance);
  report.without_room = placements_without_room(request.evaluation.axes, machine);
  const auto& noise = request.evaluation.common.benchmark.noise;
  if (noise.kind != runtime::Noise::Kind::none) report.noise = workloads::format_noise(noise);
  report.cells = std::move(found.cells);
  report.too_large = found.too_large;
  if (found.run.code != exit_done || found.run.not_run > 0) return found.run.code;
  TUTTI_TRY(write_document(reports::evaluation_document(report), request.document));
  return score(request, report.cells);
}

Result<int> run_select_evaluate(const OptionValues& parsed, const Diagnostics& diagnostics) {
  const auto request =
      TUTTI_TRY(request_of(parsed, select_evaluate_options, "select evaluate", Words::files));
  const auto machine = TUTTI_TRY(platforms::load_machine(request.platform, request.overrides));
  const auto cells = cells_of(request.evaluation, machine);
  if (cells.empty())
    if (const auto error = without_room(request.evaluation.axes, machine))
      return parsed.placed({*error});
  if (const auto errors = check_cells(request.evaluation, cells, machine, request.force);
      !errors.empty())
    return parsed.placed(errors);
  for (const auto& warning : machine.warnings) diagnostics.warning(warning);
  for (const auto& warning : request.warnings)
    diagnostics.warning(
        fmt::format("{}:{}: {}: {}", warning.place, warning.line, warning.message, warning.hint));
  return evaluate(request, machine, cells, diagnostics);
}

}  // namespace

const Subcommand select_evaluate{
    .usage = "evaluate FILE",
    .summary = "judge a rules file on any calls",
    .help =
        "Simulates what a file of Open MPI's dynamic rules makes of calls, over processes, "
        "placements, message sizes and sizes of elements, against the library's own choice and the "
        "best of all algorithms. Exit code 1 if a cell is slower than the library's own choice by "
        "more than --fail-above.",
    .specs = select_evaluate_options,
    .run = run_select_evaluate};

}  // namespace tutti::commands
