// SPDX-License-Identifier: BSD-3-Clause
// Runs only some steps of a point.
#pragma once

#include "algorithms/step_sample.hpp"
#include "sim/base/common.hpp"
#include "sim/jobs/point.hpp"

namespace tutti::jobs::extrapolation {

struct Extrapolated {
  std::string method;  // "recurrence", "equal_blocks", "sampled", "groups"
  Seconds time_s = 0;  // completion time of the last rank, mean over ranks, and of the first rank
  Seconds time_mean_s = 0;
  Seconds time_min_s = 0;
  double error = 0;  // estimated error, relative to time_s
  runtime::MessageCounts counts;
  std::int64_t steps = 0;
  std::int64_t simulated_steps = 0;
};

// The inputs that all samples share.
struct StepJob {
  const Point& point;
  const platforms::Machine& machine;
  const platforms::Placement& placement;
  std::vector<algorithms::StepPhase> phases;
  runtime::Observer* watcher = nullptr;  // if set, observes every run
  // The working set of the whole call; unset if these processes are the whole call.
  std::optional<Bytes> working_set = {};

  runtime::RankId procs() const { return point.placement.procs; }
  std::int64_t all_steps() const;
  Bytes working_set_of_call() const;
  // A smaller call that represents this one, with its working set. Its arguments must outlive it.
  StepJob represented_by(const Point& smaller, const platforms::Machine& on,
                         const platforms::Placement& placed) const;
};

struct SampledRun {
  algorithms::StepSample sample;
  std::vector<Seconds> end_s;  // by rank
  runtime::MessageCounts counts;

  // Number of simulated steps, each of all ranks.
  std::int64_t simulated_steps(const StepJob& job) const;
};

// The same call of `procs` ranks, with equal blocks of the mean size of the job's.
Point call_of_ranks(const StepJob& job, runtime::RankId procs);

// The loops of a call; empty if none of its steps represent others.
std::vector<algorithms::StepPhase> phases_of(const Point& point);

// Selects the first `count` steps of every phase; all but the first quarter of them record times.
std::vector<algorithms::StepSample::Chosen> first_steps_of(const StepJob& job, std::int64_t count);

// Runs the chosen steps. `event_window_s` is engines::Job::event_window_s, `goes_on` is passed to
// the sample.
Result<SampledRun> run(const StepJob& job, std::vector<algorithms::StepSample::Chosen> chosen,
                       Seconds event_window_s = 0,
                       algorithms::StepSample::GoesOn goes_on = nullptr);

// Runs the whole call. Returns the end of each rank.
Result<std::vector<Seconds>> run_whole(const StepJob& job, Seconds event_window_s);

// Message counts of a call in which every rank sends one message to every other one.
runtime::MessageCounts counts_of_exchange(const StepJob& job);

// Message counts of some steps of a call, from those of the whole call.
runtime::MessageCounts counts_of_part(const StepJob& job, const runtime::MessageCounts& all,
                                      const algorithms::StepSample& part);

// Message counts of the whole call, from those of a sample and the known messages of its loops.
runtime::MessageCounts counts_of_all(const StepJob& job, const SampledRun& run);

// The load of one step of an exchange on the machine, computed from the routes only. Assumes that
// all ranks begin the step at one time and that shared links are shared evenly.
struct StepLoad {
  Seconds latency_s = 0;          // of a message's route, mean over messages
  Seconds bottleneck_s = 0;       // time of the busiest link of a message's route, mean
  Seconds most_bottleneck_s = 0;  // time of the busiest link of all
};

class StepLoads {
 public:
  StepLoads(const StepJob& job, const algorithms::StepPhase& phase);

  // The load of a step, which is computed once.
  const StepLoad& of(std::int64_t step);
  // Approximate number of links visited for one step.
  std::int64_t cost();

 private:
  // Messages of consecutive ranks between the same two nodes.
  struct Bundle {
    std::int64_t messages;
    std::size_t end;  // of its links in routes_
  };
  struct LinkCost {
    double byte_time_s = 0;  // 0: not looked up yet
    Seconds latency_s = 0;
    bool is_shared = false;
  };
  StepLoad computed(std::int64_t step);
  void follow(std::int64_t step, StepLoad& load);
  const LinkCost& cost_of(platforms::LinkId link);

  const StepJob& job_;
  const algorithms::StepPhase& phase_;
  std::unordered_map<std::int64_t, StepLoad> known_;  // by step
  std::vector<LinkCost> links_;                       // by link
  std::vector<Seconds> busy_s_;                       // by link
  std::vector<platforms::LinkId> routes_;
  std::vector<Bundle> bundles_;
  std::vector<platforms::LinkId> room_;
};

}  // namespace tutti::jobs::extrapolation
