// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/delays.hpp"

namespace tutti::studies::replay {
namespace {

// Of all logs, 16 bytes each; and the fewest per rank.
constexpr std::size_t most_of_all = std::size_t{1} << 20;
constexpr std::size_t least_of_rank = 4096;

}  // namespace

// What the waits of a rank have to pass on: weights of ranges of waits, while the waits are visited
// from the last to the first.
class Delays::WeightsOfRank {
 public:
  void add_wait(Position at) { at_.push_back(at); }
  // Waits at these positions bear `weight` per tick. Requires that none of them was visited.
  void add(const Interval& interval, double weight) {
    if (begin_.empty()) begin_.resize(at_.size()), end_.resize(at_.size());
    const auto first = index_of(interval.from), last = index_of(interval.to);
    if (first == last) return;
    begin_[last - 1] += weight;
    end_[first] += weight;
  }
  // Visits the next wait; returns its weight per tick.
  double next() {
    if (left_ == SIZE_MAX) left_ = at_.size();
    --left_;
    if (begin_.empty()) return 0;
    active_ += begin_[left_];
    const double weight = active_;
    active_ -= end_[left_];
    return std::max(0.0, weight);
  }

 private:
  std::size_t index_of(Position position) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(at_, position) - at_.begin());
  }

  std::vector<Position> at_;
  std::vector<double> begin_, end_;  // changes of the weight before and after a visit
  double active_ = 0;
  std::size_t left_ = SIZE_MAX;
};

Delays::Delays(std::size_t ranks, std::size_t most_entries)
    : ranks_(ranks),
      most_entries_(most_entries != 0
                        ? most_entries
                        : std::max(least_of_rank, most_of_all / std::max<std::size_t>(1, ranks))),
      costs_(ranks) {}

void Delays::pass(TraceRank rank, PathId path, Ticks ticks) {
  if (ticks == 0) return;
  OfRank& me = ranks_[rank];
  for (std::size_t i = me.turned; i < me.log.size(); ++i)
    if (me.log[i].path == path) {
      me.log[i].ticks += ticks;
      return;
    }
  me.log.push_back({ticks, path});
  ++entries_;
}

Delays::Position Delays::turn(TraceRank rank) {
  OfRank& me = ranks_[rank];
  me.turned = me.log.size();
  if (entries_ > most_entries_ * ranks_.size()) {
    charge();
    forget_old();
  }
  return me.end();
}

Delays::Position Delays::wait(Ticks ticks, const Interval& his, const Interval& mine) {
  OfRank& me = ranks_[mine.rank];
  waits_.push_back({his, mine.rank, mine.from, me.end()});
  me.log.push_back({ticks, waiting});
  ++entries_;
  me.turned = me.log.size();
  return me.end();
}

void Delays::finish(MetricTable& metrics) {
  charge();
  for (TraceRank rank = 0; rank < costs_.size(); ++rank)
    for (PathId path = 0; path < costs_[rank].size(); ++path) {
      const auto& [direct, indirect] = costs_[rank][path];
      metrics.add(rank, path, Metric::delay_direct, std::llround(direct));
      metrics.add(rank, path, Metric::delay_indirect, std::llround(indirect));
    }
}

// ---- charging ----

Ticks Delays::ticks_of(const Wait& wait) const {
  const OfRank& of = ranks_[wait.rank];
  return of.log[wait.at - of.first].ticks;
}

// Those that are still stored.
std::span<const Delays::Entry> Delays::entries(const Interval& interval) const {
  const OfRank& of = ranks_[interval.rank];
  const Position from = std::max(interval.from, of.first);
  if (interval.to <= from) return {};
  return std::span(of.log).subspan(from - of.first, interval.to - from);
}

// A wait that was charged before only passes on what it has got since then.
void Delays::charge() {
  std::vector<WeightsOfRank> weights(ranks_.size());
  for (const Wait& wait : waits_) weights[wait.rank].add_wait(wait.at);
  for (auto last = waits_.rbegin(); last != waits_.rend(); ++last) {
    Wait& wait = *last;
    const auto ticks = static_cast<double>(ticks_of(wait));
    const Costs bears{.direct = wait.is_charged ? 0 : ticks,
                      .indirect = ticks * weights[wait.rank].next()};
    wait.is_charged = true;
    if (bears.direct + bears.indirect == 0) continue;
    weights[wait.his.rank].add(wait.his, add_costs(wait, bears));
  }
}

// Returns what each tick of the awaited rank's own waits bears.
double Delays::add_costs(const Wait& wait, const Costs& bears) {
  double total = add_excess(wait.his, 1);
  add_excess({wait.rank, wait.from, wait.at}, -1);
  std::ranges::sort(in_excess_);
  const auto repeated = std::ranges::unique(in_excess_);
  in_excess_.erase(repeated.begin(), repeated.end());
  for (const PathId path : in_excess_)
    total += static_cast<double>(std::max<Ticks>(0, excess_[path]));
  auto& costs = costs_[wait.his.rank];
  for (const PathId path : in_excess_) {
    const Ticks excess = std::exchange(excess_[path], 0);
    if (excess <= 0) continue;
    if (path >= costs.size()) costs.resize(path + std::size_t{1});
    const double part = static_cast<double>(excess) / total;
    costs[path].direct += part * bears.direct;
    costs[path].indirect += part * bears.indirect;
  }
  in_excess_.clear();
  return total == 0 ? 0 : (bears.direct + bears.indirect) / total;
}

// Returns the time of the waits.
double Delays::add_excess(const Interval& interval, Ticks sign) {
  Ticks waited = 0;
  for (const auto& [ticks, path] : entries(interval)) {
    if (path == waiting) {
      waited += ticks;
      continue;
    }
    if (path >= excess_.size()) excess_.resize(path + std::size_t{1});
    if (excess_[path] == 0) in_excess_.push_back(path);
    excess_[path] += sign * ticks;
  }
  return static_cast<double>(waited);
}

// Each rank keeps the last half of what it may store.
void Delays::forget_old() {
  entries_ = 0;
  for (OfRank& rank : ranks_) {
    const std::size_t kept = std::max(most_entries_ / 2, rank.log.size() - rank.turned);
    if (rank.log.size() > kept) {
      const std::size_t old = rank.log.size() - kept;
      rank.log.erase(rank.log.begin(), rank.log.begin() + static_cast<std::ptrdiff_t>(old));
      rank.first += old;
      rank.turned -= old;
    }
    entries_ += rank.log.size();
  }
  std::erase_if(waits_, [&](const Wait& wait) { return wait.at < ranks_[wait.rank].first; });
}

}  // namespace tutti::studies::replay
