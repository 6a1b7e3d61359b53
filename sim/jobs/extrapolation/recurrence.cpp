// SPDX-License-Identifier: BSD-3-Clause
#include "sim/jobs/extrapolation/recurrence.hpp"

namespace tutti::jobs::extrapolation {
namespace {

using algorithms::StepPhase;
using algorithms::StepSample;
using runtime::RankId;

constexpr Seconds unknown_s = std::numeric_limits<Seconds>::infinity();
// Interval at which the gains of all clocks are compared.
constexpr std::int64_t steps_to_a_look = 1024;
// Fewer steps are computed without tiles.
constexpr std::int64_t fewest_in_tiles = 128;
constexpr double similar = 1e-13;

// Sets the constant of every rank to the minimum of its kind.
void pool(std::vector<Seconds>& constants_s, const std::vector<std::int32_t>& kinds) {
  std::vector<Seconds> least(static_cast<std::size_t>(*std::ranges::max_element(kinds)) + 1,
                             unknown_s);
  for (std::size_t rank = 0; rank < kinds.size(); ++rank)
    least[kinds[rank]] = std::min(least[kinds[rank]], constants_s[rank]);
  for (std::size_t rank = 0; rank < kinds.size(); ++rank) constants_s[rank] = least[kinds[rank]];
}

// The gain of all clocks, if it is the same for all.
std::optional<Seconds> common_gain(const std::vector<Seconds>& before_s,
                                   const std::vector<Seconds>& after_s) {
  Seconds least_s = unknown_s;
  Seconds most_s = -unknown_s;
  for (std::size_t rank = 0; rank < before_s.size(); ++rank) {
    least_s = std::min(least_s, after_s[rank] - before_s[rank]);
    most_s = std::max(most_s, after_s[rank] - before_s[rank]);
  }
  if (most_s - least_s > similar * std::abs(after_s.front())) return std::nullopt;
  return (least_s + most_s) / 2;
}

// The constants a, b and c as bits.
constexpr unsigned of_from = 1, of_own = 2, of_to = 4;

// The constants that determine the end of a rank's step.
unsigned reached(Seconds end_s, const std::array<Seconds, 3>& lets_s) {
  unsigned bits = 0;
  for (std::size_t i = 0; i < lets_s.size(); ++i)
    if (lets_s[i] >= end_s - similar * end_s) bits |= 1U << i;
  return bits;
}
bool is_one(unsigned bits) { return (bits & (bits - 1)) == 0; }
unsigned believed(unsigned bits, Recurrence::Tie tie) {
  const unsigned first = tie == Recurrence::Tie::own_step ? of_own : of_from | of_to;
  return (bits & first) != 0 ? bits & first : bits;
}

}  // namespace

Recurrence::Recurrence(const StepPhase& phase, RankId procs) : procs_(procs) {
  TUTTI_CHECK(phase.period > 0, "a recurrence needs steps with repeating peers");
  const auto size = static_cast<std::size_t>(procs);
  for (int step = 0; step < phase.period; ++step) {
    Constants constants;
    constants.a = constants.b = constants.c = std::vector<Seconds>(size, unknown_s);
    for (RankId rank = 0; rank < procs; ++rank) {
      constants.from.push_back(phase.from(rank, step, procs));
      constants.to.push_back(phase.to(rank, step, procs));
    }
    in_period_.push_back(std::move(constants));
  }
}

void Recurrence::learn(const StepSample& sample, std::size_t phase, std::size_t first,
                       std::size_t last, const RankKinds* kinds) {
  for (std::size_t row = first + 1; row <= last; ++row) {
    Constants& known = in_period_[row % in_period_.size()];
    const auto before = sample.row(phase, row - 1);
    const auto after = sample.row(phase, row);
    for (RankId rank = 0; rank < procs_; ++rank) {
      known.a[rank] = std::min(known.a[rank], after[rank] - before[known.from[rank]]);
      known.b[rank] = std::min(known.b[rank], after[rank] - before[rank]);
      known.c[rank] = std::min(known.c[rank], after[rank] - before[known.to[rank]]);
    }
  }
  if (kinds == nullptr) return;
  for (std::size_t step = 0; step < in_period_.size(); ++step)
    for (auto* constants : {&in_period_[step].a, &in_period_[step].b, &in_period_[step].c})
      pool(*constants, (*kinds)[step]);
}

void Recurrence::keep_needed(const StepSample& sample, std::size_t phase, std::size_t first,
                             std::size_t last, const RankKinds* kinds, Tie tie) {
  const auto period = in_period_.size();
  std::vector<std::vector<unsigned>> needed(
      period, std::vector<unsigned>(static_cast<std::size_t>(procs_)));
  const auto kind_of = [&](std::size_t step, RankId rank) {
    return kinds == nullptr ? rank : (*kinds)[step][rank];
  };
  const auto look = [&](bool at_ties) {
    for (std::size_t row = first + 1; row <= last; ++row) {
      const std::size_t step = row % period;
      const Constants& known = in_period_[step];
      const auto before = sample.row(phase, row - 1);
      const auto after = sample.row(phase, row);
      for (RankId rank = 0; rank < procs_; ++rank) {
        unsigned& of_kind = needed[step][kind_of(step, rank)];
        unsigned bits = reached(
            after[rank], {before[known.from[rank]] + known.a[rank], before[rank] + known.b[rank],
                          before[known.to[rank]] + known.c[rank]});
        if (known.from[rank] == known.to[rank]) bits &= ~of_to;  // same peer
        if (!at_ties && is_one(bits)) of_kind |= bits;
        if (at_ties && (bits & of_kind) == 0) of_kind |= believed(bits, tie);
      }
    }
  };
  look(false);
  look(true);
  for (std::size_t step = 0; step < period; ++step)
    for (RankId rank = 0; rank < procs_; ++rank) {
      const unsigned bits = needed[step][kind_of(step, rank)];
      Constants& known = in_period_[step];
      if ((bits & of_from) == 0) known.a[rank] = -unknown_s;
      if ((bits & of_own) == 0) known.b[rank] = -unknown_s;
      if ((bits & of_to) == 0) known.c[rank] = -unknown_s;
    }
}

void Recurrence::step(std::vector<Seconds>& clocks_s, std::vector<Seconds>& room,
                      std::int64_t number) const {
  const Constants& known = in_period_[number % static_cast<std::int64_t>(in_period_.size())];
  room.resize(clocks_s.size());
  for (RankId rank = 0; rank < procs_; ++rank)
    room[rank] =
        std::max({clocks_s[known.from[rank]] + known.a[rank], clocks_s[rank] + known.b[rank],
                  clocks_s[known.to[rank]] + known.c[rank]});
  clocks_s.swap(room);
}

bool Recurrence::has_neighbors_only() const {
  const auto are_neighbors = [&](RankId rank, RankId other) {
    return other == algorithms::left_of(rank, 0, procs_) ||
           other == algorithms::right_of(rank, 0, procs_);
  };
  for (const Constants& known : in_period_)
    for (RankId rank = 0; rank < procs_; ++rank)
      if (!are_neighbors(rank, known.from[rank]) || !are_neighbors(rank, known.to[rank]))
        return false;
  return in_period_.size() <= 2;
}

std::vector<RingConstants> Recurrence::around_the_ring() const {
  std::vector<RingConstants> all;
  for (const Constants& known : in_period_) {
    RingConstants& ring = all.emplace_back();
    ring.own = known.b;
    ring.left = ring.right = std::vector<Seconds>(known.b.size(), -unknown_s);
    const auto add = [&](RankId rank, RankId peer, Seconds constant_s) {
      auto& side = peer == algorithms::left_of(rank, 0, procs_) ? ring.left : ring.right;
      side[rank] = std::max(side[rank], constant_s);
    };
    for (RankId rank = 0; rank < procs_; ++rank) {
      add(rank, known.from[rank], known.a[rank]);
      add(rank, known.to[rank], known.c[rank]);
    }
  }
  return all;
}

std::vector<Seconds> Recurrence::advance(std::span<const Seconds> clocks_s, std::int64_t first,
                                         std::int64_t last) const {
  std::vector<Seconds> clocks(clocks_s.begin(), clocks_s.end());
  std::vector<Seconds> room;
  std::optional<RingSteps> ring;
  if (last - first >= fewest_in_tiles && has_neighbors_only()) ring.emplace(around_the_ring());
  const auto go = [&](std::int64_t to) {
    if (ring) {
      ring->advance(clocks, first, to);
      first = to;
    }
    while (first < to) step(clocks, room, ++first);
  };
  while (last - first > steps_to_a_look) {
    const std::vector<Seconds> before = clocks;
    go(first + steps_to_a_look);
    const auto gain_s = common_gain(before, clocks);
    if (!gain_s) continue;
    const std::int64_t times = (last - first) / steps_to_a_look;
    for (Seconds& clock_s : clocks) clock_s += static_cast<double>(times) * *gain_s;
    first += times * steps_to_a_look;
  }
  go(last);
  return clocks;
}

std::optional<std::vector<Seconds>> Recurrence::at_least(std::span<const Seconds> clocks_s,
                                                         std::int64_t first,
                                                         std::int64_t last) const {
  if (in_period_.size() != 1 || last - first >= procs_ || !has_neighbors_only())
    return std::nullopt;
  return least_clocks(around_the_ring().front(), clocks_s, last - first);
}

}  // namespace tutti::jobs::extrapolation
