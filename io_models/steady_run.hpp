// SPDX-License-Identifier: BSD-3-Clause
// Whether runs of equal cycles have come to repeat themselves in time, so that what is left out of
// one only moves what comes after. README.md says why what is looked at is enough.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "io_models/cycle_choice.hpp"
#include "io_models/message_dates.hpp"

namespace tutti::io_models {

// From one cycle to the next, in which all is the same.
struct Period {
  Seconds begin_s = 0;
  Seconds end_s = 0;
  Seconds length_s() const { return end_s - begin_s; }
};

class SteadyRuns {
 public:
  // Of one simulated job; all outlive it.
  SteadyRuns(const CycleChoice& choice, const ShuffleJob& job, const MessageDates& dates);

  // A period before anybody leaves the `run`-th run; nothing if it is not steady.
  std::optional<Period> period(std::size_t run) const;
  int last_step(std::size_t run) const { return first_step_[run + 1] - 1; }

 private:
  // What goes on by itself, whatever the cycles before it do.
  struct Activity {
    Seconds begin_s = 0;
    Seconds end_s = 0;
  };

  const AggregatorTimes& times(int aggregator) const { return (*job_.times)[aggregator]; }
  int aggregators() const { return static_cast<int>(job_.aggregators.size()); }
  bool is_in(int aggregator, int step) const;
  void date_ends();
  void list_activities(int aggregator);
  void add(std::size_t run, Activity activity);
  void note_first(RankId rank, int step, Seconds begin_s);
  Seconds over_s(int step) const;
  std::optional<Seconds> length(std::size_t run) const;
  bool is_alone(std::size_t run, const Period& period) const;

  const ShuffleJob& job_;
  const MessageDates& dates_;
  std::vector<int> first_step_;       // by run; one more
  std::vector<std::size_t> run_of_;   // by step
  std::vector<Seconds> step_over_s_;  // by step: for those that exchange data in it
  std::vector<Seconds> over_by_s_;    // by run: it and all before it
  // By run: what begins before all runs before it are over, and until when such things go on in it
  // and all that follow.
  std::vector<std::vector<Activity>> ahead_;
  std::vector<Seconds> ahead_until_s_;
  // By run: when the last of the ranks begins whose first messages are in it or later.
  std::vector<Seconds> first_begins_s_;
};

}  // namespace tutti::io_models
