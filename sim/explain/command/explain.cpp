// SPDX-License-Identifier: BSD-3-Clause
// sim explain COLLECTIVE --from RULES --to RULES: compares what two libraries choose, and why.
#include "algorithms/selection/decision.hpp"
#include "platforms/reader.hpp"
#include "sim/base/common.hpp"
#include "sim/commands/command.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/point_run.hpp"
#include "sim/explain/command/compared_calls.hpp"
#include "sim/explain/report/reports.hpp"
#include "sim/jobs/accelerators.hpp"
#include "sim/studies/background_jobs.hpp"
#include "sim/studies/workloads/collective_options.hpp"
#include "sim/studies/workloads/workload.hpp"

namespace tutti::commands {
namespace {

struct ExplainOutput {
  studies::explain::Rules rules{"ompi-4.1", "ompi-5.0"};
  bool critical_path = false;
  int jobs = default_jobs();
  DocumentOutput document;
};

constexpr std::string_view decision_group = "Decision rules";

std::vector<std::string> explain_rule_sets() {
  const auto sets = algorithms::selection::rule_sets();
  std::vector<std::string> names(sets.begin(), sets.end());
  for (auto& version : workloads::nccl_rules()) names.push_back(std::move(version));
  return names;
}

auto read_rules(std::string studies::explain::Rules::*side) {
  return [side](OptionReader& reader, std::string_view option, ExplainOutput& output) {
    const std::string& name = output.rules.*side = reader.values().value(option);
    const auto known = explain_rule_sets();
    const bool is_nccl = workloads::is_nccl_choice("auto:" + name);
    if (!is_nccl && std::ranges::find(known, name) == known.end())
      reader.wrong(
          option, fmt::format("unknown decision rules {}", in_quotes(name)),
          did_you_mean(name, known, fmt::format("expected one of {}", fmt::join(known, ", "))));
  };
}

using ExplainOptions = options::OptionTable<ExplainOutput>;

const ExplainOptions& explain_output() {
  static const ExplainOptions table =
      ExplainOptions{
          {options::taking(
               explain_rule_sets,
               {decision_group, "--from", "RULES",
                "Decision rules to compare with; default: ompi-4.1, or those of --to if "
                "they are NCCL's"}),
           read_rules(&studies::explain::Rules::from)},
          {options::taking(explain_rule_sets, {decision_group, "--to", "RULES",
                                               "Decision rules to explain; default: ompi-5.0"}),
           read_rules(&studies::explain::Rules::to)},
          {job_option::output, "--critical-path", "",
           "Show where the time of the rank that finishes last goes, by both rules",
           options::flag(&ExplainOutput::critical_path)},
          {jobs_option, options::value_from(read_jobs, &ExplainOutput::jobs)}} +
      document_options({reports::explain_document_parts}).of(&ExplainOutput::document);
  return table;
}

std::span<const OptionSpec> explain_specs() {
  static const auto all = joined_specs({options_of_compared_calls(), explain_output().specs()});
  return all;
}

Result<int> run_explain(const OptionValues& values, const Diagnostics& diagnostics) {
  OptionReader reader(values);
  studies::CollectiveRequest request;
  ExplainOutput output;
  read_collective(reader, studies::other_workload_names(false), request);
  explain_output().read(reader, output);
  if (!values.has("--from") && workloads::is_nccl_choice("auto:" + output.rules.to))
    output.rules.from = output.rules.to;
  if (!reader.errors().empty()) return reader.errors().errors();
  const auto machine = TUTTI_TRY(studies::load_machine(request));
  for (const auto& warning : machine.warnings) diagnostics.warning(warning);
  if (const auto warning = jobs::device_buffer_warning(machine, request.sweep.message_bytes))
    diagnostics.warning(*warning);
  request.sweep.common.inside.path = output.critical_path;
  const auto pairs = TUTTI_TRY(studies::explain::make_pairs(request.sweep, output.rules, machine));
  if (pairs.all.empty() && pairs.skipped.count > 0) return pairs.skipped.reasons;
  auto comparisons =
      studies::explain::compare(pairs.all, output.rules, machine, runner(output.jobs, diagnostics));
  reports::ExplainReport report{{},           std::move(comparisons), request.sweep.collective,
                                output.rules, output.critical_path,   &machine};
  JobRequest job;
  static_cast<options::MachineRequest&>(job) = request;
  job.command = fmt::format("sim explain {}{}", request.sweep.collective,
                            reproducing_options(explain_specs(), values));
  begin_report(report, job, machine, report.run);
  TUTTI_TRY(write_document(explain_document(report), output.document));
  return report.run.code;
}

const Subcommand explain_alone{
    .usage = "explain COLLECTIVE",
    .help =
        "Simulates a collective with the decision rules of two libraries, for example of Open "
        "MPI 4.1 and 5.0, and prints for each point both times, their ratio, the algorithms "
        "that run, and why: the component that chose them and the inputs of its decision, or "
        "the times that NCCL predicts.",
    .specs = explain_specs,
    .run = run_explain,
    .operands = Operands::names,
    .words = studies::collective_names};

}  // namespace

std::vector<OptionSpec> options_of_compared_calls() {
  constexpr std::string_view decided[] = {"--algorithm", "--segment-size", "--fanout",
                                          "--profile",   "--model-only",   "--repetitions"};
  std::vector<OptionSpec> specs;
  for (const OptionSpec& spec : studies::collective_options().specs())
    if (std::ranges::find(decided, spec.name()) == std::end(decided))
      specs.push_back(spec.names == options::shared::platform.names ? options::shared::platform
                                                                    : spec);
  return specs;
}

extern const Command explain_command{
    .name = "explain",
    .summary = "compare two libraries' choices of algorithms, and why they differ",
    .alone = &explain_alone};

}  // namespace tutti::commands
