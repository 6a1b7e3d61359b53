// SPDX-License-Identifier: BSD-3-Clause
// sim run pingpong, sim run loggp: messages between two nodes. Their simulations are short and run
// in this process.

#include "sim/base/common.hpp"
#include "sim/commands/command.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/commands/job_run.hpp"
#include "sim/commands/run.help.hpp"
#include "sim/fit/loggp_workload.hpp"
#include "sim/jobs/accelerators.hpp"
#include "sim/jobs/point.hpp"
#include "sim/reports/point_to_point_report.hpp"
#include "sim/studies/background_jobs.hpp"
#include "sim/studies/workloads/pair_options.hpp"

namespace tutti::commands {
namespace {

struct PingPongRun : studies::PingPongRequest, RunOutput {};

struct LogGPRun : studies::LogGPRequest, RunOutput {
  // Prints only the parameter set, for a platform file or a command line, instead of the report.
  std::string set_as;  // "props", "options"; empty: the report
};

options::OptionTable<RunOutput> pair_output(const OptionSpec& format) {
  return {{format},
          run_output::output_file,
          run_output::provenance,
          run_output::spreadsheet,
          run_output::no_cost,
          job_option::color,
          job_option::quiet,
          job_option::help};
}

const options::OptionTable<RunOutput>& ping_pong_output() {
  static const auto table = pair_output(osu_format);
  return table;
}

const options::OptionTable<RunOutput>& loggp_output() {
  static const auto table = pair_output(
      taking("text csv json jsonl md props options",
             job_option::output_row("--format", "FORMAT",
                                    "Format: text (default), csv, json, jsonl, md; props: the "
                                    "measured parameters as <prop> lines of a platform file; "
                                    "options: as --set options")));
  return table;
}

constexpr auto ping_pong_specs = join_run_specs<studies::ping_pong_options, ping_pong_output>;

constexpr auto loggp_specs = join_run_specs<studies::loggp_options, loggp_output>;

std::string ping_pong_help(const std::string&) {
  return help_text("sim run pingpong --platform NAME", texts::run["pingpong"], ping_pong_specs());
}

std::string loggp_help(const std::string&) {
  return help_text("sim run loggp --platform NAME", texts::run["loggp"], loggp_specs());
}

// Writes the report `text`, if there are records. Returns the exit code.
template <class Report>
Result<int> finish(const FailedPoints& failed, const Report& report, const RunOutput& output,
                   const std::string& text) {
  const int code = failed.finish();
  if (report.records.empty()) return code;
  if (const auto error = write_report(output, report, text)) return *error;
  return code;
}

Result<int> run_ping_pong(const OptionValues& values, const Diagnostics& diagnostics) {
  PingPongRun request;
  OptionReader reader(values);
  read_ping_pong(reader, request);
  read_run_output(reader, ping_pong_output(), {}, request);
  if (!reader.errors().empty()) return reader.errors().errors();
  const auto machines = TUTTI_TRY(load_machines(request));
  if (const auto errors = single_platform_only(request, machines); !errors.empty()) return errors;
  PointsByMachine<jobs::PingPongPoint> points;
  for (const auto& machine : machines)
    points.push_back(TUTTI_TRY(jobs::ping_pong_points_of(request.sweep, machine)));
  reports::PingPongReport report;
  static_cast<reports::ReportHead&>(report) =
      make_head(request, request, machines,
                "sim run pingpong" + reproducing_options(ping_pong_specs(), values));
  FailedPoints failed(diagnostics, report.failed);
  Progress progress(number_of_points(points), diagnostics.quiet());
  std::size_t done = 0;
  for (std::size_t m = 0; m < machines.size(); ++m) {
    for (const auto& warning : machines[m].warnings) diagnostics.warning(warning);
    if (const auto warning = jobs::device_buffer_warning(machines[m], request.sweep.sizes))
      diagnostics.warning(*warning);
    for (const auto& point : points[m]) {
      const platforms::HostId hosts[] = {point.job.nodes.from, point.job.nodes.to};
      if (const auto warning = studies::shared_nodes_warning(machines[m], hosts);
          warning && &point == points[m].data())
        diagnostics.warning(*warning);
      progress.show(done++, report.failed.size(), name_of(point));
      auto answer = jobs::run_point(point, machines[m]);
      if (!answer) {
        failed.add(name_of(point), answer.errors());
        continue;
      }
      answer->record.platform_index = static_cast<std::int64_t>(m);
      report.records.push_back(std::move(answer->record));
    }
  }
  progress.clear();
  return finish(failed, report, request,
                reports::render_ping_pong(report, request.format, request.width()));
}

Result<LogGPRun> read_loggp_run(const OptionValues& values) {
  LogGPRun request;
  const std::string format = values.value_or("--format", "");
  if (format == "props" || format == "options") request.set_as = format;
  OptionReader reader(values);
  read_loggp(reader, request);
  read_run_output(reader, loggp_output(), {}, request);
  if (!reader.errors().empty()) return reader.errors().errors();
  return request;
}

std::string loggp_text(const reports::LogGPReport& report, const LogGPRun& request) {
  if (request.set_as == "props") return reports::loggp_props(report);
  if (request.set_as == "options") return reports::loggp_set_options(report);
  return reports::render_loggp(report, request.format, request.width());
}

Result<int> run_loggp(const OptionValues& values, const Diagnostics& diagnostics) {
  const auto request = TUTTI_TRY(read_loggp_run(values));
  const auto machines = TUTTI_TRY(load_machines(request));
  if (machines.size() > 1)
    return usage_error("--platform", "sim run loggp measures a single platform",
                       "run each platform separately");
  const auto& machine = machines.front();
  const auto nodes = TUTTI_TRY(jobs::node_pair(machine, request.nodes));
  for (const auto& warning : machine.warnings) diagnostics.warning(warning);
  reports::LogGPReport report;
  static_cast<reports::ReportHead&>(report) = make_head(
      request, request, machines, "sim run loggp" + reproducing_options(loggp_specs(), values));
  FailedPoints failed(diagnostics, report.failed);
  auto answer = studies::run_loggp(
      {.job = {.nodes = nodes, .engine = request.engine}, .sizes = request.sizes}, machine);
  if (!answer) {
    failed.add(fmt::format("loggp, {}", jobs::path_name(nodes)), answer.errors());
    return failed.finish();
  }
  report.records = std::move(answer->records);
  report.measured = std::move(answer->measured);
  const auto path = machine.path(nodes.from, nodes.to);
  report.path_latency_s = path.latency_s;
  report.path_bandwidth_Bps = path.bandwidth_Bps;
  TUTTI_TRY(finish(failed, report, request, loggp_text(report, request)));
  // A measurement without L or G has no set to print.
  if (!request.set_as.empty())
    if (const auto loggp = studies::loggp_of(report.measured); !loggp) return loggp.errors();
  return exit_done;
}

}  // namespace

const RunWorkload ping_pong_run{studies::ping_pong_workload, ping_pong_specs, ping_pong_help,
                                run_ping_pong};
const RunWorkload loggp_run{studies::loggp_workload, loggp_specs, loggp_help, run_loggp};

}  // namespace tutti::commands
