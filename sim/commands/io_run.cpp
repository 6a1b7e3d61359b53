// SPDX-License-Identifier: BSD-3-Clause
// sim run write, sim run read: simulates collective I/O and reports.
#include <fmt/format.h>

#include <algorithm>

#include "sim/commands/commands.hpp"
#include "sim/commands/io_options.hpp"
#include "sim/commands/job_run.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/point_names.hpp"
#include "sim/reports/io_report.hpp"
#include "sim/studies/io_limits.hpp"
#include "sim/studies/memory_estimate.hpp"
#include "sim/studies/run_io.hpp"

namespace tutti::commands {
namespace {

using studies::IoPoint;

std::vector<Error> check_limits(const std::vector<IoPoint>& points,
                                const platforms::Machine& machine) {
  const auto free_bytes = studies::free_memory();
  return first_error(points, [&](const IoPoint& point) {
    return studies::check_io_limits(point, machine, free_bytes);
  });
}

// Of the point with the most messages, where it takes long.
std::optional<std::string> io_warning_of_time(const std::vector<IoPoint>& points,
                                              const platforms::Machine& machine) {
  const auto largest = std::ranges::max_element(points, {}, [](const IoPoint& point) {
    return static_cast<double>(point.access->range().bytes()) * point.placement.procs /
           static_cast<double>(point.plan.buffer_bytes);
  });
  if (largest == points.end()) return std::nullopt;
  const auto warning = studies::long_run_warning(*largest, machine);
  return warning ? std::optional(name_of(*largest) + ": " + *warning) : std::nullopt;
}

// The first option that is for a single point.
const char* single_point_option(const IoRequest& request) {
  if (request.trace) return "--trace";
  return request.sweep.common.inside.path ? "--critical-path" : nullptr;
}

class IoRun : public JobRun<IoPoint, studies::IoAnswer, reports::IoReport> {
 public:
  IoRun(const IoRequest& request, const platforms::Machine& machine, const Diagnostics& diagnostics)
      : JobRun(request, machine, diagnostics), request_(request) {}

 private:
  std::string name_of(const IoPoint& point) const override { return commands::name_of(point); }

  Result<studies::IoAnswer> simulate(const IoPoint& point, const PointProgress& progress) override {
    const bool is_watched = progress.all.is_shown();
    studies::LiveProgress live;
    auto child = TUTTI_TRY(studies::IoChild::start(point, machine_, is_watched ? &live : nullptr));
    if (is_watched) progress.watch(child, live, 0);
    return child.collect();
  }

  void take(const IoPoint& point, studies::IoAnswer answer) override {
    if (request_.traffic) traffic_ += reports::io_traffic_rows(answer);
    if (request_.aggregator_times) aggregator_times_ += reports::aggregator_rows(answer, machine_);
    if (point.inside.any()) look_inside(point, answer);
    report_.records.push_back(std::move(answer.record));
  }

  void look_inside(const IoPoint& point, const studies::IoAnswer& answer) {
    const auto with_servers = studies::machine_of(point, machine_);
    const platforms::Machine& machine = with_servers ? *with_servers : machine_;
    reports::SeenJob job{answer.inside, answer.host_of};
    if (with_servers) job.first_target = static_cast<runtime::RankId>(answer.record.procs);
    if (point.inside.path) report_.critical_path = reports::critical_path_of(job, machine);
    if (request_.trace)
      note(write_trace(request_, report_, {job, request_.sweep.common.inside.trace, machine},
                       diagnostics_));
  }

  void write_files() override {
    if (request_.aggregator_times)
      note(write_file(*request_.aggregator_times,
                      reports::aggregator_head(report_) + aggregator_times_));
    if (request_.traffic)
      note(write_file(*request_.traffic, reports::io_traffic_head(report_) + traffic_));
  }

  std::string text(reports::Format format, std::optional<std::size_t> width) const override {
    return reports::render_io(report_, format, width);
  }

  const IoRequest& request_;
  std::string traffic_;
  std::string aggregator_times_;
};

}  // namespace

Result<int> io_command(const Arguments& arguments, Diagnostics& diagnostics) {
  const auto parsed = TUTTI_TRY(parse_options(io_specs(), arguments, Operands::names));
  if (parsed.has("--help")) return print(io_help());
  if (parsed.has("--quiet")) diagnostics.be_quiet();
  const auto request = TUTTI_TRY(read_io(parsed));
  const auto machine = TUTTI_TRY(platforms::load_machine(request.platform, request.overrides));
  const auto points = studies::io_points_of(request.sweep, machine);
  if (!points) return as_typed(points.errors(), parsed);
  if (points->all.empty() && points->skipped.count > 0)
    return as_typed(points->skipped.reasons, parsed);
  if (const auto option = single_point_option(request); option && points->all.size() > 1)
    return as_typed(single_point_only(option, points->all.size()), parsed);
  if (!request.force)
    if (const auto errors = check_limits(points->all, machine); !errors.empty())
      return as_typed(errors, parsed);
  warn_of_skipped(points->skipped, diagnostics);
  for (const auto& warning : machine.warnings) diagnostics.warning(warning);
  if (const auto warning = io_warning_of_time(points->all, machine)) diagnostics.warning(*warning);
  return IoRun(request, machine, diagnostics).run(points->all);
}

}  // namespace tutti::commands
