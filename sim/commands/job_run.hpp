// SPDX-License-Identifier: BSD-3-Clause
// What `sim run` does with the points of any workload: it checks them, runs one after the other,
// tells what fails, and writes the report.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "platforms/machine.hpp"
#include "sim/commands/diagnostics.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/commands/progress.hpp"
#include "sim/studies/live_progress.hpp"
#include "sim/studies/skipped.hpp"

namespace tutti::commands {

// That of the first point which has one: one is enough.
template <class Point, class Check>
std::vector<Error> first_error(const std::vector<Point>& points, const Check& check) {
  for (const Point& point : points)
    if (std::optional<Error> error = check(point)) return {*std::move(error)};
  return {};
}

// Points without an answer.
class FailedPoints {
 public:
  // Both outlive it. `lines` gets what the report says of each.
  FailedPoints(const Diagnostics& diagnostics, std::vector<std::string>& lines)
      : diagnostics_(diagnostics), lines_(lines) {}

  // Tells why, as long as a person still reads.
  void add(const std::string& name, const std::vector<Error>& errors);
  // After the last point: tells how many more there are. The exit code of the run.
  int finish() const;

 private:
  const Diagnostics& diagnostics_;
  std::vector<std::string>& lines_;
  std::size_t errors_told_ = 0;
  std::size_t points_told_ = 0;
  bool has_bug_ = false;  // a failed point shows one of ours
};

// What an option asks for that is for one of so many points.
std::vector<Error> single_point_only(const char* option, std::size_t points);

// Of one point: which ranks --trace is to show, on what.
struct TracedPoint {
  reports::SeenJob job;
  std::vector<engines::RankRange> asked;
  const platforms::Machine& machine;
};
// The file of --trace. `head`: of the report.
std::optional<Error> write_trace(const JobRequest& request, const reports::ReportHead& head,
                                 const TracedPoint& point, const Diagnostics& diagnostics);

// Once, where there are any.
void warn_of_skipped(const studies::Skipped& skipped, const Diagnostics& diagnostics);

// Columns of the terminal that the report is shown on.
std::optional<std::size_t> report_width(const JobRequest& request);
// A result that cost time is not thrown away because of its file: it is printed then.
// Unset path: standard output.
std::optional<Error> write_report(const std::optional<std::string>& path, const std::string& text);

// Of the point that runs.
struct PointProgress {
  Progress& all;
  std::size_t done = 0;
  std::size_t failed = 0;
  std::string name;

  void show(std::optional<LiveState> live = {}) const { all.show(done, failed, name, live); }
  // Shows how far a child is until it answers. `expected_messages`: 0 where that is not known.
  template <class Child>
  void watch(const Child& child, const studies::LiveProgress& live,
             std::int64_t expected_messages) const {
    constexpr Seconds pause_s = 0.25;
    const auto start = std::chrono::steady_clock::now();
    while (!child.wait_for(pause_s)) {
      const std::chrono::duration<Seconds> passed = std::chrono::steady_clock::now() - start;
      const std::int64_t messages = live.messages();
      show(LiveState{.messages = messages,
                     .expected_messages = expected_messages,
                     .messages_per_s = static_cast<double>(messages) / passed.count(),
                     .simulated_s = live.simulated_s()});
    }
  }
};

// A workload says how its points are called, run and reported.
template <class Point, class Answer, class Report>
class JobRun {
 public:
  // All outlive it.
  JobRun(const JobRequest& request, const platforms::Machine& machine,
         const Diagnostics& diagnostics)
      : machine_(machine),
        diagnostics_(diagnostics),
        job_(request),
        failed_(diagnostics, report_.failed) {
    report_.provenance =
        reports::provenance_of(machine, request.platform, request.overrides, request.command);
    report_.with_cost = request.with_cost;
  }
  JobRun(const JobRun&) = delete;
  JobRun& operator=(const JobRun&) = delete;
  virtual ~JobRun() = default;

  // Returns the exit code.
  int run(const std::vector<Point>& points) {
    Progress progress(points.size(), diagnostics_.quiet());
    for (std::size_t i = 0; i < points.size(); ++i) {
      const PointProgress of_point{progress, i, report_.failed.size(), name_of(points[i])};
      of_point.show();
      auto answer = simulate(points[i], of_point);
      progress.clear();
      if (answer)
        take(points[i], *std::move(answer));
      else
        failed_.add(of_point.name, answer.errors());
    }
    return write();
  }

 protected:
  virtual std::string name_of(const Point& point) const = 0;
  virtual Result<Answer> simulate(const Point& point, const PointProgress& progress) = 0;
  virtual void take(const Point& point, Answer answer) = 0;
  // The files beside the report.
  virtual void write_files() = 0;
  virtual std::string text(reports::Format format, std::optional<std::size_t> width) const = 0;

  void note(std::optional<Error> error) {
    if (error) errors_.push_back(*std::move(error));
  }

  const platforms::Machine& machine_;
  const Diagnostics& diagnostics_;
  Report report_;

 private:
  int write() {
    const int done = failed_.finish();
    if (report_.records.empty()) return done;
    write_files();
    note(write_report(job_.output, text(job_.format, report_width(job_))));
    return errors_.empty() ? done : diagnostics_.fail(errors_);
  }

  const JobRequest& job_;
  FailedPoints failed_;
  std::vector<Error> errors_;  // of writing
};

}  // namespace tutti::commands
