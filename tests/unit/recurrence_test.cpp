// SPDX-License-Identifier: BSD-3-Clause
// Clocks that follow a max-plus recurrence are extrapolated to the values of a full simulation.
#include "sim/jobs/extrapolation/recurrence.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "sim/base/random.hpp"
#include "sim/jobs/extrapolation/ring_steps.hpp"

namespace {

using namespace tutti;
using namespace tutti::jobs::extrapolation;
using algorithms::around_a_ring;
using algorithms::StepPhase;
using algorithms::StepSample;
using runtime::RankId;

// The constants of a step that limit the end of a rank.
struct Lets {
  Seconds from_s, own_s, to_s;
};
using Law = Lets (*)(RankId rank, std::int64_t step);

std::vector<Seconds> made(const StepPhase& phase, Law law, std::vector<Seconds> clocks,
                          std::int64_t first, std::int64_t last, StepSample* sample) {
  const auto procs = static_cast<RankId>(clocks.size());
  for (std::int64_t step = first; step <= last; ++step) {
    std::vector<Seconds> next(clocks.size());
    for (RankId rank = 0; rank < procs; ++rank) {
      const Lets lets = law(rank, step);
      next[rank] =
          std::max({clocks[phase.from(rank, step, procs)] + lets.from_s, clocks[rank] + lets.own_s,
                    clocks[phase.to(rank, step, procs)] + lets.to_s});
      if (sample != nullptr) sample->date(0, static_cast<std::size_t>(step), rank, next[rank]);
    }
    clocks = next;
  }
  return clocks;
}

// Learns from the first steps of a run with random start times, and predicts a later step.
double error_of(const StepPhase& phase, Law law, RankId procs, std::int64_t learned,
                std::int64_t last, const RankKinds* kinds = nullptr) {
  std::vector<Seconds> clocks;
  for (RankId rank = 0; rank < procs; ++rank)
    clocks.push_back(5e-6 * random_uniform(1, 0, static_cast<std::uint64_t>(rank)));
  StepSample::Chosen chosen;
  for (std::int64_t step = 1; step <= learned; ++step) chosen.steps.push_back(step);
  StepSample sample(procs, {chosen});
  for (RankId rank = 0; rank < procs; ++rank) sample.date(0, 0, rank, clocks[rank]);
  clocks = made(phase, law, clocks, 1, learned, &sample);
  Recurrence recurrence(phase, procs);
  recurrence.learn(sample, 0, 0, static_cast<std::size_t>(learned), kinds);
  const auto reported = recurrence.advance(clocks, learned, last);
  const auto all = made(phase, law, clocks, learned + 1, last, nullptr);
  double most = 0;
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    most = std::max(most, std::abs(reported[rank] - all[rank]) / all[rank]);
  return most;
}

// A slow hop in 16; no rank waits for the right neighbour (eager).
Lets eager(RankId rank, std::int64_t) { return {rank % 16 == 0 ? 3e-6 : 1e-6, 2e-7, 0}; }
// Ranks wait for both neighbours.
Lets rendezvous(RankId rank, std::int64_t) {
  const Seconds in_s = rank % 100 == 0 ? 3e-6 : 1e-6;
  const Seconds out_s = rank % 100 == 99 ? 3e-6 : 1e-6;
  return {in_s, std::max(in_s, out_s), out_s};
}
RankId partner(RankId rank, std::int64_t step, RankId procs) {
  return (rank + step) % 2 == 0 ? algorithms::right_of(rank, step, procs)
                                : algorithms::left_of(rank, step, procs);
}
Lets with_partner(RankId rank, std::int64_t step) {
  const Seconds hop_s = (rank + step) % 2 == 0 ? 1e-6 : 2e-6;
  return {hop_s, hop_s, hop_s};
}

}  // namespace

TEST_CASE("an eager ring whose slow hops affect every block") {
  for (const RankId procs : {16, 160, 1024, 1040, 2960})
    CHECK(error_of(around_a_ring(procs - 1, 8), eager, procs, 40, 3000) <= 1e-13);
}

TEST_CASE("a ring in which all ranks eventually wait for the slowest") {
  for (const RankId procs : {100, 300, 2500})
    CHECK(error_of(around_a_ring(procs - 1, 8), rendezvous, procs, 150, 5000) <= 1e-13);
}

TEST_CASE("neighbours in turn") {
  const StepPhase phase{
      .count = 4000, .period = 2, .message_bytes = 8, .to = partner, .from = partner};
  for (const RankId procs : {4, 30, 100})
    CHECK(error_of(phase, with_partner, procs, 60, 4000) <= 1e-13);
}

TEST_CASE("ranks of a kind share their observations") {
  constexpr RankId procs = 320;
  RankKinds kinds(1);
  for (RankId rank = 0; rank < procs; ++rank) kinds[0].push_back(rank % 16);
  // With so few steps not every rank observes all cases.
  CHECK(error_of(around_a_ring(procs - 1, 8), eager, procs, 8, 1000, &kinds) <= 1e-13);
}

TEST_CASE("steps in tiles give the clocks of single steps") {
  // Around the sizes of a tile, with constants that are minus infinity for some ranks.
  for (const RankId procs : {2, 3, 5, 130, 1791, 1792, 1793, 4000})
    for (const std::size_t period : {1u, 2u}) {
      const auto draw = [&](std::uint64_t stream, RankId rank) {
        const double drawn = random_uniform(7, stream, static_cast<std::uint64_t>(rank));
        return drawn < 0.2 ? -std::numeric_limits<double>::infinity() : 1e-6 * drawn;
      };
      std::vector<RingConstants> constants(period);
      for (std::size_t step = 0; step < period; ++step)
        for (RankId rank = 0; rank < procs; ++rank) {
          constants[step].left.push_back(draw(10 * step, rank));
          constants[step].own.push_back(1e-7 * random_uniform(7, 10 * step + 1, rank));
          constants[step].right.push_back(draw(10 * step + 2, rank));
        }
      std::vector<Seconds> clocks;
      for (RankId rank = 0; rank < procs; ++rank)
        clocks.push_back(5e-6 * random_uniform(1, 0, static_cast<std::uint64_t>(rank)));
      std::vector<Seconds> tiled = clocks;
      RingSteps(constants).advance(tiled, 3, 203);
      for (std::size_t step = 4; step <= 203; ++step) {
        const RingConstants& known = constants[step % period];
        std::vector<Seconds> next(clocks.size());
        for (std::size_t rank = 0; rank < next.size(); ++rank)
          next[rank] = std::max({clocks[(rank + next.size() - 1) % next.size()] + known.left[rank],
                                 clocks[rank] + known.own[rank],
                                 clocks[(rank + 1) % next.size()] + known.right[rank]});
        clocks = next;
      }
      CAPTURE(procs);
      CHECK(tiled == clocks);
    }
}

TEST_CASE("clocks of a ring are at least those of the walks to the right") {
  constexpr RankId procs = 150;
  for (const bool is_one_way : {true, false})
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const auto draw = [&](std::uint64_t stream, RankId rank) {
        return random_uniform(seed, stream, static_cast<std::uint64_t>(rank));
      };
      const auto drawn_or_none = [](double drawn, double none) {
        return drawn < none ? -std::numeric_limits<double>::infinity() : 1e-6 * drawn;
      };
      RingConstants constants;
      std::vector<Seconds> clocks;
      for (RankId rank = 0; rank < procs; ++rank) {
        constants.left.push_back(drawn_or_none(draw(1, rank), seed % 2 == 0 ? 0 : 0.02));
        // So few different values that each is tried.
        constants.own.push_back(drawn_or_none(std::floor(40 * draw(2, rank)) / 40, 0.1));
        constants.right.push_back(drawn_or_none(draw(3, rank), is_one_way ? 2 : 0.5));
        clocks.push_back(5e-6 * draw(4, rank));
      }
      for (const std::int64_t steps : {1, 2, 17, 149}) {
        auto all = clocks;
        RingSteps(std::vector{constants}).advance(all, 0, steps);
        const auto least = least_clocks(constants, clocks, steps);
        CAPTURE(seed);
        CAPTURE(steps);
        for (std::size_t rank = 0; rank < all.size(); ++rank) {
          const bool is_reached = std::isfinite(all[rank]);
          CHECK(least[rank] <= all[rank] + 1e-15);
          if (is_one_way && is_reached) CHECK(least[rank] >= all[rank] - 1e-15);
        }
      }
    }
}
