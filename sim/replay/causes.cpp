// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/causes.hpp"

namespace tutti::studies::replay {
namespace {

// Stretches stored per rank. Earlier meetings count as the first stored one.
constexpr std::size_t most_stretches = 4096;
// Largest number of causes stored per wait.
constexpr std::size_t most_blamed = 256;

}  // namespace

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

  void add(TraceRank rank, const Stretch& stretch) {
    for (const auto& [path, ticks] : stretch.passed) passed_[key(rank, path)] += ticks;
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

// Ends the current stretch and begins a new one.
void Causes::turn(TraceRank rank) {
  OfRank& me = ranks_[rank];
  if (!me.log.back().passed.empty()) {
    if (!me.chain || me.chain.use_count() > 1) me.chain = std::make_shared<Chain>(me.chain);
    me.chain->add(rank, me.log.back());
  }
  me.log.emplace_back();
  if (me.log.size() <= most_stretches) return;
  me.log.pop_front();
  ++me.first;
}

Causes::Mark Causes::mark(TraceRank rank, Place place) {
  turn(rank);
  OfRank& me = ranks_[rank];
  const auto found = me.met.find(place);
  const Met met = found == me.met.end() ? Met{} : found->second;
  return {rank, me.now(), me.at_all, met.mine, met.theirs, me.chain};
}

void Causes::meet(TraceRank rank, Place place, const Mark& other, Ticks waited) {
  turn(rank);
  OfRank& me = ranks_[rank];
  if (waited > 0) {
    const auto [his, mine] = since_met(rank, place, other);
    me.log.back().waits.push_back({waited, charge(waited, his, mine)});
    me.chain = other.chain;
    turn(rank);  // the following activity does not belong to the wait
  }
  if (place == everybody)
    me.at_all = me.now();
  else
    me.met[place] = {me.now(), other.at};
}

// The intervals of the awaited rank and of the waiting rank since their last meeting.
std::pair<Causes::Interval, Causes::Interval> Causes::since_met(TraceRank rank, Place place,
                                                                const Mark& other) const {
  const OfRank& me = ranks_[rank];
  Interval his{other.rank, std::max(other.at_all, other.met), other.at};
  Interval mine{rank, std::max(me.at_all, other.met_peer), me.now()};
  if (const auto met = me.met.find(place); met != me.met.end()) {
    his.from = std::max(his.from, met->second.theirs);
    mine.from = std::max(mine.from, met->second.mine);
  }
  // The other rank's record of the meeting, if that is earlier.
  const auto& of_other = ranks_[other.rank].met;
  if (const auto met = of_other.find(pair_of(rank));
      place == pair_of(other.rank) && met != of_other.end() && met->second.mine <= other.at) {
    his.from = std::max(his.from, met->second.mine);
    mine.from = std::max(mine.from, met->second.theirs);
  }
  return {his, mine};
}

// Visits the stretches of the interval that are still stored.
template <class Visit>
void Causes::each_stretch(const Interval& interval, const Visit& visit) const {
  const OfRank& of = ranks_[interval.rank];
  for (std::uint64_t i = std::max(interval.from, of.first); i < interval.to; ++i)
    visit(of.log[i - of.first]);
}

void Causes::add_passed(const Interval& interval, Ticks sign) {
  each_stretch(interval, [&](const Stretch& stretch) {
    for (const auto& [path, ticks] : stretch.passed) {
      if (path >= excess_.size()) excess_.resize(path + std::size_t{1});
      if (excess_[path] == 0) in_excess_.push_back(path);
      excess_[path] += sign * ticks;
    }
  });
}

std::shared_ptr<const Causes::Blame> Causes::charge(Ticks waited, const Interval& his,
                                                    const Interval& mine) {
  add_passed(his, 1);
  add_passed(mine, -1);
  std::sort(in_excess_.begin(), in_excess_.end());
  in_excess_.erase(std::unique(in_excess_.begin(), in_excess_.end()), in_excess_.end());
  double total = 0;
  for (const PathId path : in_excess_)
    total += static_cast<double>(std::max<Ticks>(0, excess_[path]));
  each_stretch(his, [&](const Stretch& stretch) {
    for (const Wait& wait : stretch.waits) total += static_cast<double>(wait.ticks);
  });

  std::map<std::pair<TraceRank, PathId>, double> parts;
  const auto add = [&](TraceRank rank, PathId path, double part, Metric metric) {
    parts[{rank, path}] += part;
    metrics_.add(rank, path, metric, std::llround(part * static_cast<double>(waited)));
  };
  for (const PathId path : in_excess_) {
    const Ticks excess = std::exchange(excess_[path], 0);
    if (excess > 0) add(his.rank, path, static_cast<double>(excess) / total, Metric::delay_direct);
  }
  in_excess_.clear();
  each_stretch(his, [&](const Stretch& stretch) {
    for (const Wait& wait : stretch.waits)
      for (const Blamed& each : *wait.blame)
        add(each.rank, each.path, each.part * static_cast<double>(wait.ticks) / total,
            Metric::delay_indirect);
  });

  Blame blame;
  for (const auto& [at, part] : parts) blame.push_back({at.first, at.second, part});
  std::sort(blame.begin(), blame.end(),
            [](const Blamed& one, const Blamed& other) { return one.part > other.part; });
  if (blame.size() > most_blamed) blame.resize(most_blamed);
  return std::make_shared<const Blame>(std::move(blame));
}

void Causes::finish(TraceRank last) {
  turn(last);
  if (!ranks_[last].chain) return;
  ranks_[last].chain->each([&](TraceRank rank, PathId path, Ticks ticks) {
    metrics_.add(rank, path, Metric::critical_path, ticks);
  });
}

}  // namespace tutti::studies::replay
