// SPDX-License-Identifier: BSD-3-Clause
// One point of a study: what it is, the key that its result is stored under, and how it is run.
#pragma once

#include <atomic>

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/runtime/observer.hpp"
#include "sim/studies/child_process.hpp"
#include "sim/studies/io_record.hpp"
#include "sim/studies/ping_pong_record.hpp"
#include "sim/studies/point.hpp"
#include "sim/studies/run_io.hpp"
#include "sim/studies/run_point.hpp"

namespace tutti::studies {

// Runs a point in a forked child: SimGrid's engine is one per process and may abort it; a child
// that dies costs its point only. The parent never touches SimGrid.

class Forked {
 public:
  using Work = std::function<Result<Answer>()>;

  // Starts the child. It measures its own cost (wall_s, peak_rss_bytes) around `work`; `before_s`
  // is added. For a point the time of reading the machine is part of it.
  static Result<Forked> start(const Work& work, Seconds before_s = 0);
  // `watcher`, if any, sees the run in the child.
  static Result<Forked> start(const Point& point, const platforms::Machine& machine,
                              runtime::Observer* watcher = nullptr);

  // Waits for at most that time: true once the child answers, or has ended without an answer.
  bool wait_for(Seconds time_s) const { return child_.wait_for(time_s); }
  // Waits for the child. If it died: an error of kind run where memory or a signal from outside
  // ended it, else of kind internal.
  Result<Answer> collect();
  // What the child wrote to stdout and stderr (messages of libraries); after `collect`.
  const std::string& output() const { return child_.output(); }

 private:
  explicit Forked(ChildProcess child) : child_(std::move(child)) {}

  ChildProcess child_;
};

// How far a simulation in a forked child is, seen by its parent: both share a page of memory. Made
// before the fork; the child counts, the parent looks.

class LiveProgress : public runtime::Observer {
 public:
  LiveProgress();  // where there is no page to share, it stays at 0
  LiveProgress(const LiveProgress&) = delete;
  LiveProgress& operator=(const LiveProgress&) = delete;
  ~LiveProgress() override;

  void on_send(const runtime::SentMessage& message) override;

  // Sent so far, to a few thousand.
  std::int64_t messages() const;
  // The clock of a rank that has sent lately; 0 in an untimed engine.
  Seconds simulated_s() const;

 private:
  struct Page {
    std::atomic<std::int64_t> messages;
    std::atomic<Seconds> simulated_s;
  };
  static_assert(std::atomic<std::int64_t>::is_always_lock_free);
  static_assert(std::atomic<Seconds>::is_always_lock_free);

  Page* page_;  // null: none
};

// The answer of a point with all that its report shows, on its way from a runner's child: a row
// with the packed answer in one cell, and the memory that it took.

// In the child: simulates the point and measures what that costs. The machine's reading is part of
// it. `watcher`, if any, sees the run.
Result<Row> packed_answer(const Point& point, const platforms::Machine& machine,
                          runtime::Observer* watcher);
Result<Row> packed_answer(const IoPoint& point, const platforms::Machine& machine,
                          runtime::Observer* watcher);

// In the parent.
template <class AnyAnswer>
AnyAnswer unpacked_answer(const Row& row);
template <>
Answer unpacked_answer<Answer>(const Row& row);
template <>
IoAnswer unpacked_answer<IoAnswer>(const Row& row);

// Where a point comes from.
struct PointOrigin {
  std::string platform;                                        // as given
  std::vector<std::pair<std::string, std::string>> overrides;  // of --set
  std::string command;                                         // that simulates it alone
  std::shared_ptr<const platforms::Machine> machine = {};
};

struct StudyPoint {
  std::string key = {};          // 32 hex digits: description, platform's content, model's version
  std::string description = {};  // 16 hex digits: all that was asked for, in normal form
  std::string name = {};         // for people
  // platform, platform_hash, the overrides by their keys, command, model_version, description, and
  // the columns of the report that say what is simulated.
  Row parameters = {};
  // Simulates it and gives the columns of the report. Once in a process; may fork.
  std::function<Result<Row>()> simulate = {};
  std::shared_ptr<const platforms::Machine> machine = {};
  // Counts in the child what `simulate` does, where somebody watches; null: nobody does.
  std::shared_ptr<LiveProgress> live = {};
  double messages = 0;     // about so many are simulated
  Bytes memory_bytes = 0;  // about so much is needed; 0: not known
};

// `rivals`: one point, or those of a contest, of which the fastest is the answer.
Result<StudyPoint> study_point(const std::vector<Point>& rivals, const PointOrigin& origin,
                               const std::string& name);
Result<StudyPoint> study_point(const IoPoint& point, const PointOrigin& origin,
                               const std::string& name);
StudyPoint study_point(const PingPongPoint& point, const PointOrigin& origin,
                       const std::string& name);

// A point of another kind, without `simulate`. `content`: what the parameters do not say.
StudyPoint study_point(Row parameters, const std::string& content, const PointOrigin& origin,
                       const std::string& name);

// One of a study that stores nothing: its name and its memory are the point's.
StudyPoint simulation_of(const Point& point, std::function<Result<Row>()> simulate);

// Names of the columns that say what is simulated, of all workloads.
std::vector<std::string> parameter_names();

}  // namespace tutti::studies
