// SPDX-License-Identifier: BSD-3-Clause
// sim run COLLECTIVE: simulates every point and reports.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "sim/base/counted.hpp"
#include "sim/base/error_list.hpp"
#include "sim/commands/commands.hpp"
#include "sim/commands/job_run.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/point_names.hpp"
#include "sim/commands/run_options.hpp"
#include "sim/engines/simgrid_module.hpp"
#include "sim/reports/detail_csv.hpp"
#include "sim/studies/extrapolation/extrapolation.hpp"
#include "sim/studies/forked.hpp"
#include "sim/studies/live_progress.hpp"
#include "sim/studies/memory_estimate.hpp"
#include "sim/studies/time_estimate.hpp"

namespace tutti::commands {
namespace {

using studies::Answer;
using studies::Point;

std::vector<Error> check_memory(const std::vector<Point>& points) {
  const auto free_bytes = studies::free_memory();
  if (!free_bytes) return {};
  return first_error(points,
                     [&](const Point& point) { return studies::check_memory(point, *free_bytes); });
}

// Once, not for each point.
std::vector<Error> check_engine(const std::vector<Point>& points) {
  return first_error(points, [](const Point& point) {
    return point.engine == engines::EngineKind::simgrid ? engines::load_simgrid() : std::nullopt;
  });
}

class Run : public JobRun<Point, Answer, reports::Report> {
 public:
  Run(const RunRequest& request, const platforms::Machine& machine, const Diagnostics& diagnostics,
      std::vector<std::string> left_out)
      : JobRun(request, machine, diagnostics), request_(request) {
    report_.left_out = std::move(left_out);
    report_.with_confidence = request.confidence;
    if (request.verbose && !report_.left_out.empty())
      diagnostics.note(fmt::format("left out: {}", fmt::join(report_.left_out, ", ")));
  }

 private:
  std::string name_of(const Point& point) const override { return commands::name_of(point); }

  Result<Answer> simulate(const Point& point, const PointProgress& progress) override {
    const bool is_watched = progress.all.is_shown();
    studies::LiveProgress live;
    auto child = TUTTI_TRY(studies::Forked::start(point, machine_, is_watched ? &live : nullptr));
    if (is_watched)
      progress.watch(child, live, studies::extrapolation::messages_to_simulate(point));
    auto answer = child.collect();
    progress.all.clear();
    if (request_.verbose && !child.said().empty()) diagnostics_.note(child.said());
    return answer;
  }

  void take(const Point& point, Answer answer) override {
    const auto& record = answer.record;
    if (request_.verbose)
      diagnostics_.note(
          fmt::format("{}: {}, simulated in {}", commands::name_of(point, record.ppn),
                      record.time_s ? format_seconds(*record.time_s) : "messages checked, untimed",
                      format_seconds(record.wall_s.value_or(0))));
    Details* details = keep(point, record);
    if (details == nullptr) return;
    if (request_.traffic) details->traffic = reports::traffic_rows(answer);
    if (request_.histogram) details->histogram = reports::histogram_rows(answer);
    if (request_.links) {
      details->links = reports::links_rows(answer, machine_);
      details->links_left_out = reports::links_left_out(answer, machine_);
    }
    if (point.inside.path)
      report_.critical_path = reports::critical_path_of({answer.inside, answer.host_of}, machine_);
    if (request_.ranks || request_.trace) last_ = std::move(answer);
  }

  // What the CSV files say of a record.
  struct Details {
    std::string traffic;
    std::string histogram;
    std::string links;
    std::string links_left_out;
  };

  // Keeps the record, of a contest that of the fastest so far; its details are to be filled in.
  // Null: another one was faster.
  Details* keep(const Point& point, const studies::Record& record) {
    auto& records = report_.records;
    const auto [entry, is_first] = winner_of_.try_emplace(point.contest, records.size());
    if (point.contest == 0 || is_first) {
      records.push_back(record);
      return &details_.emplace_back();
    }
    studies::Record& best = records[entry->second];
    if (time_to_compare(record) >= time_to_compare(best)) return nullptr;
    best = record;
    return &(details_[entry->second] = {});
  }

  std::string all_of(std::string Details::*member) const {
    std::string text;
    for (const Details& each : details_) text += each.*member;
    return text;
  }

  void write_files() override {
    if (request_.traffic)
      note(write_file(*request_.traffic,
                      reports::traffic_head(report_) + all_of(&Details::traffic)));
    if (request_.ranks)
      note(write_file(*request_.ranks, reports::ranks_table(report_, last_, machine_)));
    std::vector<std::string> left_out;
    for (const Details& each : details_) left_out.push_back(each.links_left_out);
    if (request_.links)
      note(write_file(*request_.links,
                      reports::links_head(report_, left_out) + all_of(&Details::links)));
    if (request_.histogram)
      note(write_file(*request_.histogram,
                      reports::histogram_head(report_) + all_of(&Details::histogram)));
    if (request_.trace)
      note(
          write_trace(request_, report_,
                      {{last_.inside, last_.host_of}, request_.sweep.common.inside.trace, machine_},
                      diagnostics_));
  }

  std::string text(reports::Format format, std::optional<std::size_t> width) const override {
    return reports::render(report_, format, width);
  }

  const RunRequest& request_;
  std::vector<Details> details_;                   // by record
  std::map<std::int64_t, std::size_t> winner_of_;  // by contest: which record
  Answer last_;
};

// The first option that is for a single point.
std::optional<const char*> single_point_option(const RunRequest& request) {
  if (request.ranks) return "--ranks";
  if (request.trace) return "--trace";
  if (request.sweep.common.inside.path) return "--critical-path";
  return std::nullopt;
}

std::vector<Error> not_for_these(const char* option, const RunRequest& request,
                                 std::size_t points) {
  const auto& names = request.sweep.algorithms;
  if (std::ranges::find(names, workloads::best_name) == names.end())
    return single_point_only(option, points);
  return {
      usage_error(option, "is for a single point; auto:best runs all algorithms",
                  fmt::format("name one algorithm; without {} the report names the best", option))};
}

// Of the largest point, where it takes long.
std::optional<std::string> warning_of_time(const std::vector<Point>& points) {
  const auto largest =
      std::ranges::max_element(points, {}, studies::extrapolation::messages_to_simulate);
  if (largest == points.end() || largest->model_only ||
      studies::extrapolation::obstacle(*largest).empty())
    return std::nullopt;
  const auto told = studies::told_if_long(*largest);
  return told ? std::optional(name_of(*largest) + ": " + *told) : std::nullopt;
}

// Of the largest point that is simulated more than once, where that takes some time.
std::optional<std::string> note_of_starts(const std::vector<Point>& points,
                                          const platforms::Machine& machine) {
  const Point* largest = nullptr;
  std::string found;
  for (const Point& point : points) {
    if (largest != nullptr && studies::extrapolation::messages_to_simulate(point) <=
                                  studies::extrapolation::messages_to_simulate(*largest))
      continue;
    const auto said = studies::said_of_starts(point, machine);
    if (!said) continue;
    largest = &point;
    found = *said;
  }
  return largest != nullptr ? std::optional(name_of(*largest) + ": " + found) : std::nullopt;
}

// How far auto:best searches, and on which engine.
std::optional<std::string> note_of_contests(const std::vector<Point>& points) {
  std::size_t rivals = 0;
  std::int64_t contests = 0;
  bool on_flow = true;
  for (const auto& point : points) {
    if (point.contest == 0) continue;
    ++rivals;
    contests = std::max(contests, point.contest);
    on_flow &= point.engine == engines::EngineKind::flow;
  }
  if (contests == 0) return std::nullopt;
  return fmt::format("auto:best: {} of algorithms, segments and fan-outs for {}{}",
                     counted(rivals, "combination"), counted(contests, "point"),
                     on_flow ? ", on engine flow for speed" : "");
}

}  // namespace

Result<int> run_command(const Arguments& arguments, Diagnostics& diagnostics) {
  const std::string workload = arguments.empty() ? std::string() : arguments.front();
  if (workload == "write" || workload == "read") return io_command(arguments, diagnostics);
  if (workload == "pingpong") return ping_pong_command(arguments, diagnostics);
  if (workload == "loggp") return loggp_command(arguments, diagnostics);
  const auto parsed = TUTTI_TRY(parse_options(run_specs(), arguments, Operands::names));
  if (parsed.has("--help"))
    return print(run_help(parsed.arguments.empty() ? std::string() : parsed.arguments.front()));
  if (parsed.has("--quiet")) diagnostics.be_quiet();
  const auto request = TUTTI_TRY(read_run(parsed));
  const auto machine = TUTTI_TRY(platforms::load_machine(request.platform, request.overrides));
  if (const auto error = no_accuracy(request, machine)) return *error;
  const auto points = studies::points_of(request.sweep, machine);
  if (!points) return as_typed(points.errors(), parsed);
  if (points->all.empty() && points->skipped.count > 0)
    return as_typed(points->skipped.reasons, parsed);
  if (const auto option = single_point_option(request); option && points->all.size() > 1)
    return as_typed(not_for_these(*option, request, points->all.size()), parsed);
  if (!request.force)
    if (const auto errors = check_memory(points->all); !errors.empty())
      return as_typed(errors, parsed);
  if (const auto errors = first_error(points->all, studies::extrapolation::too_long);
      !errors.empty())
    return as_typed(errors, parsed);
  if (const auto errors = check_engine(points->all); !errors.empty()) return errors;
  for (const auto& warning : request.warnings) diagnostics.warning(warning);
  for (const auto& warning : machine.warnings) diagnostics.warning(warning);
  warn_of_skipped(points->skipped, diagnostics);
  if (const auto note = note_of_contests(points->all)) diagnostics.note(*note);
  if (const auto warning = warning_of_time(points->all)) diagnostics.warning(*warning);
  if (const auto note = note_of_starts(points->all, machine)) diagnostics.note(*note);
  return Run(request, machine, diagnostics, points->left_out).run(points->all);
}

}  // namespace tutti::commands
