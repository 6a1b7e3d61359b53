// SPDX-License-Identifier: BSD-3-Clause
// What every command does that runs points: they run in children, several at a time; the person
// sees how far they are; the first Ctrl-C lets the running ones finish, the second ends them.
#pragma once

#include "sim/base/common.hpp"
#include "sim/commands/diagnostics.hpp"
#include "sim/commands/options.hpp"
#include "sim/commands/process.hpp"
#include "sim/commands/progress.hpp"
#include "sim/studies/point.hpp"
#include "sim/studies/study_runner.hpp"

namespace tutti::commands {

// "-j,--jobs": as many as there are cores where it is not given.
inline constexpr OptionSpec jobs_option = options::defaulting(
    "SIM_JOBS",
    {job_option::output, "-j,--jobs", "N",
     "Number of concurrent simulations; default: one per core"
     "\nNumber of concurrent simulations, each in a process of its own; default: one per core. The "
     "report lists the points in their order. Ctrl-C lets the running ones finish and reports what "
     "is done; a second Ctrl-C stops at once.",
     false, false});
int default_jobs();
Result<int> jobs_of(const OptionValues& values);

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
  std::size_t errors_reported_ = 0;
  std::size_t points_reported_ = 0;
  bool has_bug_ = false;  // a failed point shows one of ours
};

class PointRun {
 public:
  // What the caller does. `next`: the next point, if any. `take`: an error ends the run.
  struct Caller {
    std::function<std::optional<studies::StudyPoint>()> next;
    std::function<std::optional<Error>(const studies::FinishedPoint&)> take;
    std::function<std::optional<Seconds>()> left_s = {};  // an estimate, where there is one
  };

  // `points`: in all, of which `done` are known already. `noun`: what they are called.
  PointRun(std::size_t points, std::size_t done, const char* noun, const Diagnostics& diagnostics)
      : diagnostics_(diagnostics),
        progress_(points, diagnostics.quiet(), noun),
        noun_(noun),
        done_(done) {}

  // An error of taking. What stopped it is seen below.
  std::optional<Error> run(const studies::RunnerLimits& limits, const Caller& caller);

  bool was_stopped() const { return signals_.asks(); }
  // Of the signal that stopped it.
  int exit_code() const { return signals_.exit_code(); }

 private:
  studies::StudyRunner::Stop stop();
  void show(const std::vector<const studies::StudyPoint*>& running,
            const std::optional<Seconds>& left_s);
  std::optional<LiveState> live_state(const studies::StudyPoint& point);

  const Diagnostics& diagnostics_;
  Progress progress_;
  StopSignals signals_;
  const char* noun_;
  std::size_t done_;
  std::size_t failed_ = 0;
  bool reported_ = false;
  const studies::StudyPoint* watched_ = nullptr;  // since when it runs
  std::chrono::steady_clock::time_point watched_since_;
};

// That of the first point which has one: one is enough.
template <class Point, class Check>
std::vector<Error> first_error(const std::vector<Point>& points, const Check& check) {
  for (const Point& point : points)
    if (std::optional<Error> error = check(point)) return {*std::move(error)};
  return {};
}

// Once, where there are any.
void warn_of_skipped(const studies::Skipped& skipped, const Diagnostics& diagnostics);

// Points of a study, with progress and errors.
studies::PointsRun run_check(const std::vector<studies::StudyPoint>& points, int jobs,
                             const Diagnostics& diagnostics);
// The same, for a study to use; `diagnostics` outlives it.
studies::RunPoints runner(int jobs, const Diagnostics& diagnostics);

}  // namespace tutti::commands
