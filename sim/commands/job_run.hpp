// SPDX-License-Identifier: BSD-3-Clause
// Runs the points of a workload of `sim run` in parallel, and writes the report and its additional
// files in the order of the points.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/point_run.hpp"
#include "sim/engines/simgrid_module.hpp"
#include "sim/jobs/inside.hpp"
#include "sim/jobs/packed_answer.hpp"
#include "sim/jobs/study_point.hpp"
#include "sim/jobs/verification.hpp"
#include "sim/options/option_table.hpp"
#include "sim/reports/report.hpp"

namespace tutti::commands {

// The output options of the workloads of `sim run`.
struct RunOutput : DocumentOutput {
  // Files in addition to the report.
  std::optional<std::string> traffic;
  std::optional<std::string> ranks;
  std::optional<std::string> links;
  std::optional<std::string> histogram;
  std::optional<std::string> aggregator_times;
  std::optional<std::string> hints;
  std::optional<std::string> goal;  // the schedule
  std::optional<std::string> trace;
  std::vector<engines::RankRange> traced;  // value of --trace-ranks; empty: the default
  bool critical_path = false;
  bool with_cost = true;
  bool verbose = false;
  int jobs = default_jobs();

  jobs::InsideRequest inside() const;
};

// Rows of the option tables of workloads, each bound to its member of RunOutput.
namespace run_output {
extern const options::Option<RunOutput> output_file, traffic, ranks, links, histogram,
    aggregator_times, trace, trace_ranks, critical_path, goal, provenance, spreadsheet, no_cost,
    verbose, jobs;
}  // namespace run_output

// Reads the options of `table` and checks their combinations. `procs`: processes of the jobs.
void read_run_output(options::OptionReader& reader, const options::OptionTable<RunOutput>& table,
                     const std::vector<std::int64_t>& procs, RunOutput& output);

// Returns the first given option that applies only to a single point; null if there is none.
const char* single_point_option(const RunOutput& output);

// Returns the error that the option applies only to a single point, but there are `points` points.
std::vector<Error> single_point_only(const char* option, std::size_t points);

// A traced job, and the ranks to show.
struct TracedPoint {
  reports::SeenJob job;
  std::vector<engines::RankRange> requested;
  const platforms::Machine& machine;
};
// Writes the file of --trace. `head`: head of the report.
std::optional<Error> write_trace(const RunOutput& output, const reports::ReportHead& head,
                                 const TracedPoint& point, const Diagnostics& diagnostics);

// The machines of --platform, a list: the outermost axis of the points.
using Machines = std::vector<platforms::Machine>;
Result<Machines> load_machines(const options::MachineRequest& request);

// The head of a report, with its provenance.
reports::ReportHead make_head(const options::MachineRequest& request, const RunOutput& output,
                              const Machines& machines, const std::string& command);

// The points of one machine.
template <class Point>
using PointsByMachine = std::vector<std::vector<Point>>;

template <class Point>
std::size_t number_of_points(const PointsByMachine<Point>& points) {
  std::size_t sum = 0;
  for (const auto& of_machine : points) sum += of_machine.size();
  return sum;
}

// Returns errors for options that write tables without a column for the platform, if there are
// several platforms.
std::vector<Error> single_platform_only(const RunOutput& output, const Machines& machines);

// Base class of a workload's run. The workload defines the names and the expected cost of its
// points, and what it does with their answers. A point goes from here through PointRun
// (point_run.hpp) and studies::StudyRunner to a child, which calls jobs::packed_answer; its answer
// returns to `take`.
template <class Point, class Answer, class Report>
class JobRun {
 public:
  // All references must outlive the object.
  JobRun(reports::ReportHead head, const RunOutput& output, const Machines& machines,
         const Diagnostics& diagnostics)
      : machines_(machines),
        diagnostics_(diagnostics),
        output_(output),
        failed_(diagnostics, report_.failed) {
    static_cast<reports::ReportHead&>(report_) = std::move(head);
  }
  JobRun(const JobRun&) = delete;
  JobRun& operator=(const JobRun&) = delete;
  virtual ~JobRun() = default;

  // Runs the points, writes the report and the other files, and returns the exit code.
  Result<int> run(const PointsByMachine<Point>& by_machine) {
    for (std::size_t machine = 0; machine < by_machine.size(); ++machine)
      for (const Point& point : by_machine[machine]) points_.push_back({point, machine});
    // SimGrid is loaded once, before the first fork, instead of by each child.
    if (std::ranges::any_of(points_,
                            [](const Placed& placed) { return jobs::uses_simgrid(placed.point); }))
      if (auto error = engines::load_simgrid()) return *error;
    const Seconds estimated_s = estimate();
    PointRun run(points_.size(), 0, "points", diagnostics_);
    run.run({.jobs = output_.jobs},
            {.next = studies::numbered(points_.size(),
                                       [&](std::size_t i) { return study_point(points_[i]); }),
             .take = [&](const studies::FinishedPoint& finished) -> std::optional<Error> {
               finished_.emplace(finished.number(), Finished{finished.answer, finished.output});
               take_in_order();
               return std::nullopt;
             },
             .estimated_s = estimated_s});
    if (run.was_stopped() && taken_ < points_.size())
      diagnostics_.note(fmt::format("{} of {} were not run", points_.size() - taken_,
                                    counted(points_.size(), "point")));
    const int code = TUTTI_TRY(write());
    return run.was_stopped() ? run.exit_code() : code;
  }

 protected:
  virtual std::string point_name(const Point& point) const = 0;
  // These functions return estimates; 0 if they are not known.
  virtual double expected_messages(const Point&) const { return 0; }
  virtual Seconds expected_s(const Point&, const platforms::Machine&) const { return 0; }
  virtual Bytes expected_memory(const Point&, const platforms::Machine&) const { return 0; }
  // Whether other points may be simulated in the same process (StudyPoint).
  virtual bool shares_process(const Point& point) const { return !jobs::uses_simgrid(point); }
  // Receives the answers in the order of the points. `machine` is the index of the point's machine,
  // as in the record of the answer.
  virtual void take(const Point& point, std::size_t machine, Answer answer,
                    const std::string& output) = 0;
  // Completes the report, and writes the files in addition to it.
  virtual void write_files() = 0;
  virtual std::string text(reports::Format format, std::optional<std::size_t> width) const = 0;

  // Writes a table in addition to the report.
  void write_table(const std::string& path, const std::string& csv,
                   const std::vector<std::string>& notes = {}) {
    DocumentOutput table = output_;
    table.format = reports::Format::csv;
    table.path = path;
    note(write_report(table, report_, csv, notes));
  }

  void note(std::optional<Error> error) {
    if (error) errors_.push_back(*std::move(error));
  }

  const Machines& machines_;
  const Diagnostics& diagnostics_;
  Report report_;

 private:
  // A point and the index of its machine.
  struct Placed {
    const Point& point;
    std::size_t machine;
  };
  struct Finished {
    Result<Row> answer;
    std::string output;
  };

  // The estimated time of all points on one core; warns if they take long.
  Seconds estimate() const {
    if (diagnostics_.quiet()) return 0;
    Seconds sum_s = 0, longest_s = 0;
    for (const Placed& placed : points_) {
      const Seconds point_s = expected_s(placed.point, machines_[placed.machine]);
      sum_s += point_s;
      longest_s = std::max(longest_s, point_s);
    }
    if (const auto warning = jobs::long_run_warning(
            points_.size(), std::max(longest_s, sum_s / output_.jobs), output_.jobs))
      diagnostics_.warning(*warning);
    return sum_s;
  }

  std::string full_name(const Placed& placed) const {
    return (machines_.size() > 1 ? machines_[placed.machine].name + ": " : "") +
           point_name(placed.point);
  }

  jobs::StudyPoint study_point(const Placed& placed) const {
    jobs::StudyPoint point;
    point.name = full_name(placed);
    point.messages = expected_messages(placed.point);
    point.estimated_s = expected_s(placed.point, machines_[placed.machine]);
    point.memory_bytes = expected_memory(placed.point, machines_[placed.machine]);
    if (!diagnostics_.quiet()) point.live = std::make_shared<jobs::LiveProgress>();
    point.simulate = [this, placed, live = point.live] {
      return jobs::packed_answer(placed.point, machines_[placed.machine],
                                 live ? live->watcher() : nullptr);
    };
    point.shares_process = shares_process(placed.point);
    return point;
  }

  // Takes the finished points whose predecessors are taken: the report lists the points in their
  // order.
  void take_in_order() {
    for (auto next = finished_.find(taken_); next != finished_.end();
         next = finished_.find(++taken_)) {
      const Placed& placed = points_[taken_];
      const Finished finished = std::move(next->second);
      finished_.erase(next);
      if (finished.answer) {
        auto answer = jobs::unpacked_answer<Answer>(*finished.answer);
        answer.record.platform_index = static_cast<std::int64_t>(placed.machine);
        take(placed.point, placed.machine, std::move(answer), finished.output);
      } else {
        failed_.add(full_name(placed), finished.answer.errors());
      }
    }
  }

  Result<int> write() {
    const int done = failed_.finish();
    if (report_.records.empty()) return done;
    write_files();
    note(write_report(output_, report_, text(output_.format, output_.width())));
    if (!errors_.empty()) return errors_;
    if (auto error = jobs::engines_differ(report_.records)) return *std::move(error);
    return done;
  }

  const RunOutput& output_;
  std::vector<Placed> points_;
  FailedPoints failed_;
  std::vector<Error> errors_;                 // errors of writing
  std::map<std::size_t, Finished> finished_;  // by number; waiting for points before them
  std::size_t taken_ = 0;
};

}  // namespace tutti::commands
