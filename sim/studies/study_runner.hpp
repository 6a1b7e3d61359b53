// SPDX-License-Identifier: BSD-3-Clause
// Runs points in forked children, several at a time. A point that crashes, hangs or takes too much
// memory costs itself only.
#pragma once

#include <deque>
#include <list>

#include "sim/base/common.hpp"
#include "sim/studies/child_process.hpp"
#include "sim/studies/study_point.hpp"

namespace tutti::studies {

struct RunnerLimits {
  int jobs = 1;                            // children at a time
  std::optional<Seconds> timeout_s = {};   // of a point
  std::optional<Bytes> memory_bytes = {};  // resident, of a point
};

struct FinishedPoint {
  const StudyPoint& point;
  Result<Row> answer;  // the columns of the report
  std::string output;  // what the child wrote to stdout and stderr, the end of it

  std::size_t number() const { return std::stoul(point.key); }  // by `numbered`
};

class StudyRunner {
 public:
  enum class Stop : unsigned char { no, after_running, now };

  // What the caller gives. `next`: nothing when there are no more. `take`: gets each finished
  // point; an error ends the run, children are killed. A point whose child dies while `stop` asks
  // for an end is unfinished: `take` does not get it. `tick`: several times a second, with the
  // names of the running points.
  struct Caller {
    std::function<std::optional<StudyPoint>()> next;
    std::function<std::optional<Error>(const FinishedPoint&)> take;
    std::function<Stop()> stop = [] { return Stop::no; };
    std::function<void(const std::vector<const StudyPoint*>&)> tick = [](const auto&) {};
  };

  StudyRunner(const RunnerLimits& limits, Caller caller)
      : limits_(limits), caller_(std::move(caller)) {}

  // Returns when all points are through, or it was stopped.
  std::optional<Error> run();

 private:
  struct Running {
    StudyPoint point;
    ChildProcess child;
    Seconds started_s = 0;
    std::string killed_for = {};  // why; empty: it was not
  };

  bool start_next();
  std::optional<Error> start(StudyPoint point);
  std::optional<Error> finish(Running& running);
  std::optional<Error> fail(const StudyPoint& point, const std::vector<Error>& errors);
  void wait() const;
  void watch();
  bool has_room(const StudyPoint& point) const;

  RunnerLimits limits_;
  Caller caller_;
  std::list<Running> running_;
  std::optional<StudyPoint> waiting_;  // for memory
  bool is_exhausted_ = false;
  std::optional<Error> error_;
};

// Points in their order, the key of each its number.
std::function<std::optional<StudyPoint>()> numbered(std::size_t count,
                                                    std::function<StudyPoint(std::size_t)> make);

// Runs points for a program that only wants their answers.

// The answers in the order of the points, several of which run at a time, each in a child.
std::vector<Result<Row>> run_points(const std::vector<StudyPoint>& points,
                                    const RunnerLimits& limits);

// What became of the points that a study asked for.
struct PointsRun {
  std::vector<std::optional<Row>> answers = {};  // by point; none: it failed, or was not run
  std::vector<std::string> failed = {};          // "bcast binomial, ...: why"
  std::size_t not_run = 0;                       // after Ctrl-C
  bool is_stopped = false;                       // by Ctrl-C
  int code = 0;  // exit code of a program that does no more; 0: all have an answer

  // All but the answers.
  void add(const PointsRun& other);
};

// Who runs the points of a study: a command, with progress and errors on stderr, or any program.
// Only name, simulate, live and memory_bytes of the points are looked at.
using RunPoints = std::function<PointsRun(const std::vector<StudyPoint>&)>;
// One that runs them, and no more.
RunPoints quiet_runner(const RunnerLimits& limits);

// A point that gives one time and nothing else; and the time in its answer.
StudyPoint timed_point(std::string name, std::function<Result<Seconds>()> time_of);
Seconds time_in(const Row& answer);

}  // namespace tutti::studies
