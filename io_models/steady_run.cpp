// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/steady_run.hpp"

#include <algorithm>
#include <cmath>

namespace tutti::io_models {
namespace {

// Dates are sums of thousands of terms: what they differ by in their last digits.
constexpr double tolerance = 1e-11;

// The legs of a step among those of a rank or an aggregator: as places.
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

// Whether all that it is told is later by the same time, the first one's.
class Shift {
 public:
  bool takes(Seconds before_s, Seconds after_s) {
    if (!by_s_) by_s_ = after_s - before_s;
    return close(after_s - before_s, *by_s_, after_s);
  }
  bool takes(const MessageDate& before, const MessageDate& after) {
    return takes(before.over_s, after.over_s) && takes(before.sent_s, after.sent_s) &&
           takes(before.taken_s, after.taken_s);
  }
  std::optional<Seconds> by_s() const { return by_s_; }

 private:
  std::optional<Seconds> by_s_;
};

// The same time goes into the same from a to b and from b to c.
bool spends_alike(const AggregatorSpent& a, const AggregatorSpent& b, const AggregatorSpent& c) {
  const auto alike = [&](Seconds AggregatorSpent::*part) {
    return close(b.*part - a.*part, c.*part - b.*part, c.end_s);
  };
  return alike(&AggregatorSpent::end_s) && alike(&AggregatorSpent::shuffle_s) &&
         alike(&AggregatorSpent::storage_s) && alike(&AggregatorSpent::waited_s);
}

Seconds end_of(const AggregatorTimes& times, int step) {
  return static_cast<std::size_t>(step) < times.at_end_of.size() ? times.at_end_of[step].end_s : 0;
}

}  // namespace

SteadyRuns::SteadyRuns(const CycleChoice& choice, const ShuffleJob& job, const MessageDates& dates)
    : job_(job), dates_(dates), first_step_{0} {
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
    for (const Activity& each : ahead_[run])
      ahead_until_s_[run] = std::max(ahead_until_s_[run], each.end_s);
    ahead_until_s_[run] = std::max(ahead_until_s_[run], ahead_until_s_[run + 1]);
    first_begins_s_[run] = std::max(first_begins_s_[run], first_begins_s_[run + 1]);
  }
}

void SteadyRuns::date_ends() {
  step_over_s_.resize(run_of_.size());
  over_by_s_.resize(ahead_.size());
  for (int i = 0; i < aggregators(); ++i) {
    const auto legs = job_.schedule->messages().of_aggregator(i);
    for (std::size_t at = 0; at < legs.size(); ++at) {
      Seconds& over_s = step_over_s_[legs[at].step];
      over_s =
          std::max({over_s, dates_.of_aggregator(i)[at].over_s, end_of(times(i), legs[at].step)});
    }
  }
  for (std::size_t step = 0; step < run_of_.size(); ++step)
    over_by_s_[run_of_[step]] = std::max(over_by_s_[run_of_[step]], step_over_s_[step]);
  for (std::size_t run = 1; run < over_by_s_.size(); ++run)
    over_by_s_[run] = std::max(over_by_s_[run], over_by_s_[run - 1]);
}

void SteadyRuns::add(std::size_t run, Activity activity) {
  if (run > 0 && activity.begin_s < over_by_s_[run - 1]) ahead_[run].push_back(activity);
}

void SteadyRuns::note_first(RankId rank, int step, Seconds begin_s) {
  const auto& messages = job_.schedule->messages();
  const std::int32_t number = job_.number_of[rank];
  for (const auto legs :
       {messages.of_rank(rank),
        number == ShuffleJob::none ? std::span<const Leg>{} : messages.of_aggregator(number)})
    if (!legs.empty() && legs.front().step < step) return;
  Seconds& first_s = first_begins_s_[run_of_[step]];
  first_s = std::max(first_s, begin_s);
}

void SteadyRuns::list_activities(int aggregator) {
  const auto legs = job_.schedule->messages().of_aggregator(aggregator);
  Seconds ended_s = 0;  // its step before
  for (std::size_t at = 0; at < legs.size(); ++at) {
    const int step = legs[at].step;
    const MessageDate& date = dates_.of_aggregator(aggregator)[at];
    const Seconds end_s = end_of(times(aggregator), step);
    add(run_of_[step], {date.sent_s, date.settled_s});
    add(run_of_[step], {date.taken_s, date.taken_s});
    add(run_of_[step], {std::max(date.settled_s, date.taken_s), job_.writes ? end_s : date.over_s});
    if (!job_.writes) add(run_of_[step], {ended_s, date.sent_s});
    const RankId own = job_.aggregators[aggregator];
    note_first(job_.writes ? legs[at].peer : own, step, date.sent_s);
    note_first(job_.writes ? own : legs[at].peer, step, date.taken_s);
    if (at + 1 < legs.size() && legs[at + 1].step != step) ended_s = end_s;
  }
}

bool SteadyRuns::is_in(int aggregator, int step) const {
  const auto& messages = job_.schedule->messages();
  return has_step(messages.of_aggregator(aggregator), step) ||
         has_step(messages.of_rank(job_.aggregators[aggregator]), step);
}

// By which all in the last step of a run, and all in the last but one, is later than before.
std::optional<Seconds> SteadyRuns::length(std::size_t run) const {
  const int last = last_step(run);
  Shift shift;
  for (int i = 0; i < aggregators(); ++i) {
    const auto legs = job_.schedule->messages().of_aggregator(i);
    const auto dates = dates_.of_aggregator(i);
    const Places places = of_step(legs, last);
    const std::size_t count = places.last - places.first;
    for (std::size_t at = places.first - std::min(places.first, count); at < places.last; ++at)
      if (!shift.takes(dates[at - count], dates[at])) return std::nullopt;
    if (!is_in(i, last)) continue;
    const auto& at = times(i).at_end_of;
    if (!shift.takes(at[last - 1].end_s, at[last].end_s) ||
        !spends_alike(at[last - 2], at[last - 1], at[last]))
      return std::nullopt;
  }
  return shift.by_s();
}

// Nobody else does anything in the period.
bool SteadyRuns::is_alone(std::size_t run, const Period& period) const {
  if (run > 0 && over_by_s_[run - 1] > period.begin_s) return false;
  if (first_begins_s_[run + 1] > period.begin_s) return false;
  const auto meets = [&](const Activity& each) {
    return each.begin_s < period.end_s && each.end_s > period.begin_s;
  };
  for (std::size_t later = run + 1; later < ahead_.size() && ahead_until_s_[later] > period.begin_s;
       ++later)
    if (std::ranges::any_of(ahead_[later], meets)) return false;
  for (int i = 0; i < aggregators(); ++i)  // still at an access of before
    if (!is_in(i, last_step(run)) && end_of(times(i), last_step(run)) > period.begin_s)
      return false;
  return true;
}

std::optional<Period> SteadyRuns::period(std::size_t run) const {
  const auto length_s = length(run);
  if (!length_s) return std::nullopt;
  for (const int step : {last_step(run) - 1, last_step(run) - 2}) {
    const Period period{step_over_s_[step] - *length_s, step_over_s_[step]};
    if (is_alone(run, period)) return period;
  }
  return std::nullopt;
}

}  // namespace tutti::io_models
