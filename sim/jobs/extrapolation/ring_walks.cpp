// SPDX-License-Identifier: BSD-3-Clause
#include <deque>

#include "sim/jobs/extrapolation/ring_steps.hpp"

namespace tutti::jobs::extrapolation {
namespace {

constexpr Seconds none_s = -std::numeric_limits<Seconds>::infinity();
// Relative difference of waits that count as equal, and how many different ones are tried.
constexpr double equal_waits = 1e-13;
constexpr std::size_t most_waits = 64;

// Values of `own` in descending order; of many, some.
std::vector<Seconds> waits_of(std::vector<Seconds> own) {
  std::ranges::sort(own, std::greater<>());
  std::vector<Seconds> waits;
  for (const Seconds wait_s : own) {
    if (!std::isfinite(wait_s)) continue;
    if (waits.empty() || waits.back() - wait_s > equal_waits * std::abs(waits.back()))
      waits.push_back(wait_s);
    else
      waits.back() = wait_s;
  }
  if (waits.size() <= most_waits) return waits;
  std::vector<Seconds> some;
  for (std::size_t i = 0; i < most_waits; ++i)
    some.push_back(waits[i * (waits.size() - 1) / (most_waits - 1)]);
  return some;
}

// Twice around the ring, so that walks do not wrap around.
class Unrolled {
 public:
  Unrolled(const RingConstants& constants, std::span<const Seconds> clocks_s, std::int64_t steps)
      : constants_(constants),
        clocks_(clocks_s),
        procs_(std::ssize(clocks_s)),
        steps_(steps),
        way_(static_cast<std::size_t>(2 * procs_)),
        first_(static_cast<std::size_t>(2 * procs_)),
        least_(static_cast<std::size_t>(procs_), none_s) {
    std::int64_t cut = 0;  // no walk comes from the left of this place
    for (std::int64_t at = 0; at < 2 * procs_; ++at) {
      const Seconds hop_s = constants.left[rank(at)];
      if (!std::isfinite(hop_s)) cut = at;
      way_[place(at)] = (at == 0 ? 0 : way_[place(at - 1)]) + (std::isfinite(hop_s) ? hop_s : 0);
      first_[place(at)] = std::max(cut, at - steps);
    }
  }

  void walk_without_waits() {
    for (std::int64_t end = procs_; end < 2 * procs_; ++end)
      if (first_[place(end)] == end - steps_)
        reach(end, clocks_[rank(end - steps_)] + way_[place(end)] - way_[place(end - steps_)]);
  }
  // Walks that wait at a rank that takes at least this long.
  void walk_with(Seconds wait_s) {
    std::deque<std::pair<std::int64_t, Seconds>> starts;  // with descending values
    std::int64_t next = 0;                                // start to be considered
    for (std::int64_t end = 0; end < 2 * procs_; ++end) {
      if (constants_.own[rank(end)] >= wait_s)
        for (; next <= end; ++next) {
          const Seconds value_s =
              clocks_[rank(next)] - way_[place(next)] + static_cast<double>(next) * wait_s;
          while (!starts.empty() && starts.back().second <= value_s) starts.pop_back();
          starts.emplace_back(next, value_s);
        }
      while (!starts.empty() && starts.front().first < first_[place(end)]) starts.pop_front();
      if (end >= procs_ && !starts.empty())
        reach(end, starts.front().second + way_[place(end)] +
                       static_cast<double>(steps_ - end) * wait_s);
    }
  }
  const std::vector<Seconds>& least() const { return least_; }

 private:
  static std::size_t place(std::int64_t at) { return static_cast<std::size_t>(at); }
  std::size_t rank(std::int64_t at) const { return place(at < procs_ ? at : at - procs_); }
  void reach(std::int64_t end, Seconds clock_s) {
    Seconds& known_s = least_[rank(end)];
    known_s = std::max(known_s, clock_s);
  }

  const RingConstants& constants_;
  std::span<const Seconds> clocks_;
  std::int64_t procs_;
  std::int64_t steps_;
  std::vector<Seconds> way_;         // sum of the hops up to each place
  std::vector<std::int64_t> first_;  // where walks to each place may start
  std::vector<Seconds> least_;
};

}  // namespace

std::vector<Seconds> least_clocks(const RingConstants& constants, std::span<const Seconds> clocks_s,
                                  std::int64_t steps) {
  TUTTI_CHECK(steps < std::ssize(clocks_s), "a walk must not pass a rank twice");
  Unrolled ring(constants, clocks_s, steps);
  ring.walk_without_waits();
  for (const Seconds wait_s : waits_of(constants.own)) ring.walk_with(wait_s);
  return ring.least();
}

}  // namespace tutti::jobs::extrapolation
