// SPDX-License-Identifier: BSD-3-Clause
// sim run COLLECTIVE: reads the options to a request, makes its points on each machine
// (studies::make_points), checks them, runs them in children (JobRun, which calls jobs::run_point),
// and writes the report.

#include "sim/base/common.hpp"
#include "sim/commands/command.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/commands/job_run.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/run.help.hpp"
#include "sim/jobs/accelerators.hpp"
#include "sim/jobs/expected_accuracy.hpp"
#include "sim/jobs/extrapolation/extrapolation.hpp"
#include "sim/jobs/memory_estimate.hpp"
#include "sim/jobs/point.hpp"
#include "sim/jobs/time_estimate.hpp"
#include "sim/reports/detail_csv.hpp"
#include "sim/reports/wrap.hpp"
#include "sim/studies/background_jobs.hpp"
#include "sim/studies/workloads/collective_options.hpp"

namespace tutti::commands {
namespace {

using jobs::Answer;
using jobs::Point;

// The request: what to simulate, and what to write.
struct CollectiveRunRequest : studies::CollectiveRequest, RunOutput {
  std::string command;
};

const options::OptionTable<RunOutput>& collective_output() {
  static const options::OptionTable<RunOutput> table{
      {collective_format},       run_output::output_file,
      run_output::provenance,    run_output::spreadsheet,
      run_output::traffic,       run_output::ranks,
      run_output::links,         run_output::histogram,
      run_output::trace,         run_output::trace_ranks,
      run_output::critical_path, run_output::goal,
      run_output::no_cost,       job_option::color,
      job_option::quiet,         studies::confidence_option(),
      run_output::verbose,       run_output::jobs,
      job_option::help,
  };
  return table;
}
constexpr auto collective_specs = join_run_specs<studies::collective_options, collective_output>;

// Formats of benchmarks print simulated times only.
void reject_benchmark_format(OptionReader& reader, const CollectiveRunRequest& request) {
  const Point& common = request.sweep.common;
  const auto name = reports::name_of(request.format);
  constexpr const char* hint = "use --format csv";
  if (request.confidence)
    reader.wrong("--confidence", fmt::format("has no effect on --format {}", name), hint);
  if (common.engine == engines::EngineKind::ideal)
    reader.wrong("--format", fmt::format("{} prints times, but engine ideal is untimed", name),
                 hint);
  if (common.model_only)
    reader.wrong("--format",
                 fmt::format("{} prints simulated times, but --model-only simulates nothing", name),
                 hint);
  const auto& collective = request.sweep.collective;
  if (request.format == reports::Format::nccl_tests && !reports::has_nccl_test(collective))
    reader.wrong("--format", fmt::format("nccl-tests has no test of {}", collective), hint);
}

Result<CollectiveRunRequest> read_collective_run(const OptionValues& values) {
  CollectiveRunRequest request;
  OptionReader reader(values);
  read_collective(reader, studies::other_workload_names(true), request);
  read_run_output(reader, collective_output(), request.sweep.procs, request);
  Point& common = request.sweep.common;
  common.want_traffic = request.traffic.has_value();
  common.want_ranks = request.ranks.has_value();
  common.goal_file = request.goal.value_or("");
  common.inside = request.inside();
  reader.reject_repetitions(common.benchmark, collective_output());
  if (reports::is_of_benchmark(request.format)) reject_benchmark_format(reader, request);
  if (!reader.errors().empty()) return reader.errors().errors();
  warn_of_idle_options(reader, request);
  request.command = fmt::format("sim run {}{}", request.sweep.collective,
                                reproducing_options(collective_specs(), values));
  return request;
}

// Runs the points of a request and makes the report from their answers.
class CollectiveJobRun : public JobRun<Point, Answer, reports::Report> {
 public:
  CollectiveJobRun(const CollectiveRunRequest& request, const Machines& machines,
                   const Diagnostics& diagnostics, std::vector<std::string> omitted)
      : JobRun(make_head(request, request, machines, request.command), request, machines,
               diagnostics),
        request_(request) {
    report_.omitted = std::move(omitted);
    report_.with_confidence = request.confidence;
    if (request.verbose && !report_.omitted.empty())
      diagnostics.note(fmt::format("skipped: {}", fmt::join(report_.omitted, ", ")));
  }

 private:
  std::string point_name(const Point& point) const override { return studies::name_of(point); }

  double expected_messages(const Point& point) const override {
    return static_cast<double>(jobs::extrapolation::messages_to_simulate(point));
  }
  Seconds expected_s(const Point& point, const platforms::Machine& machine) const override {
    return jobs::estimated_seconds(point, machine);
  }
  Bytes expected_memory(const Point& point, const platforms::Machine& machine) const override {
    return jobs::memory_estimate(point, &machine);
  }

  void take(const Point& point, std::size_t at, Answer answer, const std::string& output) override {
    const platforms::Machine& machine = machines_[at];
    if (request_.verbose && !output.empty()) diagnostics_.note(output);
    const auto& record = answer.record;
    if (request_.verbose)
      diagnostics_.note(
          fmt::format("{}: {}, simulated in {}", studies::name_of(point, record.ppn),
                      record.time_s ? format_seconds(*record.time_s) : "messages checked, untimed",
                      format_seconds(record.wall_s.value_or(0))));
    Details* details = keep(point, record);
    if (details == nullptr) return;
    if (request_.traffic) details->traffic = reports::traffic_rows(answer);
    if (request_.histogram) details->histogram = reports::histogram_rows(answer);
    if (request_.links) {
      details->links = reports::links_rows(answer, machine);
      details->links_omitted = reports::links_omitted(answer, machine);
    }
    if (point.inside.path)
      report_.critical_path = reports::critical_path_of({answer.inside, answer.host_of}, machine);
    if (request_.ranks || request_.trace) last_ = std::move(answer);
  }

  // A record's rows of the CSV files.
  struct Details {
    std::string traffic;
    std::string histogram;
    std::string links;
    std::string links_omitted;
  };

  // Adds the record to the report and returns its details, to be filled in. Only the fastest point
  // of a contest so far is in the report; returns null if an earlier one was faster.
  Details* keep(const Point& point, const jobs::Record& record) {
    auto& records = report_.records;
    const auto [entry, is_first] =
        winner_of_.try_emplace({record.platform_index, point.contest}, records.size());
    if (point.contest == 0 || is_first) {
      records.push_back(record);
      return &details_.emplace_back();
    }
    jobs::Record& best = records[entry->second];
    if (time_to_compare(record) >= time_to_compare(best)) return nullptr;
    best = record;
    return &(details_[entry->second] = {});
  }

  std::string all_of(std::string Details::*member) const {
    std::string text;
    for (const Details& details : details_) text += details.*member;
    return text;
  }

  void write_files() override {
    if (request_.confidence) jobs::add_slower_chances(report_.records);
    if (request_.traffic)
      write_table(*request_.traffic, reports::traffic_head() + all_of(&Details::traffic));
    if (request_.ranks)
      write_table(*request_.ranks, reports::ranks_table(last_, machine_of_last()));
    std::vector<std::string> omitted;
    for (const Details& details : details_) omitted.push_back(details.links_omitted);
    if (request_.links)
      write_table(*request_.links, reports::links_head() + all_of(&Details::links), omitted);
    if (request_.histogram)
      write_table(*request_.histogram, reports::histogram_head() + all_of(&Details::histogram));
    if (request_.trace)
      note(write_trace(
          request_, report_,
          {{last_.inside, last_.host_of}, request_.sweep.common.inside.trace, machine_of_last()},
          diagnostics_));
  }

  const platforms::Machine& machine_of_last() const {
    return machines_[static_cast<std::size_t>(last_.record.platform_index)];
  }

  std::string text(reports::Format format, std::optional<std::size_t> width) const override {
    return reports::render(report_, format, width);
  }

  const CollectiveRunRequest& request_;
  std::vector<Details> details_;  // one for each record of the report
  // The index of the record of each platform and contest.
  std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> winner_of_;
  Answer last_;  // of the last point, for options that apply to a single point
};

// The points of all machines.
struct AllPoints {
  PointsByMachine<Point> by_machine;
  jobs::Skipped skipped;
  std::vector<std::string> omitted;  // algorithms that cannot run
};

std::vector<Error> single_point_errors(const char* option, const CollectiveRunRequest& request,
                                       std::size_t points) {
  const auto& names = request.sweep.algorithms;
  if (std::ranges::none_of(names, workloads::is_best)) return single_point_only(option, points);
  return {usage_error(
      option, "applies to a single point, but auto:best runs all algorithms",
      fmt::format("choose one algorithm; without {} the report shows the best", option))};
}

// Returns a note about the largest point that is simulated more than once; unset if no such point
// takes long.
std::optional<std::string> starts_note(const std::vector<Point>& points,
                                       const platforms::Machine& machine) {
  const Point* largest = nullptr;
  std::string largest_note;
  for (const Point& point : points) {
    if (largest != nullptr && jobs::extrapolation::messages_to_simulate(point) <=
                                  jobs::extrapolation::messages_to_simulate(*largest))
      continue;
    const auto note = jobs::starts_note(point, machine);
    if (!note) continue;
    largest = &point;
    largest_note = *note;
  }
  return largest != nullptr ? std::optional(studies::name_of(*largest) + ": " + largest_note)
                            : std::nullopt;
}

// Returns a note on the search space of auto:best and its engine; unset without auto:best.
std::optional<std::string> contests_note(const std::vector<Point>& points) {
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

std::string algorithms_help(const std::string& collective) {
  const auto all = algorithms::algorithms_of(collective);
  if (all.empty()) return {};
  std::string names;
  for (const auto* algorithm : all) {
    names += names.empty() ? "" : ", ";
    names += algorithm->name;
  }
  std::string text = fmt::format("\nAlgorithms of {}:\n", collective);
  for (const auto& line : reports::wrap(names, reports::page_width - 2)) text += "  " + line + '\n';
  return text;
}

std::string collective_help(const std::string& word) {
  const bool is_known = !algorithms::algorithms_of(word).empty();
  const auto usage =
      fmt::format("sim run {} --platform NAME --procs N", is_known ? word : "COLLECTIVE");
  return help_text(usage, texts::run["collective"], collective_specs()) + algorithms_help(word);
}

std::vector<Error> find_problems(const CollectiveRunRequest& request,
                                 const std::vector<Point>& points,
                                 const platforms::Machine& machine) {
  if (!request.force)
    if (auto errors = jobs::memory_errors(points, machine); !errors.empty()) return errors;
  return first_error(points, jobs::extrapolation::too_long);
}

// Returns errors if nothing can run, if an option applies to a single point only, or if a point is
// too large.
std::vector<Error> find_problems(const CollectiveRunRequest& request, const AllPoints& points,
                                 const Machines& machines) {
  const std::size_t count = number_of_points(points.by_machine);
  if (count == 0 && points.skipped.count > 0) return points.skipped.reasons;
  if (count == 0 && !points.omitted.empty())
    return {usage_error("--algorithm", "none of the algorithms can run",
                        fmt::format("omitted: {}", fmt::join(points.omitted, "; ")))};
  if (const char* option = single_point_option(request); option && count > 1)
    return single_point_errors(option, request, count);
  for (std::size_t i = 0; i < machines.size(); ++i)
    if (auto errors = find_problems(request, points.by_machine[i], machines[i]); !errors.empty())
      return errors;
  return {};
}

Result<AllPoints> points_on(const CollectiveRunRequest& request, const Machines& machines) {
  AllPoints all;
  for (const auto& machine : machines) {
    auto points = TUTTI_TRY(studies::make_points(request.sweep, machine));
    all.by_machine.push_back(std::move(points.all));
    all.skipped.add(points.skipped);
    for (auto& algorithm : points.omitted)
      if (std::ranges::count(all.omitted, algorithm) == 0)
        all.omitted.push_back(std::move(algorithm));
  }
  return all;
}

void report_findings(const std::vector<Point>& points, const platforms::Machine& machine,
                     const Diagnostics& diagnostics) {
  for (const auto& warning : machine.warnings) diagnostics.warning(warning);
  Bytes largest = 0;
  for (const auto& point : points)
    if (!point.call.algorithm->device_protocol)
      largest = std::max(largest, point.call.args.message_bytes);
  if (const auto warning = jobs::device_buffer_warning(machine, largest))
    diagnostics.warning(*warning);
  if (const auto note = contests_note(points)) diagnostics.note(*note);
  if (const auto warning = studies::shared_nodes_warning(points, machine))
    diagnostics.warning(*warning);
  if (const auto note = starts_note(points, machine)) diagnostics.note(*note);
}

Result<int> run_collective(const OptionValues& given, const Diagnostics& diagnostics) {
  const auto values = TUTTI_TRY(studies::with_schedule(given));
  const auto request = TUTTI_TRY(read_collective_run(values));
  auto machines = TUTTI_TRY(load_machines(request));
  if (const auto errors = single_platform_only(request, machines); !errors.empty()) return errors;
  for (auto& machine : machines)
    if (studies::lacks_accuracy(request, machine)) studies::assume_accuracy(machine);
  auto points = TUTTI_TRY(points_on(request, machines));
  if (const auto errors = find_problems(request, points, machines); !errors.empty()) return errors;
  for (const auto& warning : request.warnings) diagnostics.warning(warning);
  warn_of_skipped(points.skipped, diagnostics);
  for (std::size_t i = 0; i < machines.size(); ++i)
    report_findings(points.by_machine[i], machines[i], diagnostics);
  return CollectiveJobRun(request, machines, diagnostics, std::move(points.omitted))
      .run(points.by_machine);
}

constexpr auto schedule_specs = join_run_specs<studies::schedule_options, collective_output>;

std::string schedule_help(const std::string&) {
  return help_text("sim run schedule FILE --platform NAME", texts::run["schedule"],
                   schedule_specs());
}

}  // namespace

const RunWorkload schedule_run{studies::schedule_workload, schedule_specs, schedule_help,
                               run_collective};
const RunWorkload collective_run{studies::collective_workload, collective_specs, collective_help,
                                 run_collective};

}  // namespace tutti::commands
