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
  // Waits at these positions bear `weights` per tick, and this fraction of them delays another
  // rank. Requires that none of them was visited.
  void add(const Interval& interval, const Costs& weights, double fraction) {
    const auto first = index_of(interval.from), last = index_of(interval.to);
    if (first == last) return;
    for (std::size_t kind = 0; kind < wait_kind_count; ++kind) {
      if (weights[kind] == 0) continue;
      auto& [begin, end, active] = of_kinds_[kind];
      if (begin.empty()) begin.resize(at_.size()), end.resize(at_.size());
      begin[last - 1] += weights[kind];
      end[first] += weights[kind];
    }
    raise(first, last, fraction);
  }
  // Visits the next wait; returns its weights per tick.
  Costs next() {
    if (left_ == SIZE_MAX) left_ = at_.size();
    --left_;
    Costs weights{};
    for (std::size_t kind = 0; kind < wait_kind_count; ++kind) {
      auto& [begin, end, active] = of_kinds_[kind];
      if (begin.empty()) continue;
      active += begin[left_];
      weights[kind] = std::max(0.0, active);
      active -= end[left_];
    }
    return weights;
  }
  // The largest fraction of the visited wait that delays another rank.
  double fraction() const {
    double largest = 0;
    if (!fractions_.empty())
      for (std::size_t node = left_ + at_.size(); node > 0; node /= 2)
        largest = std::max(largest, fractions_[node]);
    return largest;
  }

 private:
  struct OfKind {
    std::vector<double> begin, end;  // changes of the weight before and after a visit
    double active = 0;
  };

  std::size_t index_of(Position position) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(at_, position) - at_.begin());
  }
  // A tree over the waits, whose leaves come last: a wait has the largest value on its way up.
  void raise(std::size_t first, std::size_t last, double fraction) {
    const std::size_t count = at_.size();
    if (fractions_.empty()) fractions_.resize(2 * count);
    const auto put = [&](std::size_t node) {
      fractions_[node] = std::max(fractions_[node], fraction);
    };
    for (first += count, last += count; first < last; first /= 2, last /= 2) {
      if (first % 2 == 1) put(first++);
      if (last % 2 == 1) put(--last);
    }
  }

  std::vector<Position> at_;
  std::array<OfKind, wait_kind_count> of_kinds_;
  std::vector<double> fractions_;
  std::size_t left_ = SIZE_MAX;
};

Delays::Delays(std::size_t ranks, std::size_t most_entries)
    : ranks_(ranks),
      most_entries_(most_entries != 0
                        ? most_entries
                        : std::max(least_of_rank, most_of_all / std::max<std::size_t>(1, ranks))),
      sums_(ranks) {}

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

Delays::Position Delays::wait(Ticks ticks, PathId path, WaitKind kind, const Interval& his,
                              const Interval& mine) {
  OfRank& me = ranks_[mine.rank];
  waits_.push_back({his, mine.rank, path, mine.from, me.end(), kind});
  me.log.push_back({ticks, waiting});
  ++entries_;
  me.turned = me.log.size();
  return me.end();
}

void Delays::finish(MetricTable& metrics) {
  charge();
  for (TraceRank rank = 0; rank < sums_.size(); ++rank)
    for (const auto& [key, of] : sums_[rank]) {
      const auto path = static_cast<PathId>(key >> 8);
      const auto kind = static_cast<WaitKind>(key & 0xff);
      const auto add = [&](Cause cause, Ticks ticks) {
        metrics.add_cause(rank, {path, cause, kind, ticks});
      };
      const Ticks direct = std::llround(of.direct);
      const Ticks waits = direct + std::llround(of.indirect);
      const Ticks propagating = std::min(std::llround(of.propagating), waits + 0LL);
      add(Cause::wait_direct, direct);
      add(Cause::wait_indirect, waits - direct);
      add(Cause::wait_propagating, propagating);
      add(Cause::wait_terminal, waits - propagating);
      add(Cause::delay, std::llround(of.delay));
      add(Cause::delay_longterm, std::llround(of.longterm));
      metrics.add(rank, path, Metric::delay_direct, std::llround(of.delay));
      metrics.add(rank, path, Metric::delay_indirect, std::llround(of.longterm));
    }
  metrics.sort_causes();
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
    const Ticks ticks = ticks_of(wait);
    Costs carried = weights[wait.rank].next();
    for (double& weight : carried) weight *= static_cast<double>(ticks);
    const auto fraction = static_cast<float>(weights[wait.rank].fraction());
    const bool is_new = !std::exchange(wait.is_charged, true);
    if (fraction > wait.passed_on)
      sums(wait.rank, wait.path, wait.kind).propagating +=
          static_cast<double>(fraction - std::exchange(wait.passed_on, fraction)) *
          static_cast<double>(ticks);
    const Ticks own = is_new ? ticks : 0;
    if (own == 0 && carried == Costs{}) continue;
    const Parts parts = add_costs(wait, own, carried);
    if (is_new) {
      const double indirect =
          parts.sum() == 0 ? 0 : static_cast<double>(own) * parts.waits / parts.sum();
      Sums& mine = sums(wait.rank, wait.path, wait.kind);
      mine.indirect += indirect;
      mine.direct += static_cast<double>(own) - indirect;
    }
    if (parts.waits == 0) continue;
    carried[static_cast<std::size_t>(wait.kind)] += static_cast<double>(own);
    for (double& weight : carried) weight /= parts.sum();
    weights[wait.his.rank].add(wait.his, carried,
                               std::min(1.0, static_cast<double>(own) / parts.sum()));
  }
}

// Charges a wait and what it carries to the awaited rank's excess, and returns that rank's parts.
Delays::Parts Delays::add_costs(const Wait& wait, Ticks own, const Costs& carried) {
  Parts parts{.waits = add_excess(wait.his, 1)};
  add_excess({wait.rank, wait.from, wait.at}, -1);
  std::ranges::sort(in_excess_);
  const auto repeated = std::ranges::unique(in_excess_);
  in_excess_.erase(repeated.begin(), repeated.end());
  for (const PathId path : in_excess_)
    parts.excess += static_cast<double>(std::max<Ticks>(0, excess_[path]));
  for (const PathId path : in_excess_) {
    const Ticks excess = std::exchange(excess_[path], 0);
    if (excess <= 0) continue;
    const double part = static_cast<double>(excess) / parts.sum();
    if (own != 0) sums(wait.his.rank, path, wait.kind).delay += part * static_cast<double>(own);
    for (std::size_t kind = 0; kind < wait_kind_count; ++kind)
      if (carried[kind] != 0)
        sums(wait.his.rank, path, static_cast<WaitKind>(kind)).longterm += part * carried[kind];
  }
  in_excess_.clear();
  return parts;
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
