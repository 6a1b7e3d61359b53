// SPDX-License-Identifier: BSD-3-Clause
// From the cycles that were simulated to all of them.
#pragma once

#include "io_models/cycle_choice.hpp"
#include "io_models/message_times.hpp"
#include "sim/base/common.hpp"

namespace tutti::io_models {

// Whether runs of equal cycles have come to repeat themselves in time, so that what is left out of
// one only moves what comes after. README.md says why what is looked at is enough.

// From one cycle to the next, in which all is the same.
struct Period {
  Seconds begin_s = 0;
  Seconds end_s = 0;
  Seconds length_s() const { return end_s - begin_s; }
};

class SteadyRuns {
 public:
  // Of one simulated job; all outlive it.
  SteadyRuns(const CycleChoice& choice, const ShuffleJob& job, const MessageTimes& dates);

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
  const MessageTimes& times_;
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

// From windows of cycles to the time of all cycles, and how far off that may be.
//   The first window begins with the job, the last one ends with it: start-up and the last, partial
//   cycle are simulated and count once. The cycles between the windows take the mean pace of the
//   windows after the first, each measured in its second half.
//   The error, relative to the time, is `scale` times the root of the sum of squares of
//     t s / sqrt(n)  the standard error of the n windows' paces, t of Student (68 %, n - 1)
//     halves         by how much the windows' second halves differ from their first ones (drift)
//     trend          by how much a straight line through the paces rises over half of the windows
//     floor          3.5 % / sqrt(n)
//   weighted with the part of the time that is not simulated. Where the data of a cycle are with
//   few ranks, aggregators get out of step over more cycles than a window has, and the job speeds
//   up: the error is drift_scale times that. The true time lies within twice the error in 95 % of
//   jobs: README.md has the coverage.

struct SampledTime {
  Seconds end_s = 0;
  double error = 0;  // relative
};

struct SampledEnds {
  std::span<const Seconds> of_step;  // when all aggregators have ended it and those before it
  Seconds last_s = 0;                // when the last rank ended
  bool has_few_sources = false;      // fewer than one rank for two aggregators in a cycle
};

// `choice` is a sample of at least three windows.
SampledTime sampled_time(const CycleChoice& choice, const SampledEnds& ends);

struct IoTimes {
  // By aggregator, from the job's start.
  std::vector<AggregatorSpent> spent;
  Seconds end_s = 0;  // when the last rank ends
  // Method `sampled`: an estimate of the error of end_s, relative to it.
  std::optional<double> sampling_error;
};

// What was simulated.
struct SimulatedCycles {
  const CycleChoice& choice;
  const ShuffleJob& job;      // dates its steps
  const MessageTimes* dates;  // method `repeated`
  Seconds end_s = 0;          // when the last rank ended
};

// Nothing: the runs of equal cycles are not steady (see SteadyRuns), and only the full job tells.
std::optional<IoTimes> extrapolate(const SimulatedCycles& simulated);

}  // namespace tutti::io_models
