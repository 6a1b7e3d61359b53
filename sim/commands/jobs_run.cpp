// SPDX-License-Identifier: BSD-3-Clause
// sim run FILE.toml: simulates several jobs on one machine, each alone and all together.

#include "sim/base/common.hpp"
#include "sim/base/text_file.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/pages.texts.hpp"
#include "sim/commands/point_run.hpp"
#include "sim/engines/simgrid_module.hpp"
#include "sim/studies/workloads/job_file.hpp"

namespace tutti::commands {
namespace {

using engines::EngineKind;
using jobs::JobTimes;

std::vector<std::string> jobs_parts() { return {"jobs", "calls"}; }

struct JobsRun : options::MachineRequest {
  EngineKind engine = EngineKind::flow;
  int jobs = default_jobs();
  DocumentOutput document;
};

void read_jobs_engine(OptionReader& read, std::string_view, JobsRun& run) {
  run.engine = read.read_engine_name().value_or(EngineKind::flow);
}

void read_jobs_machine(OptionReader& read, JobsRun& run) {
  run.platform = read.values().value_or("--platform", "");
  read.take("", options::read_overrides(read.values()), run.overrides);
}

const options::OptionTable<JobsRun>& jobs_options() {
  static const options::OptionTable<JobsRun> table =
      options::OptionTable<JobsRun>{
          {taking(platform_names,
                  {job_option::machine, "-p,--platform", "NAME",
                   "SimGrid XML file, or catalog name; default: that of the file"})},
          {job_option::set},
          {job_option::background},
          {job_option::machine, "--engine", "NAME",
           "Simulation engine: flow (default, also auto), simgrid, ideal (untimed)",
           options::takes("auto flow simgrid ideal"), read_jobs_engine},
          {jobs_option, options::value_from(read_jobs, &JobsRun::jobs)}}
          .then(read_jobs_machine) +
      document_options({jobs_parts}).of(&JobsRun::document);
  return table;
}

std::span<const OptionSpec> jobs_specs() { return jobs_options().specs(); }

std::string jobs_help(const std::string&) {
  return std::string(texts::pages["jobs"]) + options_help(jobs_specs());
}

// A row of the tables; times are unset in an untimed engine.
struct JobsRow {
  const jobs::ConcurrentJob* job = nullptr;
  JobTimes alone, together;
  std::int64_t messages = 0;  // of all calls

  bool is_timed() const { return !together.call_s.empty(); }
  double slowdown() const { return together.mean_s() / alone.mean_s(); }
};

std::string times_key(std::size_t job, std::size_t call) { return fmt::format("{}.{}", job, call); }

Result<Row> simulate_jobs(const jobs::JobMix& mix, EngineKind engine,
                          std::optional<std::size_t> only) {
  const auto outcome = TUTTI_TRY(jobs::run_jobs(mix, engine, only));
  Row row;
  row.push_back({"messages", Cell(outcome.messages)});
  for (std::size_t job = 0; job < outcome.times.size(); ++job)
    for (std::size_t call = 0; call < outcome.times[job].call_s.size(); ++call)
      row.push_back({times_key(job, call), Cell(outcome.times[job].call_s[call])});
  return row;
}

JobTimes read_times(const Row& row, std::size_t job) {
  std::map<std::string, Seconds, std::less<>> times;
  for (const auto& [name, value] : row)
    if (const auto number = number_of(value)) times.emplace(name, *number);
  JobTimes job_times;
  for (std::size_t call = 0;; ++call) {
    const auto time = times.find(times_key(job, call));
    if (time == times.end()) return job_times;
    job_times.call_s.push_back(time->second);
  }
}

// All jobs together, then each alone.
std::vector<jobs::StudyPoint> make_job_points(const jobs::JobMix& mix, EngineKind engine) {
  std::vector<jobs::StudyPoint> points(mix.jobs.size() + 1);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto only = i == 0 ? std::nullopt : std::optional(i - 1);
    points[i].name = only ? "job " + mix.jobs[*only].name + " alone" : "all jobs together";
    points[i].simulate = [&mix, engine, only] { return simulate_jobs(mix, engine, only); };
  }
  return points;
}

std::vector<JobsRow> make_job_rows(const jobs::JobMix& mix, const studies::PointsRun& ran) {
  std::vector<JobsRow> rows;
  for (std::size_t job = 0; job < mix.jobs.size(); ++job) {
    const Row& alone = *ran.answers[job + 1];
    rows.push_back({.job = &mix.jobs[job],
                    .alone = read_times(alone, job),
                    .together = read_times(*ran.answers.front(), job),
                    .messages = static_cast<std::int64_t>(*number_of(cell_in(alone, "messages")))});
  }
  return rows;
}

// A cell that is empty in an untimed engine.
template <class Get>
auto if_timed(Get get) {
  return [get](const JobsRow& row) -> std::optional<double> {
    return row.is_timed() ? std::optional<double>(std::invoke(get, row)) : std::nullopt;
  };
}

reports::DocumentTable make_jobs_table(const std::vector<JobsRow>& rows) {
  using reports::Shown;
  const auto of_job = [](auto get) { return [get](const JobsRow& row) { return get(*row.job); }; };
  using Job = jobs::ConcurrentJob;
  reports::TableOf table(rows, {.name = "jobs"});
  table.add("job", {"Job", Shown::name}, of_job([](const Job& job) { return job.name; }));
  table.add("collective", of_job([](const Job& job) {
              return std::string(job.point.call.algorithm->collective);
            }));
  table.add("algorithm",
            of_job([](const Job& job) { return std::string(job.point.call.algorithm->name); }));
  table.add("requested_algorithm",
            of_job([](const Job& job) { return job.point.requested_algorithm; }));
  table.add("message_bytes",
            of_job([](const Job& job) { return std::int64_t{job.point.call.args.message_bytes}; }));
  table.add("procs", {"Procs"},
            of_job([](const Job& job) { return std::int64_t{job.point.placement.procs}; }));
  table.add("nodes", {"Nodes", Shown::plain, 1},
            of_job([](const Job& job) { return std::int64_t{job.placement.nodes}; }));
  table.add("ppn", of_job([](const Job& job) { return std::int64_t{job.placement.ppn}; }));
  table.add("start_s", of_job([](const Job& job) { return job.start_s; }));
  table.add("repeat", of_job([](const Job& job) { return std::int64_t{job.repeat}; }));
  table.add("messages", &JobsRow::messages);
  table.add("time_alone_s", {"Alone (us)", Shown::us},
            if_timed([](const JobsRow& row) { return row.alone.mean_s(); }));
  table.add("time_alone_max_s", if_timed([](const JobsRow& row) { return row.alone.max_s(); }));
  table.add("time_s", {"Mean (us)", Shown::us},
            if_timed([](const JobsRow& row) { return row.together.mean_s(); }));
  table.add("time_max_s", {"Max (us)", Shown::us, 2},
            if_timed([](const JobsRow& row) { return row.together.max_s(); }));
  table.add("slowdown", {"Slower", Shown::decimals}, if_timed(&JobsRow::slowdown));
  auto jobs_table = table.take();
  jobs_table.notes = {"Times per call; Slower is the ratio of the mean times together and alone"};
  return jobs_table;
}

// "alltoall-1: alltoall pairwise, 64 KiB, 3 calls, start 1.00 ms".
std::string describe_job(const jobs::ConcurrentJob& job) {
  const auto& call = job.point.call;
  std::string text =
      fmt::format("{}: {} {}", job.name, call.algorithm->collective, call.algorithm->name);
  if (algorithms::find_collective(call.algorithm->collective)->has_message)
    text += ", " + format_bytes(call.args.message_bytes);
  if (job.repeat > 1) text += ", " + counted(job.repeat, "call");
  if (job.start_s > 0) text += ", start " + format_seconds(job.start_s);
  return text;
}

struct CallRow {
  std::string job;
  std::int64_t call = 0;
  Seconds alone_s = 0;
  Seconds together_s = 0;
};

reports::DocumentTable make_calls_table(const std::vector<JobsRow>& rows) {
  std::vector<CallRow> calls;
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.together.call_s.size(); ++i)
      calls.push_back({row.job->name, static_cast<std::int64_t>(i + 1), row.alone.call_s[i],
                       row.together.call_s[i]});
  reports::TableOf table(std::move(calls), {.name = "calls", .title = "Each call"});
  table.add("job", {"Job", reports::Shown::name}, &CallRow::job);
  table.add("call", {"Call"}, &CallRow::call);
  table.add("time_alone_s", {"Alone (us)", reports::Shown::us}, &CallRow::alone_s);
  table.add("time_s", {"Together (us)", reports::Shown::us}, &CallRow::together_s);
  auto calls_table = table.take();
  calls_table.only_on_request = true;
  return calls_table;
}

reports::Document jobs_document(const JobsRun& run, const OptionValues& values,
                                const jobs::JobMix& mix, const std::vector<JobsRow>& rows) {
  reports::Document document;
  document.schema = "sim.run.jobs/1";
  const auto command = fmt::format("sim run {}{}", shell_quoted(values.arguments.front()),
                                   reproducing_options(jobs_specs(), values));
  document.provenance = reports::provenance_of(mix.machine, run.platform, run.overrides, command);
  document.about = {fmt::format("{} on {}, each alone and all together, engine {}",
                                counted(rows.size(), "job"), mix.machine.name,
                                engines::engine_name(run.engine))};
  constexpr std::size_t most_described = 20;
  for (std::size_t i = 0; i < std::min(rows.size(), most_described); ++i)
    document.about.push_back(describe_job(*rows[i].job));
  if (rows.size() > most_described)
    document.about.push_back(fmt::format("{} more, which the other formats describe",
                                         counted(rows.size() - most_described, "job")));
  document.tables = {make_jobs_table(rows), make_calls_table(rows)};
  return document;
}

Result<std::string> job_file_argument(const OptionValues& values) {
  const auto& words = values.arguments;
  if (words.size() != 1 || !studies::is_job_file(words.front()))
    return usage_error("", words.size() > 1 ? "name one file only" : "no file of jobs given",
                       "for example: sim run jobs.toml");
  return words.front();
}

Result<int> run_jobs_workload(const OptionValues& values, const Diagnostics& diagnostics) {
  const auto file = TUTTI_TRY(job_file_argument(values));
  OptionReader reader(values);
  JobsRun run;
  jobs_options().read(reader, run);
  if (!reader.errors().empty()) return reader.errors().errors();
  const auto text = TUTTI_TRY(read_text_file(file));
  const auto mix = TUTTI_TRY(studies::read_jobs(text, file, run));
  for (const auto& warning : mix.machine.warnings) diagnostics.warning(warning);
  if (run.engine == EngineKind::simgrid)
    if (auto error = engines::load_simgrid()) return *std::move(error);
  const auto ran = run_check(make_job_points(mix, run.engine), run.jobs, diagnostics);
  if (std::ranges::any_of(ran.answers, [](const auto& answer) { return !answer; })) return ran.code;
  TUTTI_TRY(write_document(jobs_document(run, values, mix, make_job_rows(mix, ran)), run.document));
  return ran.code;
}

}  // namespace

const RunWorkload jobs_run{studies::jobs_workload, jobs_specs, jobs_help, run_jobs_workload};

}  // namespace tutti::commands
