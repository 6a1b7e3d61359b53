// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/extrapolation.hpp"

namespace tutti::io_models {
namespace {

// Timestamps are sums of thousands of terms and may differ in their last digits.
constexpr double tolerance = 1e-11;

// The legs of a step, as positions among those of a rank or an aggregator.
struct Places {
  std::size_t first = 0;
  std::size_t last = 0;
};
Places of_step(std::span<const Leg> legs, int step) {
  const auto found = std::ranges::equal_range(legs, step, {}, &Leg::step);
  return {static_cast<std::size_t>(found.begin() - legs.begin()),
          static_cast<std::size_t>(found.end() - legs.begin())};
}
bool has_step(std::span<const Leg> legs, int step) {
  const Places places = of_step(legs, step);
  return places.first < places.last;
}

bool close(Seconds a, Seconds b, Seconds date_s) { return std::abs(a - b) <= tolerance * date_s; }

// Checks whether all timestamps are later by the same time as the first one.
class Shift {
 public:
  bool takes(Seconds before_s, Seconds after_s) {
    if (!by_s_) by_s_ = after_s - before_s;
    return close(after_s - before_s, *by_s_, after_s);
  }
  bool takes(const MessageTime& before, const MessageTime& after) {
    return takes(before.over_s, after.over_s) && takes(before.sent_s, after.sent_s) &&
           takes(before.taken_s, after.taken_s);
  }
  std::optional<Seconds> by_s() const { return by_s_; }

 private:
  std::optional<Seconds> by_s_;
};

// Whether the time breakdown from a to b equals that from b to c.
bool spends_similar(const AggregatorSpent& a, const AggregatorSpent& b, const AggregatorSpent& c) {
  return std::ranges::all_of(parts_of_spent, [&](const auto part) {
    return close(b.*part - a.*part, c.*part - b.*part, c.end_s);
  });
}

Seconds end_of(const AggregatorTimes& times, int step) {
  return static_cast<std::size_t>(step) < times.at_end_of.size() ? times.at_end_of[step].end_s : 0;
}

// The period from one cycle to the next, equal one.
struct Period {
  Seconds begin_s = 0;
  Seconds end_s = 0;
  Seconds length_s() const { return end_s - begin_s; }
};

// Checks whether runs of equal cycles have reached a steady period, so that omitting cycles of a
// run only shifts what follows. README.md explains why the check is sufficient.
class SteadyRuns {
 public:
  // The arguments belong to one simulated job and must outlive the object.
  SteadyRuns(const CycleChoice& choice, const ShuffleJob& job, const MessageTimes& dates)
      : job_(job), times_(dates), first_step_{0} {
    for (const CycleRun& run : choice.runs) {
      run_of_.insert(run_of_.end(), run.simulated, first_step_.size() - 1);
      first_step_.push_back(first_step_.back() + static_cast<int>(run.simulated));
    }
    ahead_.resize(choice.runs.size() + 1);
    ahead_until_s_.resize(ahead_.size());
    first_begins_s_.resize(ahead_.size());
    date_ends();
    for (int i = 0; i < aggregators(); ++i) list_activities(i);
    for (std::size_t run = choice.runs.size(); run-- > 0;) {
      for (const Activity& activity : ahead_[run])
        ahead_until_s_[run] = std::max(ahead_until_s_[run], activity.end_s);
      ahead_until_s_[run] = std::max(ahead_until_s_[run], ahead_until_s_[run + 1]);
      first_begins_s_[run] = std::max(first_begins_s_[run], first_begins_s_[run + 1]);
    }
  }

  // A period before any rank leaves the `run`-th run; unset if the run is not steady.
  std::optional<Period> period(std::size_t run) const {
    const auto length_s = length(run);
    if (!length_s) return std::nullopt;
    for (const int step : {last_step(run) - 1, last_step(run) - 2}) {
      const Period period{step_over_s_[step] - *length_s, step_over_s_[step]};
      if (is_alone(run, period)) return period;
    }
    return std::nullopt;
  }

  int last_step(std::size_t run) const { return first_step_[run + 1] - 1; }

 private:
  // An activity that does not depend on earlier cycles.
  struct Activity {
    Seconds begin_s = 0;
    Seconds end_s = 0;
  };

  const AggregatorTimes& times(int aggregator) const { return (*job_.times)[aggregator]; }
  int aggregators() const { return static_cast<int>(job_.aggregators.size()); }

  bool is_in(int aggregator, int step) const {
    const auto& messages = job_.schedule->messages();
    return has_step(messages.of_aggregator(aggregator), step) ||
           has_step(messages.of_rank(job_.aggregators[aggregator]), step);
  }

  void date_ends() {
    step_over_s_.resize(run_of_.size());
    over_by_s_.resize(ahead_.size());
    for (int i = 0; i < aggregators(); ++i) {
      const auto legs = job_.schedule->messages().of_aggregator(i);
      for (std::size_t at = 0; at < legs.size(); ++at) {
        Seconds& over_s = step_over_s_[legs[at].step];
        over_s =
            std::max({over_s, times_.of_aggregator(i)[at].over_s, end_of(times(i), legs[at].step)});
      }
    }
    for (std::size_t step = 0; step < run_of_.size(); ++step)
      over_by_s_[run_of_[step]] = std::max(over_by_s_[run_of_[step]], step_over_s_[step]);
    for (std::size_t run = 1; run < over_by_s_.size(); ++run)
      over_by_s_[run] = std::max(over_by_s_[run], over_by_s_[run - 1]);
  }

  void list_activities(int aggregator) {
    const auto legs = job_.schedule->messages().of_aggregator(aggregator);
    Seconds ended_s = 0;  // end of the previous step
    for (std::size_t at = 0; at < legs.size(); ++at) {
      const int step = legs[at].step;
      const MessageTime& date = times_.of_aggregator(aggregator)[at];
      const Seconds end_s = end_of(times(aggregator), step);
      add(run_of_[step], {date.sent_s, date.settled_s});
      add(run_of_[step], {date.taken_s, date.taken_s});
      add(run_of_[step],
          {std::max(date.settled_s, date.taken_s), job_.writes ? end_s : date.over_s});
      if (!job_.writes) add(run_of_[step], {ended_s, date.sent_s});
      const RankId own = job_.aggregators[aggregator];
      note_first(job_.writes ? legs[at].peer : own, step, date.sent_s);
      note_first(job_.writes ? own : legs[at].peer, step, date.taken_s);
      if (at + 1 < legs.size() && legs[at + 1].step != step) ended_s = end_s;
    }
  }

  void add(std::size_t run, Activity activity) {
    if (run > 0 && activity.begin_s < over_by_s_[run - 1]) ahead_[run].push_back(activity);
  }

  void note_first(RankId rank, int step, Seconds begin_s) {
    const auto& messages = job_.schedule->messages();
    const std::int32_t number = job_.number_of[rank];
    for (const auto legs :
         {messages.of_rank(rank),
          number == ShuffleJob::none ? std::span<const Leg>{} : messages.of_aggregator(number)})
      if (!legs.empty() && legs.front().step < step) return;
    Seconds& first_s = first_begins_s_[run_of_[step]];
    first_s = std::max(first_s, begin_s);
  }

  // The time by which everything in each of the last two steps of a run is later than in the step
  // before.
  std::optional<Seconds> length(std::size_t run) const {
    const int last = last_step(run);
    Shift shift;
    for (int i = 0; i < aggregators(); ++i) {
      const auto legs = job_.schedule->messages().of_aggregator(i);
      const auto dates = times_.of_aggregator(i);
      const Places places = of_step(legs, last);
      const std::size_t count = places.last - places.first;
      for (std::size_t at = places.first - std::min(places.first, count); at < places.last; ++at)
        if (!shift.takes(dates[at - count], dates[at])) return std::nullopt;
      if (!is_in(i, last)) continue;
      const auto& at = times(i).at_end_of;
      if (!shift.takes(at[last - 1].end_s, at[last].end_s) ||
          !spends_similar(at[last - 2], at[last - 1], at[last]))
        return std::nullopt;
    }
    return shift.by_s();
  }

  // Whether nothing outside the run is active in the period.
  bool is_alone(std::size_t run, const Period& period) const {
    if (run > 0 && over_by_s_[run - 1] > period.begin_s) return false;
    if (first_begins_s_[run + 1] > period.begin_s) return false;
    const auto meets = [&](const Activity& activity) {
      return activity.begin_s < period.end_s && activity.end_s > period.begin_s;
    };
    for (std::size_t later = run + 1;
         later < ahead_.size() && ahead_until_s_[later] > period.begin_s; ++later)
      if (std::ranges::any_of(ahead_[later], meets)) return false;
    for (int i = 0; i < aggregators(); ++i)  // still in an earlier access
      if (!is_in(i, last_step(run)) && end_of(times(i), last_step(run)) > period.begin_s)
        return false;
    return true;
  }

  const ShuffleJob& job_;
  const MessageTimes& times_;
  std::vector<int> first_step_;       // by run; one extra entry
  std::vector<std::size_t> run_of_;   // by step
  std::vector<Seconds> step_over_s_;  // by step: end for those that exchange data in it
  std::vector<Seconds> over_by_s_;    // by run: end of it and all earlier runs
  // The activities of each run that begin before all earlier runs are over, and their latest end
  // in it and all later runs.
  std::vector<std::vector<Activity>> ahead_;
  std::vector<Seconds> ahead_until_s_;
  // The latest start among the ranks whose first messages are in the run or later, by run.
  std::vector<Seconds> first_begins_s_;
};

// Fitted to random jobs; tests/slow/io_sampling_coverage_test.cpp uses other jobs.
constexpr double error_scale = 1.4;
constexpr double least_error = 0.035;  // of one window
constexpr double drift_scale = 2.2;
constexpr double merged_error = 0.5;

// Student's t for 68.3 %, by degrees of freedom from 1 on.
constexpr double student_t[] = {1.837, 1.321, 1.197, 1.142, 1.111};

// The steps of a window that determine its pace.
struct Window {
  std::int64_t first = 0;
  std::int64_t last = 0;

  std::int64_t cycles() const { return last - first + 1; }
  // The first step of the second half, which must have a step after it.
  std::int64_t middle() const {
    return std::min(first + std::max<std::int64_t>(1, cycles() / 2) - 1, last - 1);
  }
};

// The job's last cycle may be partial and is excluded if others remain.
std::vector<Window> windows_of(const CycleChoice& choice) {
  std::vector<Window> windows;
  std::int64_t first = 0;
  for (const CycleRun& run : choice.runs) {
    windows.push_back({first, first + run.simulated - 1});
    first += run.simulated;
  }
  if (windows.back().cycles() > 2) --windows.back().last;
  return windows;
}

class Paces {
 public:
  Paces(std::span<const Window> windows, std::span<const Seconds> ends_s) {
    for (const Window& window : windows) {
      const auto pace = [&](std::int64_t from, std::int64_t to) {
        return (ends_s[to] - ends_s[from]) / static_cast<double>(to - from);
      };
      of_window_.push_back(pace(window.middle(), window.last));
      early_s_ += pace(window.first, std::max(window.middle(), window.first + 1)) / size(windows);
    }
    mean_s_ = std::accumulate(of_window_.begin(), of_window_.end(), 0.0) / size(of_window_);
  }

  Seconds of_window(std::size_t window) const { return of_window_[window]; }
  Seconds mean_s() const { return mean_s_; }

  Seconds standard_error_s() const {
    double squares = 0;
    for (const Seconds pace_s : of_window_) squares += (pace_s - mean_s_) * (pace_s - mean_s_);
    const std::size_t freedom = of_window_.size() - 1;
    return student_t[std::min(freedom, std::size(student_t)) - 1] *
           std::sqrt(squares / static_cast<double>(freedom) / size(of_window_));
  }
  Seconds drift_s() const { return std::abs(mean_s_ - early_s_); }
  Seconds trend_s() const {
    const double middle = (size(of_window_) - 1) / 2;
    double products = 0;
    double squares = 0;
    for (std::size_t i = 0; i < of_window_.size(); ++i) {
      const double place = static_cast<double>(i) - middle;
      products += place * (of_window_[i] - mean_s_);
      squares += place * place;
    }
    return std::abs(products / squares) * size(of_window_) / 2;
  }

 private:
  template <class Range>
  static double size(const Range& range) {
    return static_cast<double>(range.size());
  }

  std::vector<Seconds> of_window_;
  Seconds mean_s_ = 0;
  Seconds early_s_ = 0;  // mean over the first halves
};

}  // namespace

SampledTime sampled_time(const CycleChoice& choice, const SampledEnds& ends) {
  const auto& ends_s = ends.of_step;
  const std::vector<Window> windows = windows_of(choice);
  TUTTI_CHECK(windows.size() >= 3, "the error estimate needs at least three windows");
  const std::span<const Window> others = std::span(windows).subspan(1);
  const Paces paces(others, ends_s);
  SampledTime all{.end_s =
                      ends_s[windows.front().last] + ends.last_s - ends_s[windows.back().last]};
  std::int64_t cycles = 0;
  for (const CycleRun& run : choice.runs) cycles += run.count - run.simulated;
  for (std::size_t i = 0; i < others.size(); ++i)
    all.end_s += static_cast<double>(others[i].cycles()) * paces.of_window(i);
  const auto omitted = static_cast<double>(cycles);
  all.end_s += omitted * paces.mean_s();
  const double relative = omitted / all.end_s;
  all.error =
      error_scale * (ends.has_few_sources ? drift_scale : 1) *
      std::hypot(std::hypot(paces.standard_error_s() * relative, paces.drift_s() * relative),
                 std::hypot(paces.trend_s() * relative,
                            least_error / std::sqrt(static_cast<double>(others.size()))));
  return all;
}

namespace {

AggregatorSpent operator-(AggregatorSpent a, const AggregatorSpent& b) {
  add_spent(a, -1, b);
  return a;
}

bool is_dated(const AggregatorTimes& times, std::int64_t step) {
  return step < static_cast<std::int64_t>(times.at_end_of.size()) &&
         times.at_end_of[step].end_s > 0;
}

// Time of an aggregator in the omitted cycles of a run. An aggregator that meanwhile waits for its
// own next messages waits that much longer.
AggregatorSpent omitted_of(const AggregatorTimes& times, int last, const Period& period) {
  AggregatorSpent omitted;
  if (is_dated(times, last) && is_dated(times, last - 1))
    omitted = times.at_end_of[last] - times.at_end_of[last - 1];
  if (omitted.end_s == 0 && times.now.end_s > period.end_s)
    omitted.end_s = omitted.shuffle_s = period.length_s();
  return omitted;
}

// Adds the omitted cycles of each run to everything after it.
std::optional<IoTimes> from_repeated(const SimulatedCycles& simulated) {
  const auto& times = *simulated.job.times;
  const SteadyRuns steady(simulated.choice, simulated.job, *simulated.dates);
  IoTimes all;
  all.end_s = simulated.end_s;
  for (const AggregatorTimes& aggregator : times) all.spent.push_back(aggregator.now);
  for (std::size_t run = 0; run < simulated.choice.runs.size(); ++run) {
    const auto omitted = static_cast<double>(simulated.choice.runs[run].omitted());
    if (omitted == 0) continue;
    const auto period = steady.period(run);
    if (!period) return std::nullopt;
    all.end_s += omitted * period->length_s();
    for (std::size_t i = 0; i < times.size(); ++i)
      add_spent(all.spent[i], omitted, omitted_of(times[i], steady.last_step(run), *period));
  }
  return all;
}

// By step: when all aggregators have completed it and all earlier steps.
std::vector<Seconds> ends_of(const std::vector<AggregatorTimes>& times, std::int64_t steps) {
  std::vector<Seconds> ends_s;
  Seconds latest_s = 0;
  for (std::int64_t step = 0; step < steps; ++step) {
    for (const AggregatorTimes& aggregator : times)
      if (is_dated(aggregator, step))
        latest_s = std::max(latest_s, aggregator.at_end_of[step].end_s);
    ends_s.push_back(latest_s);
  }
  return ends_s;
}

// All of an aggregator's time in cycles or calls, divided by that of the sample. An aggregator with
// fewer cycles than the job ends at its last one, without cycles with the set-up.
double scale_of(const SimulatedCycles& simulated, Seconds end_s, std::size_t aggregator) {
  const auto& redistribution = simulated.job.schedule->redistribution();
  const AggregatorTimes& times = (*simulated.job.times)[aggregator];
  const Seconds before_s = times.before.end_s;
  const Seconds sampled_s = times.now.end_s - before_s;
  const auto own = static_cast<double>(redistribution.cycles_of(static_cast<int>(aggregator)));
  const auto all = static_cast<double>(redistribution.cycles());
  if (!simulated.of_calls.empty() || own == all)
    return (end_s - before_s) / (simulated.end_s - before_s);
  if (own == 0 || sampled_s <= 0) return 1;
  return (end_s - before_s) * own / all / sampled_s;
}

IoTimes from_sample(const SimulatedCycles& simulated) {
  const auto& times = *simulated.job.times;
  const auto ends_s = simulated.of_calls.empty()
                          ? ends_of(times, simulated.job.schedule->steps())
                          : std::vector(simulated.of_calls.begin(), simulated.of_calls.end());
  const Legs& messages = simulated.job.schedule->messages();
  const bool has_few_sources = 2 * messages.busy_ranks() < messages.busy_aggregators();
  const SampledTime reported =
      sampled_time(simulated.choice, {ends_s, simulated.end_s, has_few_sources});
  const double error = std::max(reported.error, simulated.merges_events ? merged_error : 0);
  IoTimes all{.spent = {}, .end_s = reported.end_s, .sampling_error = error};
  for (std::size_t i = 0; i < times.size(); ++i) {
    const AggregatorSpent& before = times[i].before;
    add_spent(all.spent.emplace_back(before), scale_of(simulated, reported.end_s, i),
              times[i].now - before);
  }
  return all;
}

}  // namespace

std::optional<IoTimes> extrapolate(const SimulatedCycles& simulated) {
  if (simulated.choice.method == CycleMethod::all) {
    IoTimes all;
    all.end_s = simulated.end_s;
    for (const AggregatorTimes& aggregator : *simulated.job.times)
      all.spent.push_back(aggregator.now);
    return all;
  }
  if (simulated.choice.method == CycleMethod::sampled) return from_sample(simulated);
  return from_repeated(simulated);
}

}  // namespace tutti::io_models
