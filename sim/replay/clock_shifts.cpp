// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/clock_shifts.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>

namespace tutti::studies::replay {
namespace {

using Ticks = ClockLimits::Ticks;
using TraceRank = ClockLimits::TraceRank;

struct Limit {
  TraceRank cause = 0, effect = 0;
  Ticks most = 0;
};

class Groups {
 public:
  explicit Groups(std::size_t ranks) : parents_(ranks) { std::iota(begin(), end(), TraceRank{0}); }
  TraceRank of(TraceRank rank) {
    while (parents_[rank] != rank) rank = parents_[rank] = parents_[parents_[rank]];
    return rank;
  }
  // False: they are in one group already.
  bool join(TraceRank a, TraceRank b) {
    const TraceRank low = std::min(of(a), of(b)), high = std::max(of(a), of(b));
    parents_[high] = low;
    return low != high;
  }
  std::uint32_t count() {
    std::uint32_t count = 0;
    for (TraceRank rank = 0; rank < parents_.size(); ++rank) count += of(rank) == rank;
    return count;
  }

 private:
  std::vector<TraceRank>::iterator begin() { return parents_.begin(); }
  std::vector<TraceRank>::iterator end() { return parents_.end(); }
  std::vector<TraceRank> parents_;
};

// Two ranks with limits both ways: shift[b] - shift[a] is from least to most.
struct Pair {
  TraceRank a = 0, b = 0;
  Ticks least = 0, most = 0;
};

std::vector<Pair> pairs_of(const ClockLimits& limits) {
  std::vector<Pair> pairs;
  limits.each([&](TraceRank cause, TraceRank effect, Ticks most) {
    const Ticks* back = cause < effect ? limits.find(effect, cause) : nullptr;
    if (back != nullptr) pairs.push_back({cause, effect, -most, *back});
  });
  std::ranges::sort(pairs, {}, [](const Pair& each) {
    return std::tuple(each.most - each.least, each.a, each.b);
  });
  return pairs;
}

// Along a tree of the narrowest pairs; the lowest rank of each tree keeps its clock.
std::vector<Ticks> middles(std::size_t ranks, const ClockLimits& limits) {
  Groups groups(ranks);
  std::vector<std::vector<std::pair<TraceRank, Ticks>>> tree(ranks);
  for (const Pair& each : pairs_of(limits)) {
    if (!groups.join(each.a, each.b)) continue;
    const Ticks middle = std::midpoint(each.least, each.most);
    tree[each.a].push_back({each.b, middle});
    tree[each.b].push_back({each.a, -middle});
  }
  std::vector<std::optional<Ticks>> shifts(ranks);
  std::vector<TraceRank> next;
  for (TraceRank root = 0; root < ranks; ++root) {
    if (shifts[root]) continue;
    shifts[root] = 0;
    for (next.push_back(root); !next.empty();) {
      const TraceRank from = next.back();
      next.pop_back();
      for (const auto& [to, by] : tree[from])
        if (!shifts[to]) shifts[to] = *shifts[from] + by, next.push_back(to);
    }
  }
  std::vector<Ticks> result;
  for (const auto& shift : shifts) result.push_back(*shift);
  return result;
}

// Moves effects until no cause is after its effect by more than the tolerance (Bellman and Ford).
// False: it does not end.
bool repair(std::vector<Ticks>& shifts, const std::vector<Limit>& limits, Ticks tolerance) {
  const std::size_t most_work = 20'000'000;
  const std::size_t sweeps =
      std::clamp<std::size_t>(most_work / (limits.size() + 1), 4, shifts.size() + 1);
  for (std::size_t sweep = 0; sweep < sweeps; ++sweep) {
    bool moved = false;
    const auto look_at = [&](const Limit& each) {
      const Ticks least = shifts[each.cause] - each.most - tolerance;
      if (shifts[each.effect] >= least) return;
      shifts[each.effect] = least;
      moved = true;
    };
    if (sweep % 2 == 0)
      std::for_each(limits.begin(), limits.end(), look_at);
    else
      std::for_each(limits.rbegin(), limits.rend(), look_at);
    if (!moved) return true;
  }
  return false;
}

Ticks worst(const std::vector<Ticks>& shifts, const std::vector<Limit>& limits) {
  Ticks worst = 0;
  for (const Limit& each : limits)
    worst = std::max(worst, shifts[each.cause] - shifts[each.effect] - each.most);
  return worst;
}

}  // namespace

bool ClockLimits::add(TraceRank cause_rank, Ticks cause, TraceRank effect_rank, Ticks effect) {
  if (cause_rank == effect_rank) return false;
  const std::uint64_t pair = std::uint64_t{cause_rank} << 32 | effect_rank;
  const auto [found, is_new] = most_.try_emplace(pair, effect - cause);
  if (!is_new && found->second <= effect - cause) return false;
  found->second = effect - cause;
  return true;
}

const Ticks* ClockLimits::find(TraceRank cause, TraceRank effect) const {
  const auto found = most_.find(std::uint64_t{cause} << 32 | effect);
  return found == most_.end() ? nullptr : &found->second;
}

ClockShifts clock_shifts(std::size_t ranks, const ClockLimits& known) {
  std::vector<Limit> limits;
  Groups groups(ranks);
  known.each([&](TraceRank cause, TraceRank effect, Ticks most) {
    limits.push_back({cause, effect, most});
    groups.join(cause, effect);
  });
  std::ranges::sort(limits, {},
                    [](const Limit& each) { return std::tie(each.cause, each.effect); });
  const auto start = middles(ranks, known);
  ClockShifts result{start, 0, groups.count()};
  if (repair(result.shifts, limits, 0)) return result;
  Ticks too_small = 0;
  result = {start, worst(start, limits), result.groups};
  for (int i = 0; i < 40 && result.tolerance - too_small > 1; ++i) {
    const Ticks tolerance = std::midpoint(too_small, result.tolerance);
    auto shifts = start;
    if (repair(shifts, limits, tolerance))
      result.shifts = std::move(shifts), result.tolerance = tolerance;
    else
      too_small = tolerance;
  }
  return result;
}

}  // namespace tutti::studies::replay
