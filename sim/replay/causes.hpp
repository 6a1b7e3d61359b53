// SPDX-License-Identifier: BSD-3-Clause
// Why ranks wait, by one of the two times of a replay:
//
//   critical path  from the rank that ends last back: through its own work, and from the end of
//   each
//                  wait on through the rank that ended it. Its parts add up to the whole.
//   delay costs    a wait is charged to what the rank that was waited for did longer than the one
//                  that waited, by call path, since the two had met before; in proportion, and to
//                  its own waits in that time as well, whose causes then bear it (indirect). As
//                  Boehme et al., Identifying the Root Causes of Wait States in Large-Scale
//                  Parallel Applications (ICPP 2010); there backward in time, here forward: each
//                  wait carries along who is to blame.
//
// Waits end with the begin of the call that was waited for: transfers are the waiting call's own.
// That a send waits for its receive is not looked at.
#pragma once

#include <deque>

#include "sim/base/common.hpp"
#include "sim/replay/wait_states.hpp"

namespace tutti::studies::replay {

class Causes {
 public:
  // `metrics` outlives it.
  Causes(std::size_t ranks, MetricTable& metrics) : ranks_(ranks), metrics_(metrics) {}

  // The rank does something by itself.
  void pass(TraceRank rank, PathId path, Ticks ticks) {
    if (ticks != 0) ranks_[rank].log.back().add(path, ticks);
  }

  // Where ranks meet: a pair of them, those of a communicator, or all at once.
  using Place = std::uint64_t;
  static Place pair_of(TraceRank other) { return other; }
  static Place communicator(std::uint32_t comm) { return Place{1} << 32 | comm; }
  static constexpr Place everybody = Place{2} << 32;
  static constexpr Place unknown = Place{3} << 32;  // a pair with each who waits

  class Chain;
  // Where a rank is when it begins a call that others may wait for.
  struct Mark {
    TraceRank rank = 0;
    std::uint64_t at = 0;        // of its stretches
    std::uint64_t at_all = 0;    // where all had met
    std::uint64_t met = 0;       // where it had met those of the place the last time
    std::uint64_t met_peer = 0;  // ... and where the peer was then; of a pair
    std::shared_ptr<Chain> chain;
  };
  Mark mark(TraceRank rank, Place place);
  // The rank meets the one of the mark at the place, and has waited for it; 0 ticks: it has not.
  void meet(TraceRank rank, Place place, const Mark& other, Ticks waited);

  // The critical path, to the end of that rank.
  void finish(TraceRank last);

 private:
  // Who is to blame for a wait; what is missing to 1 is forgotten.
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
  // What a rank does between two meetings.
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
    std::deque<Stretch> log = std::deque<Stretch>(1);  // the last one goes on
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
  std::vector<Ticks> excess_;      // by path, of the one waited for; zeros between uses
  std::vector<PathId> in_excess_;  // those that may not be 0
};

// Of both times.
struct Marks {
  Causes::Mark before, after;
};

}  // namespace tutti::studies::replay
