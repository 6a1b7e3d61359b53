// SPDX-License-Identifier: BSD-3-Clause
#include "sim/jobs/extrapolation/extrapolation.hpp"
#include "sim/jobs/extrapolation/recurrence.hpp"
#include "sim/jobs/extrapolation/segment_run.hpp"

namespace tutti::jobs::extrapolation {
namespace {

using algorithms::StepPhase;
using runtime::RankId;

constexpr std::int64_t fewest_steps = 32;
constexpr double proven = 1e-10;  // maximum relative error of a verified recurrence
constexpr double error_if_proven = 1e-9;
constexpr double error_if_not_confirmed = 1e-4;  // without confirmation by a second sample

struct Ends {
  Seconds most_s = 0;
  Seconds mean_s = 0;
  Seconds least_s = 0;
};
Ends ends_of(std::span<const Seconds> clocks_s) {
  const auto [least, most] = std::ranges::minmax_element(clocks_s);
  const Seconds sum_s = std::accumulate(clocks_s.begin(), clocks_s.end(), 0.0);
  return {*most, sum_s / static_cast<double>(clocks_s.size()), *least};
}
// The largest difference of the two, relative to `span_s`.
double difference(const Ends& one, const Ends& other, Seconds span_s) {
  return std::max({std::abs(one.most_s - other.most_s), std::abs(one.mean_s - other.mean_s),
                   std::abs(one.least_s - other.least_s)}) /
         span_s;
}

RankKinds kinds_of(const StepJob& job, const StepPhase& phase) {
  using Route = std::tuple<Seconds, double, bool>;
  std::vector<platforms::LinkId> room;
  const auto route = [&](RankId from, RankId to) {
    const auto path =
        job.machine.path(job.placement.host_of[from], job.placement.host_of[to], room);
    return Route(path.latency_s, path.bandwidth_Bps, path.intra_node);
  };
  RankKinds kinds;
  for (int step = 0; step < phase.period; ++step) {
    std::map<std::pair<Route, Route>, std::int32_t> numbers;
    auto& of_rank = kinds.emplace_back();
    for (RankId rank = 0; rank < job.procs(); ++rank) {
      const std::pair key(route(phase.from(rank, step, job.procs()), rank),
                          route(rank, phase.to(rank, step, job.procs())));
      of_rank.push_back(
          numbers.try_emplace(key, static_cast<std::int32_t>(numbers.size())).first->second);
    }
  }
  return kinds;
}

bool are_similar(const std::vector<Seconds>& times_s) {
  const auto [least, most] = std::ranges::minmax_element(times_s);
  return *most - *least <= 1e-12 * *most;
}

// One phase of a sample and the recurrences learned from it.
class Phase {
 public:
  Phase(const StepJob& job, const SampledRun& run, std::size_t number)
      : job_(job), run_(run), number_(number), rows_(run.sample.steps(number).size()) {}

  // Learns from the first half of the recorded steps and checks the prediction of the second half;
  // with one set of constants for all ranks of a kind, or one for each rank.
  void learn() {
    const RankKinds kinds = kinds_of(job_, phase());
    double least = std::numeric_limits<double>::infinity();
    for (const RankKinds* of_ranks : {&kinds, static_cast<const RankKinds*>(nullptr)}) {
      const std::size_t middle = (first() + rows_) / 2;
      Recurrence half(phase(), job_.procs());
      half.learn(run_.sample, number_, first(), middle, of_ranks);
      const Misses misses = misses_of(half, middle);
      if (misses.of_clocks >= least) continue;
      least = misses.of_clocks;
      off_ = misses.of_clocks;
      ends_off_ = misses.of_ends;
      whole_ = half;
      whole_->learn(run_.sample, number_, middle, rows_, of_ranks);
      needed_.clear();
      for (const auto tie : {Recurrence::Tie::own_step, Recurrence::Tie::neighbors})
        needed_.emplace_back(*whole_).keep_needed(run_.sample, number_, first(), rows_, of_ranks,
                                                  tie);
      if (least <= proven) break;
    }
    if (number_ > 0) start_off_ = misses_of(*whole_, 0).of_ends;
  }

  bool is_proven() const { return off_ <= proven; }
  double ends_off() const { return ends_off_; }
  // The same for predictions from the phase's start, if ranks reach it at other times than in the
  // sample.
  double start_off() const { return start_off_; }

  // Number of recurrences; the true times lie between their predictions.
  static constexpr std::size_t recurrences = 3;
  // The clocks at the end of the phase, if each rank begins it later than in the sample by
  // `later_s`. With `is_bound`, possibly less.
  std::vector<Seconds> ends(const std::vector<Seconds>& later_s, std::size_t number,
                            bool is_bound) const {
    const std::size_t from = are_similar(later_s) ? rows_ : 0;
    std::vector<Seconds> clocks(row(from).begin(), row(from).end());
    for (std::size_t rank = 0; rank < clocks.size(); ++rank) clocks[rank] += later_s[rank];
    const auto first = static_cast<std::int64_t>(from);
    if (is_bound)
      if (auto least = recurrence(number).at_least(clocks, first, phase().count))
        return *std::move(least);
    return recurrence(number).advance(clocks, first, phase().count);
  }
  std::span<const Seconds> sampled_ends() const { return row(rows_); }
  std::vector<Recurrence> known() const {
    std::vector<Recurrence> all{*whole_};
    for (const Recurrence& other : needed_)
      if (std::ranges::find(all, other) == all.end()) all.push_back(other);
    return all;
  }
  bool is_the_same(std::size_t number, std::size_t other) const {
    return recurrence(number) == recurrence(other);
  }
  // The largest error of the recurrences of a sample of half as many steps in the second half of
  // this one.
  double miss_of(const std::vector<Recurrence>& earlier) const {
    double most = 0;
    for (const Recurrence& recurrence : earlier)
      most = std::max(most, misses_of(recurrence, rows_ / 2).of_clocks);
    return most;
  }

 private:
  // Maximum errors of a recurrence's predictions, relative to the time of the recorded steps.
  struct Misses {
    double of_clocks = 0;
    double of_ends = 0;
  };
  // Errors from row `from` on. Every row is checked, since a recurrence may fail only for every
  // second step.
  Misses misses_of(const Recurrence& recurrence, std::size_t from) const {
    Misses misses;
    std::vector<Seconds> clocks(row(from).begin(), row(from).end());
    for (std::size_t at = from; at < rows_;) {
      const std::size_t next = std::max(at + 1, first());
      clocks = recurrence.advance(clocks, static_cast<std::int64_t>(at),
                                  static_cast<std::int64_t>(next));
      at = next;
      misses.of_clocks = std::max(misses.of_clocks, largest_difference(clocks, row(at)));
      misses.of_ends =
          std::max(misses.of_ends, difference(ends_of(clocks), ends_of(row(at)), span_of(from)));
    }
    misses.of_clocks /= span_of(from);
    return misses;
  }
  static Seconds largest_difference(std::span<const Seconds> one, std::span<const Seconds> other) {
    Seconds most_s = 0;
    for (std::size_t rank = 0; rank < one.size(); ++rank)
      most_s = std::max(most_s, std::abs(one[rank] - other[rank]));
    return most_s;
  }
  Seconds span_of(std::size_t from) const {
    const Seconds span_s = ends_of(row(rows_)).most_s - ends_of(row(from)).most_s;
    return span_s > 0 ? span_s : 1;
  }
  const Recurrence& recurrence(std::size_t number) const {
    return number == 0 ? *whole_ : needed_[number - 1];
  }
  const StepPhase& phase() const { return job_.phases[number_]; }
  std::span<const Seconds> row(std::size_t number) const {
    return run_.sample.row(number_, number);
  }
  std::size_t first() const { return run_.sample.first_row(number_); }

  const StepJob& job_;
  const SampledRun& run_;
  std::size_t number_;
  std::size_t rows_;
  std::optional<Recurrence> whole_;
  std::vector<Recurrence> needed_;
  double off_ = 0;
  double ends_off_ = 0;
  double start_off_ = 0;
};

// The extrapolation of the whole call from a sample of its first steps.
class Reported {
 public:
  Reported(const StepJob& job, SampledRun run) : job_(job), run_(std::move(run)) {
    for (std::size_t number = 0; number < job.phases.size(); ++number) {
      Phase phase(job, run_, number);
      phase.learn();
      is_verified_ &= phase.is_proven();
      ends_off_ = std::max(ends_off_, phase.ends_off());
      phases_.push_back(std::move(phase));
    }
    is_verified_ &= ends_off_ <= proven;
  }
  Reported(const Reported&) = delete;
  Reported& operator=(const Reported&) = delete;

  // Whether the recurrences predict the recorded steps.
  bool is_verified() const { return is_verified_; }
  // Computes the clocks at the end of the call. True if all recurrences agree on them.
  bool extrapolate(const RepeatedLimits& limits) {
    by_all_ = ends_of(ends(0));
    double room = 0;
    for (std::size_t other = 1; other < Phase::recurrences; ++other)
      if (!is_known(other)) room = std::max(room, room_of(other, limits));
    const bool is_proven = is_verified_ && room <= proven && ends_off_ <= proven;
    error_ = is_proven ? error_if_proven : std::max({room, ends_off_, error_if_proven});
    return is_proven;
  }
  // By phase.
  std::vector<std::vector<Recurrence>> known() const {
    std::vector<std::vector<Recurrence>> all;
    for (const Phase& phase : phases_) all.push_back(phase.known());
    return all;
  }
  double miss_of(const std::vector<std::vector<Recurrence>>& earlier) const {
    double most = 0;
    for (std::size_t number = 0; number < phases_.size(); ++number)
      most = std::max(most, phases_[number].miss_of(earlier[number]));
    return most;
  }
  // `miss`: that of an earlier sample.
  Extrapolated answer(bool is_confirmed, double miss) const {
    return {.method = "recurrence",
            .time_s = by_all_.most_s,
            .time_mean_s = by_all_.mean_s,
            .time_min_s = by_all_.least_s,
            .error = is_confirmed ? error_ : std::max({error_, miss, error_if_not_confirmed}),
            .counts = counts_of_all(job_, run_),
            .steps = job_.all_steps(),
            .simulated_steps = run_.simulated_steps(job_)};
  }

 private:
  // The difference of another recurrence from that with all constants, which is never less.
  double room_of(std::size_t other, const RepeatedLimits& limits) {
    const auto off = [&](bool is_bound) {
      return difference(by_all_, ends_of(ends(other, is_bound)), by_all_.most_s);
    };
    const double most = off(true);
    const double clocks = static_cast<double>(job_.all_steps()) * job_.procs();
    const bool is_long = Phase::recurrences * clocks > limits.most_clocks;
    return most <= (is_long ? limits.useful_error : proven) ? most : off(false);
  }
  // Whether an earlier recurrence has the same constants in all phases.
  bool is_known(std::size_t recurrence) const {
    for (std::size_t other = 0; other < recurrence; ++other)
      if (std::ranges::all_of(
              phases_, [&](const Phase& phase) { return phase.is_the_same(recurrence, other); }))
        return true;
    return false;
  }
  // Carries the delay of each rank, compared with the sample, from phase to phase.
  std::vector<Seconds> ends(std::size_t recurrence, bool is_bound = false) {
    std::vector<Seconds> later_s(static_cast<std::size_t>(job_.procs()));
    for (const Phase& phase : phases_) {
      if (!are_similar(later_s)) ends_off_ = std::max(ends_off_, phase.start_off());
      std::vector<Seconds> clocks = phase.ends(later_s, recurrence, is_bound);
      for (std::size_t rank = 0; rank < clocks.size(); ++rank)
        later_s[rank] = clocks[rank] - phase.sampled_ends()[rank];
    }
    for (std::size_t rank = 0; rank < later_s.size(); ++rank) later_s[rank] += run_.end_s[rank];
    return later_s;
  }

  const StepJob& job_;
  SampledRun run_;
  std::vector<Phase> phases_;
  Ends by_all_;
  bool is_verified_ = true;
  double ends_off_ = 0;
  double error_ = 0;
};

// Unset if segments do not represent all ranks and `in_full` is false.
Result<std::optional<SampledRun>> run_first_steps(const StepJob& job, std::int64_t steps,
                                                  bool in_full) {
  auto by_segments = TUTTI_TRY(run_segments(job, steps));
  if (by_segments || !in_full) return by_segments;
  return std::optional(TUTTI_TRY(run(job, first_steps_of(job, steps))));
}

}  // namespace

Result<std::optional<Extrapolated>> of_repeated_steps(const StepJob& job,
                                                      const RepeatedLimits& limits) {
  std::int64_t shortest = job.phases.front().count;
  for (const StepPhase& phase : job.phases) shortest = std::min(shortest, phase.count);
  const std::int64_t of_step = std::int64_t{job.procs()} * std::ssize(job.phases);
  std::optional<Reported> reported;
  std::optional<std::vector<std::vector<Recurrence>>> earlier;
  double miss = 0;
  // A sample too long to be simulated in full is only made to confirm one that is not.
  for (std::int64_t steps = fewest_steps; 2 * steps <= shortest; steps *= 2) {
    const bool in_full = steps * of_step <= limits.most_messages;
    if (steps > fewest_steps && steps / 2 * of_step > limits.most_messages) break;
    auto sampled = TUTTI_TRY(run_first_steps(job, steps, in_full || steps == fewest_steps));
    if (!sampled) break;
    reported.emplace(job, *std::move(sampled));
    miss = earlier ? reported->miss_of(*earlier) : 0;
    const bool is_confirmed = reported->is_verified() && earlier && miss <= proven;
    if (is_confirmed) {
      const bool is_proven = reported->extrapolate(limits);
      const bool is_last = 2 * steps * of_step > limits.most_messages;
      if (is_proven || (is_last && limits.must_extrapolate))
        return std::optional(reported->answer(is_proven, miss));
    }
    earlier.reset();
    if (reported->is_verified()) earlier = reported->known();
  }
  if (!reported || !limits.must_extrapolate) return std::optional<Extrapolated>();
  reported->extrapolate(limits);
  return std::optional(reported->answer(false, miss));
}

}  // namespace tutti::jobs::extrapolation
