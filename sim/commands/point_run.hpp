// SPDX-License-Identifier: BSD-3-Clause
// Runs points for all commands: in child processes, several at a time, with progress on stderr. The
// first Ctrl-C waits for running points, the second kills them. sim/studies/study_runner.hpp starts
// the children.
#pragma once

#include "sim/base/common.hpp"
#include "sim/commands/diagnostics.hpp"
#include "sim/commands/options.hpp"
#include "sim/commands/process.hpp"
#include "sim/commands/progress.hpp"
#include "sim/jobs/point.hpp"
#include "sim/jobs/time_estimate.hpp"
#include "sim/studies/study_runner.hpp"

namespace tutti::commands {

// The option --jobs; its default is the number of cores.
inline constexpr OptionSpec jobs_option = options::defaulting(
    "SIM_JOBS",
    {job_option::output, "-j,--jobs", "N",
     "Number of concurrent simulations; default: one per core"
     "\nNumber of concurrent simulations, each in a process of its own; default: one per core. The "
     "order of the report does not depend on it. Ctrl-C waits for running simulations and reports "
     "what is done; a second Ctrl-C stops immediately.",
     false, false});
int default_jobs();
Result<int> read_jobs(const OptionValues& values);

// Estimates the remaining time of a run from the estimated times of its points, corrected by the
// times that points took.

// A running point.
struct RunningWork {
  Seconds estimated_s = 0;  // of the whole point; 0: unknown
  double done = 0;          // fraction of its messages that are simulated; 0: unknown
  Seconds running_s = 0;    // since its start
};

struct WorkLeft {
  Seconds estimated_s = 0;  // of all unfinished points, including running ones
  std::vector<RunningWork> running = {};
  int jobs = 1;
  jobs::FinishedWork finished = {};
};

// Estimates the time until all points are finished. The estimates are multiplied by the ratio of
// the times that finished points, and finished parts of running ones, took to their estimates; the
// ratio is closer to 1 the less these parts are compared with what is left. A running point takes
// the rest of its time, or longer at its own pace, so the result falls while a long point runs.
// Returns nothing if the estimates are unknown, or if a point takes longer than estimated and its
// progress does not show how much is left.
std::optional<Seconds> time_left(const WorkLeft& work);

// Reports failed points.
class FailedPoints {
 public:
  // Both must outlive the object. `lines` collects a line per failed point for the report.
  FailedPoints(const Diagnostics& diagnostics, std::vector<std::string>& lines)
      : diagnostics_(diagnostics), lines_(lines) {}

  // Prints the errors, up to most_errors_reported.
  void add(const std::string& name, const std::vector<Error>& errors);
  // After the last point: prints how many more failed, and returns the exit code of the run.
  int finish() const;

 private:
  const Diagnostics& diagnostics_;
  std::vector<std::string>& lines_;
  std::size_t errors_reported_ = 0;
  std::size_t points_reported_ = 0;
  // The exit code of a run with failed points. Internal errors and files that cannot be written
  // have codes of their own.
  int code_ = exit_points_failed;
};

// A run of points: a StudyRunner with progress, time left and signals.
class PointRun {
 public:
  // `next` returns the next point, unset after the last one. `take` receives a finished point; an
  // error ends the run.
  struct Caller {
    std::function<std::optional<jobs::StudyPoint>()> next;
    std::function<std::optional<Error>(const studies::FinishedPoint&)> take;
    // The time left follows from these two.
    Seconds estimated_s = 0;           // of all points to run, on one core; 0: unknown
    jobs::FinishedWork finished = {};  // estimates and times of points that have run before
  };

  // `points` is the total, including the `done` points that need not run. `noun` is their name in
  // messages. `diagnostics` must outlive the object.
  PointRun(std::size_t points, std::size_t done, const char* noun, const Diagnostics& diagnostics)
      : diagnostics_(diagnostics),
        own_progress_(std::in_place, points, diagnostics.quiet(), noun),
        progress_(*own_progress_),
        noun_(noun),
        done_(done) {}
  // Makes a part of a longer run, whose progress continues that of earlier parts.
  PointRun(Progress& progress, std::size_t done, const char* noun, const Diagnostics& diagnostics)
      : diagnostics_(diagnostics), progress_(progress), noun_(noun), done_(done) {}

  // Returns an error of `take`, if any. Afterwards, `was_stopped` reports whether the user
  // interrupted the run.
  std::optional<Error> run(const studies::RunnerLimits& limits, const Caller& caller);

  bool was_stopped() const { return signals_.asks(); }
  // The exit code for the signal that stopped the run.
  int exit_code() const { return signals_.exit_code(); }

 private:
  studies::StudyRunner::Stop stop();
  void note_time(const studies::FinishedPoint& point);
  using Running = std::vector<const jobs::StudyPoint*>;
  void show(const Running& running, const Caller& caller, int jobs);
  // Records when each running point started.
  void watch(const Running& running);
  Seconds running_s(const jobs::StudyPoint& point) const;
  std::optional<Seconds> left_s(const Running& running, const Caller& caller, int jobs) const;
  std::optional<LiveState> live_state(const jobs::StudyPoint& point) const;

  const Diagnostics& diagnostics_;
  std::optional<Progress> own_progress_;
  Progress& progress_;
  StopSignals signals_;
  const char* noun_;
  std::size_t done_;
  std::size_t failed_ = 0;
  bool reported_ = false;        // that the run waits for running points, because of Ctrl-C
  Seconds done_s_ = 0;           // estimated, of finished points
  jobs::FinishedWork finished_;  // finished points whose times are known
  // The start times of running points, by key.
  std::map<std::string, std::chrono::steady_clock::time_point> since_;
};

// Returns the error of the first point for which `check` has one; empty if there is none.
template <class Point, class Check>
std::vector<Error> first_error(const std::vector<Point>& points, const Check& check) {
  for (const Point& point : points)
    if (std::optional<Error> error = check(point)) return {*std::move(error)};
  return {};
}

// Warns about skipped points, if there are any.
void warn_of_skipped(const jobs::Skipped& skipped, const Diagnostics& diagnostics);

// The progress of a search that runs its points in several parts.
struct SearchProgress {
  // `points` is the expected number of points, at least.
  SearchProgress(std::size_t points, bool quiet) : progress(points, quiet, "simulations") {}

  Progress progress;
  std::size_t done = 0;  // number of points of the finished parts
};

// Runs the points of a study, with progress and errors. If they are a part of a search, `search` is
// its progress, which is updated; else null.
studies::PointsRun run_check(const std::vector<jobs::StudyPoint>& points, int jobs,
                             const Diagnostics& diagnostics, SearchProgress* search = nullptr);
// Returns `run_check` as a callback for a study; `diagnostics` must outlive it.
studies::RunPoints runner(int jobs, const Diagnostics& diagnostics);

// Returns the exit code of a search that ran the points `done`: the code of failed or interrupted
// simulations if the search itself ended with `code` 0, or because of the interruption.
Result<int> code_of_search(Result<int> code, const studies::PointsRun& done);

}  // namespace tutti::commands
