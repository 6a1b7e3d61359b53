// SPDX-License-Identifier: BSD-3-Clause
// Wait states by call path and rank as Scalasca defines them (patterns of versions 1.4 and 2.0; the
// README of this folder has the definitions). Times are in ticks.
#pragma once

#include <deque>

#include "sim/base/common.hpp"
#include "sim/replay/frames.hpp"
#include "sim/replay/receive_order.hpp"

namespace tutti::studies::replay {

// The time of an event in the trace, and its new time; or a duration with both.
struct Times {
  Ticks before = 0;
  Ticks after = 0;

  friend Times operator-(const Times& a, const Times& b) {
    return {a.before - b.before, a.after - b.after};
  }
};
inline Times later_of(const Times& a, const Times& b) {
  return {std::max(a.before, b.before), std::max(a.after, b.after)};
}
inline Times earlier_of(const Times& a, const Times& b) {
  return {std::min(a.before, b.before), std::min(a.after, b.after)};
}

enum class Metric : std::uint8_t {
  time,    // exclusive
  visits,  // a count
  late_sender,
  wrong_order_same_source,  // parts of late_sender
  wrong_order_other_source,
  late_receiver,
  wait_at_barrier,
  barrier_completion,
  wait_at_nxn,
  nxn_completion,
  late_broadcast,
  early_reduce,
  early_scan,
  wait_at_window_create,
  wait_at_window_free,
  wait_at_fence,
  late_post,            // MPI_Win_start or MPI_Win_complete waits for MPI_Win_post
  early_wait,           // MPI_Win_wait waits for MPI_Win_complete
  late_complete,        // part of early_wait: after the last access of the origins
  lock_contention,      // for a lock that another rank has
  omp_barrier,          // barriers of OpenMP
  critical_contention,  // critical sections of OpenMP
  mutex_contention,     // other locks of threads, and condition variables
  idle_threads,         // threads outside parallel regions
  late_kernel,          // synchronization with operations of an accelerator
  blocked,              // time in all calls until everything that they depend on had happened
  // The same until it had also arrived; only after the change, with the models loggp and platform.
  wait_and_transfer,
  // Only with ReplayArgs::causes (causes.hpp):
  critical_path,
  delay_direct,   // waits of other ranks that the path's own excess time caused
  delay_indirect  // the same, propagated through waits of the awaited ranks
};
inline constexpr std::array<std::string_view, 30> metric_names = {"time",
                                                                  "visits",
                                                                  "late_sender",
                                                                  "wrong_order_same_source",
                                                                  "wrong_order_other_source",
                                                                  "late_receiver",
                                                                  "wait_at_barrier",
                                                                  "barrier_completion",
                                                                  "wait_at_nxn",
                                                                  "nxn_completion",
                                                                  "late_broadcast",
                                                                  "early_reduce",
                                                                  "early_scan",
                                                                  "wait_at_window_create",
                                                                  "wait_at_window_free",
                                                                  "wait_at_fence",
                                                                  "late_post",
                                                                  "early_wait",
                                                                  "late_complete",
                                                                  "lock_contention",
                                                                  "omp_barrier",
                                                                  "critical_contention",
                                                                  "mutex_contention",
                                                                  "idle_threads",
                                                                  "late_kernel",
                                                                  "blocked",
                                                                  "wait_and_transfer",
                                                                  "critical_path",
                                                                  "delay_direct",
                                                                  "delay_indirect"};
inline constexpr std::size_t metric_count = metric_names.size();

// The values of all metrics: ticks, and the number of visits.
struct Metrics : std::array<Ticks, metric_count> {
  using std::array<Ticks, metric_count>::operator[];
  Ticks& operator[](Metric metric) { return (*this)[static_cast<std::size_t>(metric)]; }
  Ticks operator[](Metric metric) const { return (*this)[static_cast<std::size_t>(metric)]; }
  Metrics& operator+=(const Metrics& more) {
    for (std::size_t i = 0; i < metric_count; ++i) (*this)[i] += more[i];
    return *this;
  }
};

// The kinds of waits by which delays are added up. Scalasca has those of the first four and of
// OpenMP.
enum class WaitKind : std::uint8_t {
  late_sender,
  late_receiver,
  barrier,
  n_to_n,
  one_to_n,
  n_to_one,
  scan,
  window,       // synchronization, and locks
  omp_barrier,  // also of other threads
  idle_threads,
  device,
  other
};
inline constexpr std::array<std::string_view, 12> wait_kind_names = {
    "late sender", "late receiver", "barrier",        "n to n",       "1 to n",      "n to 1",
    "scan",        "window",        "thread barrier", "idle threads", "accelerator", "other"};
inline constexpr std::size_t wait_kind_count = wait_kind_names.size();

// What is known of the causes of waits, with ReplayArgs::causes (causes.hpp).
enum class Cause : std::uint8_t {
  // Waits in the call path: caused by what the awaited rank did, or by its own waits; the part that
  // delays other ranks, and the rest.
  wait_direct,
  wait_indirect,
  wait_propagating,
  wait_terminal,
  // Waits of other ranks that the call path causes: Metric::delay_direct and delay_indirect by the
  // kind of those waits.
  delay,
  delay_longterm,
  // The use of all ranks by call paths of the critical path and by others; waits that the former
  // cause in ranks that have the call path, or do not have it (imbalance_impact.hpp). Their kind is
  // `other`.
  critical_activity,
  other_activity,
  imbalance_within,
  imbalance_between
};
inline constexpr std::size_t cause_count = 10;

struct CauseTime {
  PathId path = root_path;
  Cause cause = Cause::wait_direct;
  WaitKind kind = WaitKind::other;
  Ticks ticks = 0;

  auto operator<=>(const CauseTime&) const = default;
};

// A wait of a rank in one call.
struct WaitInstance {
  Ticks begin = 0;
  Ticks ticks = 0;  // its severity
  TraceRank rank = 0;
  PathId path = root_path;

  bool operator==(const WaitInstance&) const = default;
};

// The number of waits of a kind, and the most severe one: what Scalasca calls the most severe
// instance of a pattern.
class WaitInstances {
 public:
  void add(const WaitInstance& instance) {
    ++count_;
    if (order(instance) < order(worst_)) worst_ = instance;
  }
  std::uint64_t count() const { return count_; }
  // Of several that are equally severe: the earliest, then that of the lowest rank. Only if there
  // are any.
  const WaitInstance& worst() const { return worst_; }
  void set_worst_path(PathId path) { worst_.path = path; }
  bool operator==(const WaitInstances&) const = default;

 private:
  static std::tuple<Ticks, Ticks, TraceRank> order(const WaitInstance& of) {
    return {-of.ticks, of.begin, of.rank};
  }

  std::uint64_t count_ = 0;
  WaitInstance worst_;
};

// The metrics of all call paths and ranks, and the instances of waits.
class MetricTable {
 public:
  explicit MetricTable(std::size_t ranks) : ranks_(ranks) {}

  void add(TraceRank rank, PathId path, Metric metric, Ticks ticks) {
    if (ticks == 0) return;
    auto& paths = ranks_[rank];
    if (path >= paths.size()) paths.resize(path + 1);
    paths[path][metric] += ticks;
  }
  // Adds a wait in one call.
  void add_wait(Metric metric, const WaitInstance& wait) {
    if (wait.ticks == 0) return;
    add(wait.rank, wait.path, metric, wait.ticks);
    instances_[static_cast<std::size_t>(metric)].add(wait);
  }
  const WaitInstances& instances(std::size_t metric) const { return instances_[metric]; }
  // Takes the instances and causes of another table, whose paths have the numbers `now` here.
  void take_instances(const MetricTable& other, const std::vector<PathId>& now);

  // Adds a part of the causes of waits. Call sort_causes() afterwards.
  void add_cause(TraceRank rank, const CauseTime& time) {
    if (time.ticks == 0) return;
    causes_.resize(ranks_.size());
    causes_[rank].push_back(time);
  }
  void sort_causes();
  bool has_causes() const { return !causes_.empty(); }
  // All of a rank, or those in a call path, in order of the path.
  std::span<const CauseTime> causes(TraceRank rank) const;
  std::span<const CauseTime> causes(TraceRank rank, PathId path) const;
  // The metrics of a rank in a call path; zeros if nothing was added.
  Metrics of(TraceRank rank, PathId path) const {
    const auto& paths = ranks_[rank];
    return path < paths.size() ? paths[path] : Metrics{};
  }
  Metrics total() const;
  Metrics of_path(PathId path) const;
  std::size_t ranks() const { return ranks_.size(); }
  // More than the highest path with a metric.
  std::size_t paths() const;

 private:
  std::vector<std::vector<Metrics>> ranks_;  // by path
  std::array<WaitInstances, metric_count> instances_;
  std::vector<std::vector<CauseTime>> causes_;  // by rank; empty without causes
};

// The latest receives of a rank that waited for late senders. A receive turns out to be in the
// wrong order if a message that was sent earlier is received later.
class LateSenders {
 public:
  struct Receive {
    TraceRank source;
    Ticks sent;         // when its message was sent
    WaitInstance wait;  // of 0 ticks if it did not wait
  };
  void receive(const Receive& receive, MetricTable& metrics);

 private:
  static constexpr std::size_t window = 100;
  std::deque<Receive> waited_;
};

}  // namespace tutti::studies::replay
