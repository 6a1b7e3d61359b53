// SPDX-License-Identifier: BSD-3-Clause
// One point of a study: its description, the key of its stored result, and how to run it.
#pragma once

#include <atomic>

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/jobs/child_process.hpp"
#include "sim/jobs/io_record.hpp"
#include "sim/jobs/ping_pong_record.hpp"
#include "sim/jobs/point.hpp"
#include "sim/jobs/run_io.hpp"
#include "sim/jobs/run_point.hpp"
#include "sim/jobs/time_estimate.hpp"
#include "sim/runtime/observer.hpp"

namespace tutti::jobs {

// Runs a point in a forked child: SimGrid allows one engine per process and may abort it; if a
// child dies, only its point is lost. The parent never uses SimGrid.

class Forked {
 public:
  using Work = std::function<Result<Answer>()>;

  // Starts the child, which measures its own cost (wall_s, peak_rss_bytes) around `work`;
  // `before_s` is added to wall_s. For a point it includes the time of reading the machine.
  static Result<Forked> start(const Work& work, Seconds before_s = 0);
  // `watcher`, if not null, observes the run in the child.
  static Result<Forked> start(const Point& point, const platforms::Machine& machine,
                              runtime::Observer* watcher = nullptr);

  // Waits for at most `time_s`: true once the child returns its result, or has ended without one.
  bool wait_for(Seconds time_s) const { return child_.wait_for(time_s); }
  // Waits for the child. If it died: an error of kind run if it ran out of memory or was killed by
  // a signal from outside, else of kind internal.
  Result<Answer> collect();
  // What the child wrote to stdout and stderr (messages of libraries); after `collect`.
  const std::string& output() const { return child_.output(); }

 private:
  explicit Forked(ChildProcess child) : child_(std::move(child)) {}

  ChildProcess child_;
};

// Progress of a simulation in a forked child, visible to its parent through a shared page of
// memory. It must be constructed before the fork; the child writes, the parent reads.

class LiveProgress : public runtime::Observer {
 public:
  LiveProgress() = default;
  LiveProgress(const LiveProgress&) = delete;
  LiveProgress& operator=(const LiveProgress&) = delete;
  ~LiveProgress() override;

  // Call before the fork. Otherwise, or if no page can be shared, all values remain 0.
  void share();
  // This observer if it is shared, else null: a run without observers is faster.
  LiveProgress* watcher() { return page_ == nullptr ? nullptr : this; }

  void on_send(const runtime::SentMessage& message) override;
  bool needs_all_ranks() const override { return false; }
  bool needs_requests() const override { return false; }

  // Number of messages sent so far by all runs of the point, accurate to a few thousand.
  std::int64_t messages() const;
  // Simulated time of a recently sent message, in seconds; 0 in an untimed engine.
  Seconds simulated_s() const;

 private:
  struct Page {
    std::atomic<std::int64_t> messages;
    std::atomic<Seconds> simulated_s;
  };
  static_assert(std::atomic<std::int64_t>::is_always_lock_free);
  static_assert(std::atomic<Seconds>::is_always_lock_free);

  Page* page_ = nullptr;     // null if no page could be shared
  std::int64_t last_ = 0;    // messages of the current run, in the child
  std::int64_t before_ = 0;  // messages of earlier runs
};

// Transfer of a point's complete answer from a runner's child: a row with the packed answer in one
// cell, and the memory used.

// In the child: simulates the point and measures the cost, including the reading of the machine.
// `watcher`, if not null, observes the run.
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

// Origin of a point.
struct PointOrigin {
  std::string platform;                                        // as given
  std::vector<std::pair<std::string, std::string>> overrides;  // of --set
  std::string command;                                         // simulates only this point
  std::shared_ptr<const platforms::Machine> machine = {};
};

struct StudyPoint {
  std::string key = {};          // 32 hex digits: hash of description, platform content, versions
  std::string description = {};  // 16 hex digits: hash of the whole request in normal form
  std::string name = {};         // for messages
  // platform, platform_hash, the overrides by their keys, command, model_version, description, and
  // the columns of the report that describe the simulation.
  Row parameters = {};
  // Simulates the point and returns the columns of the report. It may fork. Call it once per
  // process, unless `shares_process`.
  std::function<Result<Row>()> simulate = {};
  // Other points may be simulated before and after in the same process: SimGrid is not used there.
  bool shares_process = false;
  std::shared_ptr<const platforms::Machine> machine = {};
  // Counts the messages of `simulate` in the child; null if progress is not displayed.
  std::shared_ptr<LiveProgress> live = {};
  double messages = 0;      // estimated number of simulated messages
  Seconds estimated_s = 0;  // estimated time on one core; 0: unknown
  Bytes memory_bytes = 0;   // estimated memory; 0: unknown

  // Whether its messages compete with each other; then most of the time passes after most are sent.
  bool messages_compete() const { return estimated_s >= 10 * message_cost_s * messages; }
};

// `rivals` is one point, or several rival points; the result is that of the fastest.
Result<StudyPoint> study_point(const std::vector<Point>& rivals, const PointOrigin& origin,
                               const std::string& name);
Result<StudyPoint> study_point(const IoPoint& point, const PointOrigin& origin,
                               const std::string& name);
StudyPoint study_point(const PingPongPoint& point, const PointOrigin& origin,
                       const std::string& name);

// A point of another kind, without `simulate`. `content` contains details that the parameters do
// not.
StudyPoint study_point(Row parameters, const std::string& content, const PointOrigin& origin,
                       const std::string& name);

// A point of a study that stores nothing, with the name and the memory estimate of `point`, whose
// engine `simulate` uses.
StudyPoint simulation_of(const Point& point, std::function<Result<Row>()> simulate);

// Names of the columns that describe simulations, for all workloads.
std::vector<std::string> parameter_names();

}  // namespace tutti::jobs
