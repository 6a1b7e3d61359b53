// SPDX-License-Identifier: BSD-3-Clause
// The causes of waits, for one of the two times (before, after) of a replay:
//
//   critical path  traced back from the rank that ends last: through its own work, and from the end
//                  of each wait through the rank that was waited for. Its parts add up to the run
//                  time.
//   delay costs    a wait is charged to what the rank that was waited for did in excess of the
//                  waiting rank since the two last met (delays.hpp). After Boehme et al.,
//                  Identifying the Root Causes of Wait States in Large-Scale Parallel Applications
//                  (ICPP 2010).
//
// A wait ends at the beginning of the awaited call (of a lock: at the end of the call that releases
// it): transfers belong to the waiting call.
#pragma once

#include "sim/base/common.hpp"
#include "sim/replay/delays.hpp"
#include "sim/replay/wait_states.hpp"

namespace tutti::studies::replay {

class Causes {
 public:
  // `metrics` must outlive this object.
  Causes(std::size_t ranks, MetricTable& metrics)
      : ranks_(ranks), delays_(ranks), metrics_(metrics) {}

  // Adds `ticks` that the rank spends in `path` without waiting.
  void pass(TraceRank rank, PathId path, Ticks ticks) { delays_.pass(rank, path, ticks); }

  // A set of ranks that meet: a pair, the ranks of a communicator, or all ranks.
  using Place = std::uint64_t;
  static Place pair_of(TraceRank other) { return other; }
  static Place communicator(std::uint32_t comm) { return Place{1} << 32 | comm; }
  static constexpr Place everybody = Place{2} << 32;
  static constexpr Place unknown = Place{3} << 32;  // a pair with each waiting rank

  using Position = Delays::Position;
  class Chain;
  // The state of a rank at a time for which others may wait: mostly the begin of a call.
  struct Mark {
    TraceRank rank = 0;
    Ticks time = 0;
    std::uint64_t turn = 0;  // number of meetings and marks before it
    Position at = 0;         // in its log
    Position at_all = 0;     // at the last meeting of all ranks
    Position met = 0;        // at the last meeting at the place
    Position met_peer = 0;   // for a pair: the peer's position at that meeting
    std::shared_ptr<Chain> chain;
  };
  Mark mark(TraceRank rank, Place place, Ticks time);
  // A call of a rank, or a time outside of calls, in which it may wait.
  struct Waiting {
    TraceRank rank = 0;
    PathId path = root_path;
    WaitKind kind = WaitKind::other;
    Ticks end = 0;
  };
  // The rank meets another one at the place: it waits from `now` until the time of the mark, if
  // that is later, but in the call. Returns the time after the wait.
  Ticks meet(const Waiting& waiting, Place place, const Mark& other, Ticks now);

  // Adds the costs of delays, and the critical path, which ends with rank `last`, to the metrics.
  void finish(TraceRank last);

 private:
  using Interval = Delays::Interval;
  struct Met {
    Position mine = 0, theirs = 0;
    std::uint64_t turn = 0;
  };
  struct OfRank {
    std::uint64_t turns = 0;
    Position at_all = 0;
    std::unordered_map<Place, Met> met;
    std::shared_ptr<Chain> chain;
  };

  static bool is_pair(Place place) { return place < communicator(0); }
  Position turn(TraceRank rank);
  std::pair<Interval, Interval> since_met(TraceRank rank, Place place, const Mark& other,
                                          Position now) const;

  std::vector<OfRank> ranks_;
  Delays delays_;
  MetricTable& metrics_;
};

// Marks for both times; empty: unknown.
struct Marks {
  std::optional<Causes::Mark> before, after;
};

}  // namespace tutti::studies::replay
