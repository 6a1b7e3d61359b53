// SPDX-License-Identifier: BSD-3-Clause
// sim run write, sim run read: simulates collective I/O and reports.
#include <fmt/format.h>
#include <unistd.h>

#include "sim/base/error_list.hpp"
#include "sim/commands/commands.hpp"
#include "sim/commands/io_options.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/progress.hpp"
#include "sim/commands/terminal.hpp"
#include "sim/reports/io_report.hpp"
#include "sim/studies/io_limits.hpp"
#include "sim/studies/memory_estimate.hpp"
#include "sim/studies/run_io.hpp"

namespace tutti::commands {
namespace {

using studies::IoPoint;

// "write, vulcan, 2d, 64 aggregators, buffer 32 MiB, 576 processes".
std::string name_of(const IoPoint& point) {
  return fmt::format("{}, {}, {}, {} aggregators, buffer {}, {} processes",
                     point.writes ? "write" : "read", point.plan.implementation->name,
                     point.decomposition, point.plan.aggregators,
                     format_bytes(point.plan.buffer_bytes), point.placement.procs);
}

// One error is enough: that of the first point that is too large.
std::vector<Error> check_limits(const std::vector<IoPoint>& points,
                                const platforms::Machine& machine) {
  const auto free_bytes = studies::free_memory();
  for (const IoPoint& point : points)
    if (auto error = studies::check_io_limits(point, machine, free_bytes)) return {*error};
  return {};
}

std::vector<Error> check_outputs(const IoRequest& request) {
  std::vector<Error> errors;
  for (const auto& path : {request.output, request.traffic})
    if (path)
      if (auto error = check_writable(*path)) errors.push_back(*std::move(error));
  return errors;
}

class IoRun {
 public:
  IoRun(const IoRequest& request, const platforms::Machine& machine, const Diagnostics& diagnostics)
      : request_(request), machine_(machine), diagnostics_(diagnostics) {
    report_.provenance =
        reports::provenance_of(machine, request.platform, request.overrides, request.command);
    report_.with_cost = request.with_cost;
  }

  int points(const std::vector<IoPoint>& points) {
    Progress progress(points.size(), diagnostics_.quiet());
    for (std::size_t i = 0; i < points.size(); ++i) {
      progress.show(i, report_.failed.size(), name_of(points[i]));
      auto answer = studies::run_io_in_child(points[i], machine_);
      progress.clear();
      if (answer)
        take(*answer);
      else
        fail(points[i], answer.errors());
    }
    return write();
  }

 private:
  void take(const studies::IoAnswer& answer) {
    if (request_.traffic) traffic_ += reports::io_traffic_rows(answer);
    report_.records.push_back(answer.record);
  }

  void fail(const IoPoint& point, const std::vector<Error>& errors) {
    for (Error error : errors) {
      has_bug_ |= error.kind == ErrorKind::internal;
      if (error.line == 0) error.place = name_of(point);
      diagnostics_.error(error);
    }
    report_.failed.push_back(fmt::format("{}: {}", name_of(point), errors.front().message));
  }

  int write() {
    const int done = report_.failed.empty() ? exit_done : has_bug_ ? exit_bug : exit_points_failed;
    if (report_.records.empty()) return done;
    std::vector<Error> errors;
    if (request_.traffic)
      if (auto error = write_file(*request_.traffic, reports::io_traffic_head(report_) + traffic_))
        errors.push_back(*std::move(error));
    const auto width = request_.output ? std::nullopt : terminal_width(STDOUT_FILENO);
    const std::string text = reports::render_io(report_, request_.format, width);
    auto error = request_.output ? write_file(*request_.output, text) : write_stdout(text);
    if (error && request_.output && !write_stdout(text))
      error->hint = "the result went to standard output instead";
    if (error) errors.push_back(*std::move(error));
    return errors.empty() ? done : diagnostics_.fail(errors);
  }

  const IoRequest& request_;
  const platforms::Machine& machine_;
  const Diagnostics& diagnostics_;
  reports::IoReport report_;
  std::string traffic_;
  bool has_bug_ = false;  // a failed point shows one of ours
};

std::vector<Error> as_typed(std::vector<Error> errors, const Parsed& parsed) {
  for (auto& error : errors) error.place = parsed.typed(error.place);
  return errors;
}

}  // namespace

int io_command(const Arguments& arguments, Diagnostics& diagnostics) {
  const auto parsed = parse_options(io_specs(), arguments);
  if (!parsed) return diagnostics.fail(parsed.errors());
  if (parsed->has("--help")) return print(io_help(), diagnostics);
  if (parsed->has("--quiet")) diagnostics.be_quiet();
  const auto request = read_io(*parsed);
  if (!request) return diagnostics.fail(request.errors());
  const auto machine = platforms::load_machine(request->platform, request->overrides);
  if (!machine) return diagnostics.fail(machine.errors());
  const auto points = studies::io_points_of(request->sweep, *machine);
  if (!points) return diagnostics.fail(as_typed(points.errors(), *parsed));
  if (const auto errors = check_outputs(*request); !errors.empty()) return diagnostics.fail(errors);
  if (!request->force)
    if (const auto errors = check_limits(*points, *machine); !errors.empty())
      return diagnostics.fail(as_typed(errors, *parsed));
  for (const auto& warning : machine->warnings) diagnostics.warning(warning);
  return IoRun(*request, *machine, diagnostics).points(*points);
}

}  // namespace tutti::commands
