// SPDX-License-Identifier: BSD-3-Clause
// The state that the parts of a replay share: the locations with their clocks, the result so far,
// the causes of waits, and the locations that can continue.
#pragma once

#include "sim/base/common.hpp"
#include "sim/replay/rank_state.hpp"
#include "sim/replay/replay.hpp"

namespace tutti::studies::replay {

// The causes of waits, with the times of the trace and with the new ones.
class BothCauses {
 public:
  // Both arguments must outlive this object.
  BothCauses(const workloads::traces::TraceDefinitions& definitions, ReplayResult& result)
      : definitions_(definitions),
        before_(result.before.ranks(), result.before),
        after_(result.after.ranks(), result.after) {}

  // Calls `visit(causes, time, mark)` for both; the members of Times and Marks belong to them.
  template <class Visit>
  void visit(const Visit& visit) {
    visit(before_, &Times::before, &Marks::before);
    visit(after_, &Times::after, &Marks::after);
  }
  std::shared_ptr<const Marks> mark(TraceRank rank, Causes::Place place, const Times& now) {
    return std::make_shared<const Marks>(
        Marks{before_.mark(rank, place, now.before), after_.mark(rank, place, now.after)});
  }
  void pass(TraceRank rank, PathId path, const Times& ticks) {
    before_.pass(rank, path, ticks.before);
    after_.pass(rank, path, ticks.after);
  }
  // Adds a wait of a thread or stream from `from` until `now` for the locations of the marks.
  void wait(TraceRank rank, PathId path, const Marks& marks, const Times& from, const Times& now) {
    const WaitKind kind = definitions_.is_stream(rank) ? WaitKind::device : WaitKind::idle_threads;
    visit([&](Causes& causes, Ticks Times::*time, std::optional<Causes::Mark> Marks::*mark) {
      const auto& other = marks.*mark;
      Ticks until = from.*time;
      if (other && other->rank != rank)
        until =
            causes.meet({rank, path, kind, now.*time}, Causes::pair_of(other->rank), *other, until);
      causes.pass(rank, path, now.*time - until);
    });
  }
  // Completes the causes. The critical paths end with these locations.
  void finish(TraceRank last_before, TraceRank last_after) {
    before_.finish(last_before);
    after_.finish(last_after);
  }

 private:
  const workloads::traces::TraceDefinitions& definitions_;
  Causes before_, after_;
};

struct ReplayState {
  const workloads::traces::Trace& trace;
  const ReplayArgs& args;
  ReplaySink* sink;  // may be null
  std::shared_ptr<const TraceScan> scan;
  WaitRules rules;
  bool is_on_platform;   // the model decides what sends and collectives wait for, not the rules
  WaitLearner* learner;  // gets what the trace shows about the rules; may be null
  ReplayResult result;
  std::unique_ptr<BothCauses> causes;             // null without ReplayArgs::causes
  std::vector<std::unique_ptr<RankState>> ranks;  // by location
  std::vector<TraceRank> woken;                   // what they waited for has happened

  const workloads::traces::TraceDefinitions& definitions() const { return trace.definitions; }
  const CallKind& kind_of(const Call& call) const { return scan->kinds[call.events.front().id]; }
  void wake(TraceRank rank) { woken.push_back(rank); }
  void wake(const std::vector<TraceRank>& others) {
    woken.insert(woken.end(), others.begin(), others.end());
  }
  // The state of a location now, for others that wait for it at the place; null without causes.
  std::shared_ptr<const Marks> marks(const RankState& me, Causes::Place place) {
    return causes ? causes->mark(me.rank, place, me.last) : nullptr;
  }
  // The last event of a location, for another location of its process that waits for it.
  Received last_event(const RankState& me, Causes::Place place) {
    return {.source = me.rank,
            .enter = me.last,
            .sent = me.last,
            .what = Received::What::thread,
            .marks = marks(me, place)};
  }
};

}  // namespace tutti::studies::replay
