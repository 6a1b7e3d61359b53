// SPDX-License-Identifier: BSD-3-Clause
// The causes of waits, for one of the two times (before, after) of a replay:
//
//   critical path  traced back from the rank that ends last: through its own work, and from the end
//                  of each wait through the rank that was waited for. Its parts add up to the run
//                  time.
//   delay costs    a wait is charged to the call paths in which the rank that was waited for spent
//                  more time than the waiting rank since the two last met, in proportion to the
//                  excess, and to that rank's own waits in that time, whose causes then bear it
//                  (indirect). After Boehme et al., Identifying the Root Causes of Wait States in
//                  Large-Scale Parallel Applications (ICPP 2010), who go backward in time; this
//                  implementation goes forward: each wait carries along its causes.
//
// A wait ends at the beginning of the awaited call: transfers belong to the waiting call. Waits of
// sends for their receives are not analyzed.
#pragma once

#include <deque>

#include "sim/base/common.hpp"
#include "sim/replay/wait_states.hpp"

namespace tutti::studies::replay {

class Causes {
 public:
  // `metrics` must outlive this object.
  Causes(std::size_t ranks, MetricTable& metrics) : ranks_(ranks), metrics_(metrics) {}

  // The rank spends `ticks` in `path` without waiting.
  void pass(TraceRank rank, PathId path, Ticks ticks) {
    if (ticks != 0) ranks_[rank].log.back().add(path, ticks);
  }

  // A set of ranks that meet: a pair, the ranks of a communicator, or all ranks.
  using Place = std::uint64_t;
  static Place pair_of(TraceRank other) { return other; }
  static Place communicator(std::uint32_t comm) { return Place{1} << 32 | comm; }
  static constexpr Place everybody = Place{2} << 32;
  static constexpr Place unknown = Place{3} << 32;  // a pair with each waiting rank

  class Chain;
  // The state of a rank at the beginning of a call that others may wait for.
  struct Mark {
    TraceRank rank = 0;
    std::uint64_t at = 0;        // number of its current stretch
    std::uint64_t at_all = 0;    // its stretch at the last meeting of all ranks
    std::uint64_t met = 0;       // its stretch at the last meeting at the place
    std::uint64_t met_peer = 0;  // for a pair: the peer's stretch at that meeting
    std::shared_ptr<Chain> chain;
  };
  Mark mark(TraceRank rank, Place place);
  // The rank meets the rank of `other` at the place, after it has waited for it (0 ticks: no wait).
  void meet(TraceRank rank, Place place, const Mark& other, Ticks waited);

  // Adds the critical path, which ends with rank `last`, to the metrics.
  void finish(TraceRank last);

 private:
  // A cause of a wait. The parts of a wait add up to at most 1; small ones are dropped.
  struct Blamed {
    TraceRank rank;
    PathId path;
    double part;
  };
  using Blame = std::vector<Blamed>;
  struct Wait {
    Ticks ticks;
    std::shared_ptr<const Blame> blame;
  };
  // The activity of a rank between two meetings.
  struct Stretch {
    std::vector<std::pair<PathId, Ticks>> passed;
    std::vector<Wait> waits;
    void add(PathId path, Ticks ticks) {
      for (auto& [known, sum] : passed)
        if (known == path) {
          sum += ticks;
          return;
        }
      passed.emplace_back(path, ticks);
    }
  };
  struct Met {
    std::uint64_t mine = 0, theirs = 0;
  };
  struct OfRank {
    std::deque<Stretch> log = std::deque<Stretch>(1);  // the last one is current
    std::uint64_t first = 0;                           // number of log.front()
    std::uint64_t at_all = 0;
    std::unordered_map<Place, Met> met;
    std::shared_ptr<Chain> chain;
    std::uint64_t now() const { return first + log.size() - 1; }
  };

  struct Interval {
    TraceRank rank;
    std::uint64_t from, to;  // stretches
  };

  void turn(TraceRank rank);
  std::pair<Interval, Interval> since_met(TraceRank rank, Place place, const Mark& other) const;
  template <class Visit>
  void each_stretch(const Interval& interval, const Visit& visit) const;
  void add_passed(const Interval& interval, Ticks sign);
  std::shared_ptr<const Blame> charge(Ticks waited, const Interval& his, const Interval& mine);

  std::vector<OfRank> ranks_;
  MetricTable& metrics_;
  std::vector<Ticks> excess_;      // by path, of the awaited rank; zeros between uses
  std::vector<PathId> in_excess_;  // the paths that may be nonzero
};

// Marks for both times.
struct Marks {
  Causes::Mark before, after;
};

}  // namespace tutti::studies::replay
