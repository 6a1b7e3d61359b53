// SPDX-License-Identifier: BSD-3-Clause
// Runs points in forked children, several at a time; the children call StudyPoint::simulate. A
// point that crashes, hangs or uses too much memory does not affect others.
//
// A child simulates points that share a process one after the other (point_batch.hpp). If it dies,
// the point that it was simulating is run again in a child of its own, as are points that exceed
// the memory limit, since memory of earlier points may count, too. Only that second run counts.
#pragma once

#include <deque>
#include <list>

#include "sim/base/common.hpp"
#include "sim/jobs/child_process.hpp"
#include "sim/jobs/study_point.hpp"
#include "sim/studies/point_batch.hpp"

namespace tutti::studies {

struct RunnerLimits {
  int jobs = 1;                            // children at a time
  std::optional<Seconds> timeout_s = {};   // of a point
  std::optional<Bytes> memory_bytes = {};  // resident, of a point
};

struct FinishedPoint {
  const StudyPoint& point;  // valid during the call of `take`
  Result<Row> answer;       // the columns of the report
  std::string output;       // the end of the child's stdout and stderr

  // The point's number; only for points that `numbered` returned.
  std::size_t number() const { return std::stoul(point.key); }
};

class StudyRunner {
 public:
  enum class Stop : unsigned char { no, after_running, now };

  // Callbacks. `next` returns the next point, unset after the last one. `take` receives each
  // finished point; an error ends the run and kills the children. A point whose child dies while
  // `stop` requests an end is unfinished and not passed to `take`. `tick` is called several times a
  // second with the running points.
  struct Caller {
    std::function<std::optional<StudyPoint>()> next;
    std::function<std::optional<Error>(const FinishedPoint&)> take;
    std::function<Stop()> stop = [] { return Stop::no; };
    std::function<void(const std::vector<const StudyPoint*>&)> tick = [](const auto&) {};
  };

  StudyRunner(const RunnerLimits& limits, Caller caller)
      : limits_(limits), caller_(std::move(caller)) {}

  // Returns when all points are finished, or the run was stopped. Returns the error of `take`, or
  // one that prevents further points from starting; unset otherwise.
  std::optional<Error> run();

 private:
  using BatchRef = std::shared_ptr<PointBatch>;

  struct Worker {
    BatchRef batch;
    std::size_t number;  // in the batch
    ChildProcess child;
    std::string received = {};     // the beginning of a frame
    std::size_t output_begin = 0;  // of the current point
    std::string killed_for = {};   // reason; empty if it was not killed
    bool is_late = false;          // the reason is the time limit
    std::size_t killed_at = 0;     // the point that was the reason
    bool has_ended = false;

    std::size_t current() const { return batch->current(number); }
  };

  std::optional<StudyPoint> next_point();
  std::vector<StudyPoint> collect();
  void prepare();
  std::optional<Error> open_next();
  bool start_next();
  std::optional<Error> start_worker();
  bool fits_in_memory(const PointBatch& batch) const;
  void close(const BatchRef& batch);

  void show();
  void wait();
  void receive(Worker& worker);
  void watch();
  void check_limits(Worker& worker) const;
  std::optional<Error> finish(Worker& worker, const PointBatch::Frame& frame);
  std::optional<Error> end(Worker& worker);
  std::optional<Error> take(PointBatch& batch, std::size_t index, Result<Row> answer,
                            std::string output);

  RunnerLimits limits_;
  Caller caller_;
  std::list<Worker> workers_;
  BatchRef open_;                      // workers may be started for it
  std::vector<StudyPoint> prepared_;   // the next batch; empty if not known yet
  std::deque<StudyPoint> again_;       // each is run in a child of its own
  std::optional<StudyPoint> waiting_;  // does not share a process with the points before it
  bool is_exhausted_ = false;
  Seconds shown_s_ = 0;    // the last call of `tick`
  Seconds watched_s_ = 0;  // the last check of limits
  std::optional<Error> error_;
};

// Returns a function that returns the points make(0) to make(count - 1) in turn; it sets the key of
// each to its index.
std::function<std::optional<StudyPoint>()> numbered(std::size_t count,
                                                    std::function<StudyPoint(std::size_t)> make);

// Runs several points at a time, each in a child, and returns the answers in the order of the
// points.
std::vector<Result<Row>> run_points(const std::vector<StudyPoint>& points,
                                    const RunnerLimits& limits);

// The results of the points of a study.
struct PointsRun {
  std::vector<std::optional<Row>> answers = {};  // by point; unset if it failed or was not run
  std::vector<std::string> failed = {};          // "bcast binomial, ...: reason"
  std::size_t not_run = 0;                       // number of points not run because of Ctrl-C
  bool is_stopped = false;                       // by Ctrl-C
  int code = 0;  // exit code for the program; 0: all points have an answer

  // Adds everything but the answers.
  void add(const PointsRun& other);
};

// A function that runs the points of a study: that of a command shows progress and errors on
// stderr. It uses only name, simulate, live and memory_bytes of the points.
using RunPoints = std::function<PointsRun(const std::vector<StudyPoint>&)>;
// Returns a runner without output.
RunPoints quiet_runner(const RunnerLimits& limits);

// Makes a point whose answer is a single time, in seconds.
StudyPoint timed_point(std::string name, std::function<Result<Seconds>()> time_of);
// Returns the time in the answer of such a point.
Seconds time_in(const Row& answer);

}  // namespace tutti::studies
