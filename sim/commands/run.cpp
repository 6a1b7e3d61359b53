// SPDX-License-Identifier: BSD-3-Clause
// sim run COLLECTIVE: simulates every point and reports.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>

#include "sim/base/error_list.hpp"
#include "sim/base/quote.hpp"
#include "sim/commands/commands.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/progress.hpp"
#include "sim/commands/rank_list.hpp"
#include "sim/commands/run_options.hpp"
#include "sim/commands/terminal.hpp"
#include "sim/engines/simgrid_module.hpp"
#include "sim/reports/detail_csv.hpp"
#include "sim/reports/trace_json.hpp"
#include "sim/studies/forked.hpp"
#include "sim/studies/live_progress.hpp"
#include "sim/studies/memory_estimate.hpp"
#include "sim/studies/time_estimate.hpp"

namespace tutti::commands {
namespace {

using studies::Answer;
using studies::Point;

// "bcast auto: chain, 64 KiB, segment 8 KiB, fan-out 4, 576 processes, 48 per node, root 0": how
// messages name a point. `ppn` is unset while only the platform knows it.
std::string name_of(const Point& point, std::optional<std::int64_t> ppn) {
  const algorithms::Algorithm* algorithm = point.call.algorithm;
  const algorithms::CollectiveArgs& args = point.call.args;
  std::string name = std::string(algorithm->collective) + ' ';
  if (workloads::is_automatic(point.requested_algorithm)) name += point.requested_algorithm + ": ";
  name += fmt::format("{}, {}", algorithm->name, format_bytes(args.message_bytes));
  if (args.segment_bytes > 0) name += ", segment " + format_bytes(args.segment_bytes);
  if (args.fanout > 0) name += fmt::format(", fan-out {}", args.fanout);
  const int procs = point.placement.procs;
  name += fmt::format(", {} process{}", procs, procs == 1 ? "" : "es");
  if (ppn) name += fmt::format(", {} per node", *ppn);
  if (algorithms::find_collective(algorithm->collective)->rooted)
    name += fmt::format(", root {}", args.root);
  return name;
}

std::string name_of(const Point& point) { return name_of(point, point.placement.ppn); }

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

// An input that would be overwritten is an error whose place is `option`.
std::optional<Error> check_inputs_stay(const RunRequest& request, const platforms::Machine& machine,
                                       const char* option, const std::string& path) {
  const std::pair<const char*, std::string> inputs[] = {
      {"the platform file", machine.file}, {"the map file", request.sweep.common.placement.file}};
  for (const auto& [what, input] : inputs)
    if (!input.empty() && same_file(input, path))
      return usage_error(option, fmt::format("{} is {}", in_quotes(path), what),
                         "give each output a file of its own");
  return std::nullopt;
}

std::vector<Error> check_outputs(const RunRequest& request, const platforms::Machine& machine) {
  std::vector<Error> errors;
  const std::pair<const char*, const std::optional<std::string>&> outputs[] = {
      {"--output", request.output}, {"--traffic", request.traffic},
      {"--ranks", request.ranks},   {"--links", request.links},
      {"--trace", request.trace},   {"--histogram", request.histogram}};
  for (const auto& [option, path] : outputs) {
    if (!path) continue;
    auto error = check_inputs_stay(request, machine, option, *path);
    if (!error) error = check_writable(*path);
    if (error) errors.push_back(std::move(*error));
  }
  return errors;
}

// One error is enough: that of the first point that does not fit.
std::vector<Error> check_memory(const std::vector<Point>& points) {
  const auto free_bytes = studies::free_memory();
  if (!free_bytes) return {};
  for (const auto& point : points)
    if (auto error = studies::check_memory(point, *free_bytes)) return {std::move(*error)};
  return {};
}

// Once, not for each point.
std::vector<Error> check_engine(const std::vector<Point>& points) {
  for (const auto& point : points)
    if (point.engine == engines::EngineKind::simgrid)
      if (auto error = engines::load_simgrid()) return {*std::move(error)};
  return {};
}

class Run {
 public:
  Run(const RunRequest& request, const platforms::Machine& machine, const Diagnostics& diagnostics)
      : request_(request), machine_(machine), diagnostics_(diagnostics) {
    report_.provenance =
        reports::provenance_of(machine, request.platform, request.overrides, request.command);
    report_.with_cost = request.with_cost;
  }

  int points(const studies::Points& all) {
    const std::vector<Point>& points = all.all;
    report_.left_out = all.left_out;
    if (request_.verbose && !all.left_out.empty())
      diagnostics_.note(fmt::format("left out: {}", fmt::join(all.left_out, ", ")));
    Progress progress(points.size(), diagnostics_.quiet());
    for (std::size_t i = 0; i < points.size(); ++i) {
      progress.show(i, report_.failed.size(), name_of(points[i]));
      studies::LiveProgress live;
      auto child =
          studies::Forked::start(points[i], machine_, progress.is_redrawn() ? &live : nullptr);
      if (child && progress.is_redrawn())
        watch(*child, live, points[i], [&](const LiveState& state) {
          progress.show(i, report_.failed.size(), name_of(points[i]), state);
        });
      auto answer = child ? child->collect() : Result<Answer>(child.errors());
      progress.clear();
      if (child && request_.verbose && !child->said().empty()) diagnostics_.note(child->said());
      if (answer)
        take(points[i], std::move(*answer));
      else
        fail(points[i], answer.errors());
    }
    return write();
  }

 private:
  template <class Show>
  static void watch(const studies::Forked& child, const studies::LiveProgress& live,
                    const Point& point, const Show& show) {
    constexpr Seconds pause_s = 0.25;
    const std::int64_t expected =
        workloads::expected_messages(point.call, point.benchmark, point.placement.procs);
    const auto start = std::chrono::steady_clock::now();
    while (!child.wait_for(pause_s)) {
      const std::chrono::duration<Seconds> passed = std::chrono::steady_clock::now() - start;
      const std::int64_t messages = live.messages();
      show({.messages = messages,
            .expected_messages = expected,
            .messages_per_s = static_cast<double>(messages) / passed.count(),
            .simulated_s = live.simulated_s()});
    }
  }

  void take(const Point& point, Answer answer) {
    const auto& record = answer.record;
    if (request_.verbose)
      diagnostics_.note(
          fmt::format("{}: {}, simulated in {}", name_of(point, record.ppn),
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
    if (point.inside.path) report_.critical_path = reports::critical_path_of(answer, machine_);
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
    if (record.time_s >= best.time_s) return nullptr;
    best = record;
    return &(details_[entry->second] = {});
  }

  std::string all_of(std::string Details::*member) const {
    std::string text;
    for (const Details& each : details_) text += each.*member;
    return text;
  }

  void fail(const Point& point, const std::vector<Error>& errors) {
    const std::string name = name_of(point);
    for (Error error : errors) {
      has_bug_ |= error.kind == ErrorKind::internal;
      if (errors_told_ == most_errors_told) break;
      if (error.line == 0) error.place = name;
      diagnostics_.error(error);
      ++errors_told_;
      points_told_ = report_.failed.size() + 1;
    }
    report_.failed.push_back(fmt::format("{}: {}", name, errors.front().message));
  }

  int write() {
    const int done = report_.failed.empty() ? exit_done : has_bug_ ? exit_bug : exit_points_failed;
    if (report_.failed.size() > points_told_)
      diagnostics_.note(
          fmt::format("... and {} more points failed", report_.failed.size() - points_told_));
    if (report_.records.empty()) return done;
    std::vector<Error> errors;
    const auto note = [&](std::optional<Error> error) {
      if (error) errors.push_back(std::move(*error));
    };
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
    if (request_.trace) note(write_trace());
    note(write_report());
    return errors.empty() ? done : diagnostics_.fail(errors);
  }

  std::optional<Error> write_trace() {
    const auto procs = static_cast<int>(last_.record.procs);
    const auto ranks = below(request_.sweep.common.inside.trace, procs);
    if (!request_.names_trace_ranks && ranks.back().last + 1 < procs)
      diagnostics_.note(fmt::format("the trace shows ranks {} of {}; --trace-ranks takes others",
                                    reports::ranges_text(ranks), procs));
    if (last_.inside.trace_is_cut)
      diagnostics_.warning(
          fmt::format("the trace ends early: it holds at most {} slices and {} "
                      "messages; take fewer ranks (--trace-ranks)",
                      engines::RankTrace::most_events, engines::RankTrace::most_events));
    return write_file(*request_.trace, reports::trace_json(report_, last_, ranks, machine_));
  }

  // A result that cost time is not thrown away because of its file.
  std::optional<Error> write_report() {
    const auto width = request_.output ? std::nullopt : terminal_width(STDOUT_FILENO);
    const std::string text = reports::render(report_, request_.format, width);
    if (!request_.output) return write_stdout(text);
    auto error = write_file(*request_.output, text);
    if (error && !write_stdout(text)) error->hint = "the result went to standard output instead";
    return error;
  }

  const RunRequest& request_;
  const platforms::Machine& machine_;
  const Diagnostics& diagnostics_;
  reports::Report report_;
  std::vector<Details> details_;                   // by record
  std::map<std::int64_t, std::size_t> winner_of_;  // by contest: which record
  Answer last_;
  std::size_t errors_told_ = 0;  // of failed points
  bool has_bug_ = false;         // a failed point shows one of ours
  std::size_t points_told_ = 0;  // failed points that were named
};

// A study knows options by one name; a person may have typed another.
std::vector<Error> as_typed(std::vector<Error> errors, const Parsed& parsed) {
  for (auto& error : errors) error.place = parsed.typed(error.place);
  return errors;
}

// The first option that is for a single point.
std::optional<const char*> single_point_option(const RunRequest& request) {
  if (request.ranks) return "--ranks";
  if (request.trace) return "--trace";
  if (request.sweep.common.inside.path) return "--critical-path";
  return std::nullopt;
}

std::vector<Error> single_point_only(const char* option, const RunRequest& request,
                                     std::size_t points) {
  const auto& names = request.sweep.algorithms;
  const bool is_contest = std::ranges::find(names, workloads::best_name) != names.end();
  const std::string what =
      is_contest ? "auto:best runs all algorithms" : fmt::format("these are {}", points);
  return {usage_error(
      option, fmt::format("is for a single point; {}", what),
      is_contest ? fmt::format("name one algorithm; without {} the report names the best", option)
                 : "give one value each, for example --message-size 64KiB")};
}

// Of the largest point, where it takes long.
std::optional<std::string> warning_of_time(const std::vector<Point>& points) {
  const auto largest = std::ranges::max_element(points, {}, [](const Point& point) {
    return workloads::expected_messages(point.call, point.benchmark, point.placement.procs);
  });
  if (largest == points.end()) return std::nullopt;
  const auto told = studies::told_if_long(*largest);
  return told ? std::optional(name_of(*largest) + ": " + *told) : std::nullopt;
}

}  // namespace

int run_command(const Arguments& arguments, Diagnostics& diagnostics) {
  if (!arguments.empty() && (arguments.front() == "write" || arguments.front() == "read"))
    return io_command(arguments, diagnostics);
  const auto parsed = parse_options(run_specs(), arguments);
  if (!parsed) return diagnostics.fail(parsed.errors());
  if (parsed->has("--help"))
    return print(run_help(parsed->arguments.empty() ? std::string() : parsed->arguments.front()),
                 diagnostics);
  if (parsed->has("--quiet")) diagnostics.be_quiet();
  const auto request = read_run(*parsed);
  if (!request) return diagnostics.fail(request.errors());
  const auto machine = platforms::load_machine(request->platform, request->overrides);
  if (!machine) return diagnostics.fail(machine.errors());
  const auto points = studies::points_of(request->sweep, *machine);
  if (!points) return diagnostics.fail(as_typed(points.errors(), *parsed));
  if (const auto option = single_point_option(*request); option && points->all.size() > 1)
    return diagnostics.fail(
        as_typed(single_point_only(*option, *request, points->all.size()), *parsed));
  if (const auto errors = check_placements(*machine, points->all); !errors.empty())
    return diagnostics.fail(errors);
  if (const auto errors = check_outputs(*request, *machine); !errors.empty())
    return diagnostics.fail(as_typed(errors, *parsed));
  if (!request->force)
    if (const auto errors = check_memory(points->all); !errors.empty())
      return diagnostics.fail(as_typed(errors, *parsed));
  if (const auto errors = check_engine(points->all); !errors.empty())
    return diagnostics.fail(errors);
  for (const auto& warning : request->warnings) diagnostics.warning(warning);
  for (const auto& warning : machine->warnings) diagnostics.warning(warning);
  if (const auto warning = warning_of_time(points->all)) diagnostics.warning(*warning);
  return Run(*request, *machine, diagnostics).points(*points);
}

}  // namespace tutti::commands
