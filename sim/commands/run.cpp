// SPDX-License-Identifier: BSD-3-Clause
// sim run COLLECTIVE: simulates every point and reports.
#include <fmt/format.h>

#include <set>

#include "sim/commands/commands.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/progress.hpp"
#include "sim/commands/run_options.hpp"
#include "sim/reports/detail_csv.hpp"
#include "sim/studies/forked.hpp"

namespace tutti::commands {
namespace {

using studies::Answer;
using studies::Point;

constexpr std::size_t most_failures_told = 20;

// "bcast binomial, 64 KiB, 576 processes": how messages name a point.
std::string name_of(const Point& point) {
  const auto& [algorithm, args] = point.call;
  return fmt::format("{} {}, {}, {} processes", algorithm->collective, algorithm->name,
                     format_bytes(args.message_bytes), point.placement.procs);
}

// Each placement once, so that a job that does not fit is refused before anything runs.
std::vector<Error> check_placements(const platforms::Machine& machine,
                                    const std::vector<Point>& points) {
  std::set<std::pair<int, std::optional<int>>> seen;
  for (const auto& point : points) {
    if (!seen.insert({point.placement.procs, point.placement.ppn}).second) continue;
    const auto placement = platforms::place(machine, point.placement);
    if (!placement) return placement.errors();
  }
  return {};
}

std::vector<Error> check_outputs(const RunRequest& request) {
  std::vector<Error> errors;
  for (const auto& path : {request.output, request.traffic, request.ranks}) {
    if (!path) continue;
    if (auto error = check_writable(*path)) errors.push_back(std::move(*error));
  }
  return errors;
}

class Run {
 public:
  Run(const RunRequest& request, const platforms::Machine& machine, const Diagnostics& diagnostics)
      : request_(request), machine_(machine), diagnostics_(diagnostics) {
    report_.provenance =
        reports::provenance_of(machine, request.platform, request.overrides, request.command);
    report_.with_cost = request.with_cost;
  }

  int points(const std::vector<Point>& points) {
    Progress progress(points.size(), diagnostics_.quiet());
    for (std::size_t i = 0; i < points.size(); ++i) {
      progress.show(i, report_.failed.size(), name_of(points[i]));
      auto child = studies::Forked::start(points[i], machine_);
      auto answer = child ? child->collect() : Result<Answer>(child.errors());
      progress.clear();
      if (child && request_.verbose && !child->said().empty()) diagnostics_.note(child->said());
      if (answer)
        take(std::move(*answer));
      else
        fail(points[i], answer.errors());
    }
    return write();
  }

 private:
  void take(Answer answer) {
    const auto& record = answer.record;
    if (request_.verbose)
      diagnostics_.note(fmt::format("{} {} {}: {} in {}", record.collective, record.algorithm,
                                    format_bytes(record.message_bytes),
                                    record.time_s ? format_seconds(*record.time_s) : "checked",
                                    format_seconds(record.wall_s.value_or(0))));
    if (request_.traffic) traffic_ += reports::traffic_rows(answer);
    report_.records.push_back(record);
    if (request_.ranks) last_ = std::move(answer);
  }

  void fail(const Point& point, const std::vector<Error>& errors) {
    const std::string name = name_of(point);
    if (report_.failed.size() < most_failures_told)
      for (Error error : errors) {
        if (error.line == 0) error.place = name;
        diagnostics_.error(error);
      }
    report_.failed.push_back(fmt::format("{}: {}", name, errors.front().message));
  }

  int write() {
    const int done = report_.failed.empty() ? exit_done : exit_points_failed;
    if (report_.failed.size() > most_failures_told)
      diagnostics_.note(
          fmt::format("... and {} more points failed", report_.failed.size() - most_failures_told));
    if (report_.records.empty()) return done;
    std::vector<Error> errors;
    const auto note = [&](std::optional<Error> error) {
      if (error) errors.push_back(std::move(*error));
    };
    if (request_.traffic)
      note(write_file(*request_.traffic, reports::traffic_head(report_) + traffic_));
    if (request_.ranks)
      note(write_file(*request_.ranks, reports::ranks_table(report_, last_, machine_)));
    note(write_report());
    return errors.empty() ? done : diagnostics_.fail(errors);
  }

  // A result that cost time is not thrown away because of its file.
  std::optional<Error> write_report() {
    const std::string text = reports::render(report_, request_.format);
    if (!request_.output) return write_stdout(text);
    auto error = write_file(*request_.output, text);
    if (error && !write_stdout(text)) error->hint = "the result went to standard output instead";
    return error;
  }

  const RunRequest& request_;
  const platforms::Machine& machine_;
  const Diagnostics& diagnostics_;
  reports::Report report_;
  std::string traffic_;
  Answer last_;
};

std::vector<Error> single_point_only(std::size_t points) {
  return {usage_error("--ranks", fmt::format("is for a single point; these are {}", points),
                      "give one value each, for example --message-size 64KiB")};
}

}  // namespace

int run_command(const Arguments& arguments, Diagnostics& diagnostics) {
  const auto parsed = parse_options(run_specs(), arguments);
  if (!parsed) return diagnostics.fail(parsed.errors());
  if (parsed->has("--help")) {
    const auto error = write_stdout(
        run_help(parsed->arguments.empty() ? std::string() : parsed->arguments.front()));
    return error ? diagnostics.fail({*error}) : exit_done;
  }
  if (parsed->has("--quiet")) diagnostics.be_quiet();
  const auto request = read_run(*parsed);
  if (!request) return diagnostics.fail(request.errors());
  const auto points = studies::points_of(request->sweep);
  if (!points) return diagnostics.fail(points.errors());
  if (request->ranks && points->size() > 1)
    return diagnostics.fail(single_point_only(points->size()));
  const auto machine = platforms::load_machine(request->platform, request->overrides);
  if (!machine) return diagnostics.fail(machine.errors());
  if (const auto errors = check_placements(*machine, *points); !errors.empty())
    return diagnostics.fail(errors);
  if (const auto errors = check_outputs(*request); !errors.empty()) return diagnostics.fail(errors);
  for (const auto& warning : request->warnings) diagnostics.warning(warning);
  for (const auto& warning : machine->warnings) diagnostics.warning(warning);
  return Run(*request, *machine, diagnostics).points(*points);
}

}  // namespace tutti::commands
