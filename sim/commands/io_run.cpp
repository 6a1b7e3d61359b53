// SPDX-License-Identifier: BSD-3-Clause
// sim run write, sim run read: simulates collective I/O and reports.

#include "io_models/hints.hpp"
#include "sim/base/common.hpp"
#include "sim/commands/command.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/commands/job_run.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/run.help.hpp"
#include "sim/jobs/io_limits.hpp"
#include "sim/jobs/memory_estimate.hpp"
#include "sim/jobs/point.hpp"
#include "sim/reports/io_report.hpp"
#include "sim/studies/background_jobs.hpp"
#include "sim/studies/workloads/io_options.hpp"

namespace tutti::commands {
namespace {

using jobs::IoPoint;

struct IoRunRequest : studies::IoRequest, RunOutput {
  std::string command;
};

const options::OptionTable<RunOutput>& io_output() {
  static const options::OptionTable<RunOutput> table{
      {document_format},
      run_output::output_file,
      run_output::provenance,
      run_output::spreadsheet,
      {job_option::with_help(
           "Write a CSV of the messages and bytes between each pair of ranks in the shuffle"
           "\nWrite a CSV of the messages and bytes between each pair of ranks; see `FILES`.",
           run_output::traffic.spec),
       run_output::traffic.read},
      run_output::aggregator_times,
      {{job_option::output, "--write-hints", "FILE",
        "Write the hints of the fastest point, for ROMIO_HINTS or as MCA parameters"
        "\nWrite the hints with which ROMIO (a file for ROMIO_HINTS) or Open MPI (MCA parameters) "
        "does what was simulated at the fastest point.",
        false, false, true},
       options::file(&RunOutput::hints)},
      run_output::trace,
      run_output::trace_ranks,
      run_output::critical_path,
      run_output::no_cost,
      job_option::color,
      job_option::quiet,
      run_output::jobs,
      job_option::help,
  };
  return table;
}

constexpr auto io_specs = join_run_specs<studies::io_options, io_output>;

Result<IoRunRequest> read_io_run(const OptionValues& values) {
  IoRunRequest run;
  OptionReader reader(values);
  read_io(reader, run);
  read_run_output(reader, io_output(), run.sweep.procs, run);
  IoPoint& common = run.sweep.common;
  common.want_traffic = run.traffic.has_value();
  common.want_aggregators = run.aggregator_times.has_value();
  common.inside = run.inside();
  if (run.traffic && run.sweep.partitionings.size() > 1)
    reader.wrong("--traffic", "has no column for --partitioning",
                 "run each partitioning separately");
  if (run.traffic && run.sweep.node_leaders.size() > 1)
    reader.wrong("--traffic", "has no column for --node-leaders",
                 "run each number of leaders separately");
  if (run.hints && (common.model_only ||
                    (!common.engine_is_chosen && common.engine == engines::EngineKind::ideal)))
    reader.wrong("--write-hints", "needs times, but nothing is timed", "use --engine flow");
  reader.reject_repetitions(common.benchmark, io_output());
  if (!reader.errors().empty()) return reader.errors().errors();
  run.command = fmt::format("sim run {}{}", values.arguments.front(),
                            reproducing_options(io_specs(), values));
  return run;
}

std::vector<Error> check_limits(const std::vector<IoPoint>& points,
                                const platforms::Machine& machine) {
  const auto free_bytes = jobs::free_memory();
  return first_error(points, [&](const IoPoint& point) {
    return jobs::check_io_limits({point, machine}, free_bytes);
  });
}

// A warning about the point with the most messages, if its simulation takes long.
std::optional<std::string> io_time_warning(const std::vector<IoPoint>& points,
                                           const platforms::Machine& machine) {
  const auto largest = std::ranges::max_element(points, {}, [](const IoPoint& point) {
    return static_cast<double>(point.calls ? point.calls->bytes() : point.access->range().bytes()) *
           point.placement.procs / static_cast<double>(point.plan.buffer_bytes);
  });
  if (largest == points.end()) return std::nullopt;
  const auto warning = jobs::long_run_warning(jobs::IoSize(*largest, machine));
  return warning ? std::optional(studies::name_of(*largest) + ": " + *warning) : std::nullopt;
}

class IoRun : public JobRun<IoPoint, jobs::IoAnswer, reports::IoReport> {
 public:
  IoRun(const IoRunRequest& request, const Machines& machines, const Diagnostics& diagnostics)
      : JobRun(make_head(request, request, machines, request.command), request, machines,
               diagnostics),
        request_(request) {}

 private:
  std::string point_name(const IoPoint& point) const override { return studies::name_of(point); }

  // Its memory is not estimated.
  bool shares_process(const IoPoint&) const override { return false; }

  void take(const IoPoint& point, std::size_t machine, jobs::IoAnswer answer,
            const std::string&) override {
    if (request_.traffic) traffic_ += reports::io_traffic_rows(answer);
    if (request_.aggregator_times)
      aggregator_times_ += reports::aggregator_rows(answer, machines_[machine]);
    if (request_.hints && answer.record.time_s &&
        (!fastest_s_ || *answer.record.time_s < *fastest_s_)) {
      fastest_s_ = answer.record.time_s;
      hints_ = io_models::hints_text({.plan = point.plan,
                                      .storage = point.storage,
                                      .writes = point.writes,
                                      .aggregator_placement = point.aggregator_placement,
                                      .nodes = answer.record.nodes,
                                      .node_leaders = point.node_leaders,
                                      .aggregators_per_target = point.aggregators_per_target,
                                      .only_aggregators_open = point.only_aggregators_open});
    }
    if (point.inside.any()) look_inside(point, answer, machines_[machine]);
    report_.records.push_back(std::move(answer.record));
  }

  void look_inside(const IoPoint& point, const jobs::IoAnswer& answer,
                   const platforms::Machine& without_servers) {
    const auto with_servers = jobs::machine_of(point, without_servers);
    const platforms::Machine& machine = with_servers ? *with_servers : without_servers;
    reports::SeenJob job{answer.inside, answer.host_of};
    if (with_servers) job.first_target = static_cast<runtime::RankId>(answer.record.procs);
    if (point.inside.path) report_.critical_path = reports::critical_path_of(job, machine);
    if (request_.trace)
      note(write_trace(request_, report_, {job, request_.sweep.common.inside.trace, machine},
                       diagnostics_));
  }

  void write_files() override {
    if (request_.aggregator_times)
      write_table(*request_.aggregator_times, reports::aggregator_head() + aggregator_times_);
    if (request_.hints) note(write_file(*request_.hints, hints_));
    if (request_.traffic) write_table(*request_.traffic, reports::io_traffic_head() + traffic_);
  }

  std::string text(reports::Format format, std::optional<std::size_t> width) const override {
    return reports::render_io(report_, format, width);
  }

  const IoRunRequest& request_;
  std::string traffic_;
  std::string aggregator_times_;
  std::optional<Seconds> fastest_s_;
  std::string hints_;
};

std::string io_help(const std::string&) {
  return help_text("sim run write|read --platform NAME --procs N", texts::run["io"], io_specs());
}

std::vector<Error> find_problems(const IoRunRequest& request, const Machines& machines,
                                 const PointsByMachine<IoPoint>& points,
                                 const jobs::Skipped& skipped) {
  const std::size_t count = number_of_points(points);
  if (count == 0 && skipped.count > 0) return skipped.reasons;
  if (const char* option = single_point_option(request); option && count > 1)
    return single_point_only(option, count);
  for (std::size_t i = 0; i < machines.size() && !request.force; ++i)
    if (auto errors = check_limits(points[i], machines[i]); !errors.empty()) return errors;
  return {};
}

Result<int> run_io_workload(const OptionValues& values, const Diagnostics& diagnostics) {
  const auto request = TUTTI_TRY(read_io_run(values));
  const auto machines = TUTTI_TRY(load_machines(request));
  if (const auto errors = single_platform_only(request, machines); !errors.empty()) return errors;
  PointsByMachine<IoPoint> all;
  jobs::Skipped skipped;
  for (const auto& machine : machines) {
    auto points = TUTTI_TRY(studies::make_io_points(request.sweep, machine));
    skipped.add(points.skipped);
    all.push_back(std::move(points.all));
  }
  if (const auto errors = find_problems(request, machines, all, skipped); !errors.empty())
    return errors;
  warn_of_skipped(skipped, diagnostics);
  for (const auto& warning : request.warnings) diagnostics.warning(warning);
  for (std::size_t i = 0; i < machines.size(); ++i) {
    for (const auto& warning : machines[i].warnings) diagnostics.warning(warning);
    if (const auto warning = studies::shared_nodes_warning(all[i], machines[i]))
      diagnostics.warning(*warning);
    if (const auto warning = io_time_warning(all[i], machines[i])) diagnostics.warning(*warning);
  }
  return IoRun(request, machines, diagnostics).run(all);
}

}  // namespace

const RunWorkload io_run{studies::io_workload, io_specs, io_help, run_io_workload};

}  // namespace tutti::commands
