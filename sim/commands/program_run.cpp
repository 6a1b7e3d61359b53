// SPDX-License-Identifier: BSD-3-Clause
// sim run trace PROGRAM: simulates a program and writes the trace of its run.

#include "sim/base/common.hpp"
#include "sim/commands/command.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/commands/job_run.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/run.help.hpp"
#include "sim/studies/background_jobs.hpp"
#include "sim/studies/workloads/program_options.hpp"
#include "workloads/traces/otf2_new.hpp"

namespace tutti::commands {
namespace {

struct ProgramRun : studies::ProgramRequest {
  std::optional<std::string> folder;  // unset: no trace is written
  DocumentOutput document;
};

std::vector<std::string> program_parts() { return {"run"}; }

// The output is a folder; a report can be redirected.
void new_folder(OptionReader& read, std::string_view option, ProgramRun& run) {
  run.folder = read_new_folder(read, option);
}

const options::OptionTable<ProgramRun>& program_output() {
  static const options::OptionTable<ProgramRun> table{
      {written(job_option::output_row(
           "-o,--write-trace", "DIR",
           "Write the trace to DIR, a new or empty folder; default: none"
           "\nWrite the trace as OTF2 to DIR, a new or empty folder: DIR/traces.otf2. Regions, "
           "messages and collectives are recorded as Score-P records them, with the simulated "
           "times in nanoseconds.")),
       new_folder},
      {document_format},
      {job_option::provenance},
      {job_option::color},
      {job_option::quiet},
      {job_option::help}};
  return table;
}

constexpr auto program_specs = join_run_specs<studies::program_options, program_output>;

std::string program_help(const std::string&) {
  std::string programs = "\nPrograms:\n";
  for (const auto& application : workloads::applications::all_applications())
    programs += fmt::format("  {:<9} {}\n", application.name, application.summary);
  return help_text("sim run trace PROGRAM --platform NAME --procs N -o DIR", texts::run["trace"],
                   {}) +
         programs + options_help(program_specs());
}

Result<ProgramRun> read_run(const OptionValues& values) {
  ProgramRun run;
  OptionReader reader(values);
  studies::read_program(reader, run);
  program_output().read(reader, run);
  reader.take("", document_output(values, program_parts()), run.document);
  if (!reader.errors().empty()) return reader.errors().errors();
  return run;
}

// Runs in a child process, which also writes the trace.
jobs::StudyPoint make_program_point(const ProgramRun& run, const platforms::Machine& machine) {
  jobs::StudyPoint point;
  point.name = studies::name_of(run.job);
  point.live = std::make_shared<jobs::LiveProgress>();
  point.simulate = [&run, &machine, live = point.live]() -> Result<Row> {
    const auto recorded = TUTTI_TRY(jobs::record_run(run.job, machine, live.get()));
    if (run.folder)
      if (auto error = workloads::traces::write_otf2(recorded.trace, *run.folder)) return *error;
    return studies::result_row(recorded);
  };
  return point;
}

reports::DocumentTable run_table(const Row& row) {
  static const std::map<std::string, reports::ShownAs, std::less<>> shown{
      {"program", {"Program"}},   {"procs", {"Procs"}},
      {"nodes", {"Nodes"}},       {"time_s", {"Time (ms)", reports::Shown::ms}},
      {"messages", {"Messages"}}, {"empty_messages", {"Empty"}},
      {"events", {"Events"}}};
  reports::TableOf table(std::vector<Row>(1, row), {.name = "run"});
  for (const auto& [name, value] : row) {
    const auto head = shown.find(name);
    table.add(name, head == shown.end() ? std::nullopt : std::optional(head->second),
              [name = name](const Row& of) { return cell_in(of, name); });
  }
  return table.take();
}

// "The trace of lb-coll: DIR".
reports::Document make_run_document(const ProgramRun& run, const OptionValues& values,
                                    const platforms::Machine& machine, const Row& results) {
  reports::Document document;
  document.schema = "sim.run.trace/1";
  const auto& application = *run.job.application;
  document.provenance =
      reports::provenance_of(machine, run.platform, run.overrides,
                             fmt::format("sim run trace {}{}", application.name,
                                         reproducing_options(program_specs(), values)));
  document.about = {fmt::format("{}: {}", application.name, application.summary)};
  Row row = studies::described(run);
  row.insert(row.end(), results.begin(), results.end());
  row.push_back({"trace", run.folder ? Cell(*run.folder) : Cell()});
  document.tables.push_back(run_table(row));
  document.tables.front().notes.push_back(run.folder ? "The trace is in " + *run.folder
                                                     : "No trace was written; -o DIR writes it");
  return document;
}

Result<int> run_program_workload(const OptionValues& values, const Diagnostics& diagnostics) {
  auto run = TUTTI_TRY(read_run(values));
  const auto machine = TUTTI_TRY(studies::load_machine(run));
  std::vector<std::string> warnings = machine.warnings;
  if (auto error = studies::complete(run, machine, warnings)) return *std::move(error);
  if (auto warning = studies::shared_nodes_warning(std::array{run.job}, machine))
    warnings.push_back(*std::move(warning));
  for (const auto& warning : warnings) diagnostics.warning(warning);
  if (run.job.engine == engines::EngineKind::simgrid)
    if (auto error = engines::load_simgrid()) return *std::move(error);
  const auto ran = run_check({make_program_point(run, machine)}, 1, diagnostics);
  if (!ran.answers.front()) return ran.code;
  TUTTI_TRY(
      write_document(make_run_document(run, values, machine, *ran.answers.front()), run.document));
  return ran.code;
}

}  // namespace

const RunWorkload program_run{studies::program_workload, program_specs, program_help,
                              run_program_workload};

}  // namespace tutti::commands
