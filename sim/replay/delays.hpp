// SPDX-License-Identifier: BSD-3-Clause
// The costs of delays: a wait is charged to the call paths in which the rank that was waited for
// spent more time than the waiting rank, in proportion to the excess, and to that rank's own waits
// in that time, whose causes then bear it (indirect).
//
// Ranks append their activity and their waits to logs. A wait stores only which parts of the logs
// it is about. charge() goes through the waits from the last to the first: by then, all that a wait
// has to pass on to its causes is known.
//
// The part of a wait that is due to the awaited rank's waits is indirect; the rest is direct. A
// wait is propagating in the largest part that it has of a later wait, like Scalasca's.
#pragma once

#include "sim/base/common.hpp"
#include "sim/replay/wait_states.hpp"

namespace tutti::studies::replay {

class Delays {
 public:
  // The number of entries of a rank's log before it.
  using Position = std::uint64_t;
  // An activity of a rank in a call path, or a wait.
  struct Entry {
    Ticks ticks = 0;
    PathId path = waiting;
  };
  static constexpr PathId waiting = UINT32_MAX;
  struct Interval {
    TraceRank rank = 0;
    Position from = 0, to = 0;
  };

  // Logs are cut to about `most_entries` per rank; earlier activity no longer counts.
  explicit Delays(std::size_t ranks, std::size_t most_entries = 0);

  // Adds ticks to the entry of the path since the last turn.
  void pass(TraceRank rank, PathId path, Ticks ticks);
  // Begins new entries for the following activity, and returns the position.
  Position turn(TraceRank rank);
  // The activity since the last turn.
  std::span<const Entry> current(TraceRank rank) const {
    return std::span(ranks_[rank].log).subspan(ranks_[rank].turned);
  }
  // Adds a wait of the rank of `mine`, in a call path, for the rank of `his` after these
  // activities, and returns the position after the wait.
  Position wait(Ticks ticks, PathId path, WaitKind kind, const Interval& his, const Interval& mine);

  // Adds the parts and the costs of all waits to the metrics. Call once, at the end.
  void finish(MetricTable& metrics);

 private:
  struct OfRank {
    std::vector<Entry> log;
    Position first = 0;      // the position of log.front()
    std::size_t turned = 0;  // size of the log at the last turn
    Position end() const { return first + log.size(); }
  };
  struct Wait {
    Interval his;
    TraceRank rank;
    PathId path;
    Position from, at;  // of the log of `rank`: the begin of its interval, and its entry
    WaitKind kind;
    bool is_charged = false;
    float passed_on = 0;  // the fraction that delays other ranks, so far
  };
  // By the kind of the wait at the end of a chain, in ticks or per tick.
  using Costs = std::array<double, wait_kind_count>;
  // Of a call path and a kind: its waits, and the waits that it causes, in ticks.
  struct Sums {
    double direct = 0, indirect = 0, propagating = 0, delay = 0, longterm = 0;
  };
  struct Parts {
    double excess = 0, waits = 0;  // of an awaited rank, in ticks
    double sum() const { return excess + waits; }
  };
  class WeightsOfRank;

  Ticks ticks_of(const Wait& wait) const;
  std::span<const Entry> entries(const Interval& interval) const;
  void charge();
  Parts add_costs(const Wait& wait, Ticks own, const Costs& carried);
  Sums& sums(TraceRank rank, PathId path, WaitKind kind) {
    return sums_[rank][std::uint64_t{path} << 8 | static_cast<std::uint64_t>(kind)];
  }
  double add_excess(const Interval& interval, Ticks sign);
  void forget_old();

  std::vector<OfRank> ranks_;
  std::size_t most_entries_;
  std::size_t entries_ = 0;  // of all logs
  std::vector<Wait> waits_;  // in the order in which they were added
  std::vector<std::unordered_map<std::uint64_t, Sums>> sums_;  // by rank; by path and kind
  std::vector<Ticks> excess_;                                  // by path; zeros between uses
  std::vector<PathId> in_excess_;                              // the paths that may be nonzero
};

}  // namespace tutti::studies::replay
