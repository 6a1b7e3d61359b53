// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/causes.hpp"

#include "sim/replay/imbalance_impact.hpp"

namespace tutti::studies::replay {
// The critical path to the current state of a rank, as a link to the chain that it continues.
// Chains that can no longer be continued are freed; a chain that only one other continues is merged
// into it.
class Causes::Chain {
 public:
  explicit Chain(std::shared_ptr<Chain> before) : before_(std::move(before)) {}
  Chain(const Chain&) = delete;
  Chain& operator=(const Chain&) = delete;
  // Freed link by link, since recursion on a long chain would overflow the stack.
  ~Chain() {
    while (before_ && before_.use_count() == 1) before_ = std::move(before_->before_);
  }

  void add(TraceRank rank, std::span<const Delays::Entry> passed) {
    for (const auto& [ticks, path] : passed) passed_[key(rank, path)] += ticks;
    while (before_ && before_.use_count() == 1) absorb();
  }

  template <class Visit>
  void each(const Visit& visit) const {
    for (const Chain* chain = this; chain != nullptr; chain = chain->before_.get())
      for (const auto& [at, ticks] : chain->passed_)
        visit(static_cast<TraceRank>(at >> 32), static_cast<PathId>(at), ticks);
  }

 private:
  static std::uint64_t key(TraceRank rank, PathId path) { return std::uint64_t{rank} << 32 | path; }
  // Merges the smaller table into the larger one.
  void absorb() {
    auto other = std::move(before_);
    if (other->passed_.size() > passed_.size()) std::swap(other->passed_, passed_);
    for (const auto& [at, ticks] : other->passed_) passed_[at] += ticks;
    before_ = std::move(other->before_);
  }

  std::shared_ptr<Chain> before_;
  std::unordered_map<std::uint64_t, Ticks> passed_;
};

// Ends what the rank has done since the last turn, and adds it to its critical path.
Causes::Position Causes::turn(TraceRank rank) {
  OfRank& me = ranks_[rank];
  ++me.turns;
  if (const auto passed = delays_.current(rank); !passed.empty()) {
    if (!me.chain || me.chain.use_count() > 1) me.chain = std::make_shared<Chain>(me.chain);
    me.chain->add(rank, passed);
  }
  return delays_.turn(rank);
}

Causes::Mark Causes::mark(TraceRank rank, Place place, Ticks time) {
  const Position now = turn(rank);
  const OfRank& me = ranks_[rank];
  const auto entry = me.met.find(place);
  const Met met = entry == me.met.end() ? Met{} : entry->second;
  return {rank, time, me.turns, now, me.at_all, met.mine, met.theirs, me.chain};
}

// Only ranks of which one waited for the other have done different things in the same time since
// then, whose excess explains the next wait: after other meetings, one is still ahead.
Ticks Causes::meet(const Waiting& waiting, Place place, const Mark& other, Ticks now) {
  const TraceRank rank = waiting.rank;
  Position position = turn(rank);
  if (other.time < now || other.time > waiting.end) return now;
  OfRank& me = ranks_[rank];
  if (other.time > now) {
    const auto [his, mine] = since_met(rank, place, other, position);
    position = delays_.wait(other.time - now, waiting.path, waiting.kind, his, mine);
    me.chain = other.chain;
  }
  if (place == everybody)
    me.at_all = position;
  else
    me.met[place] = {position, is_pair(place) ? other.at : 0, me.turns};
  return other.time;
}

// The intervals of the awaited rank and of the waiting rank since their last meeting.
std::pair<Causes::Interval, Causes::Interval> Causes::since_met(TraceRank rank, Place place,
                                                                const Mark& other,
                                                                Position now) const {
  const OfRank& me = ranks_[rank];
  Interval his{other.rank, std::max(other.at_all, other.met), other.at};
  Interval mine{rank, std::max(me.at_all, other.met_peer), now};
  if (const auto met = me.met.find(place); met != me.met.end()) {
    his.from = std::max(his.from, met->second.theirs);
    mine.from = std::max(mine.from, met->second.mine);
  }
  // The other rank's record of the meeting, if that is earlier.
  const auto& of_other = ranks_[other.rank].met;
  if (const auto met = of_other.find(pair_of(rank));
      place == pair_of(other.rank) && met != of_other.end() && met->second.turn <= other.turn) {
    his.from = std::max(his.from, met->second.mine);
    mine.from = std::max(mine.from, met->second.theirs);
  }
  return {his, mine};
}

void Causes::finish(TraceRank last) {
  turn(last);
  delays_.finish(metrics_);
  if (!ranks_[last].chain) return;
  ranks_[last].chain->each([&](TraceRank rank, PathId path, Ticks ticks) {
    metrics_.add(rank, path, Metric::critical_path, ticks);
  });
  add_imbalance_impact(metrics_);
}

}  // namespace tutti::studies::replay
