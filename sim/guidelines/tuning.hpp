// SPDX-License-Identifier: BSD-3-Clause
// Which mock-ups a performance profile takes: at each size the best, where it is worth it; and what
// that brings, beside the best of the library's own parameters.
#pragma once

#include "sim/base/common.hpp"
#include "sim/guidelines/comparison.hpp"
#include "sim/guidelines/simulations.hpp"
#include "sim/select/candidates.hpp"
#include "sim/studies/profiles.hpp"

namespace tutti::studies::guidelines {

// A mock-up that is worth replacing the collective, and does not.
struct Omitted {
  std::size_t setting = 0;  // which
  const Mockup* mockup = nullptr;
  double relative = 1;
  std::string why;
};

// Chooses in turns: what is measured with the profiles so far in force may show that a mock-up has
// become better by the calls replaced inside it.
class Tuner {
 public:
  Tuner(Thresholds thresholds, BufferLimits limits) : thresholds_(thresholds), limits_(limits) {}

  // Where the collective is worth replacing it is, by the best mock-up that the buffers hold. No
  // choice makes a cycle (allreduce by reduce and bcast, reduce by allreduce): the one that gains
  // least is left out. Settings are the same, in the same order, each time. False: nothing changed.
  bool improve(const std::vector<Setting>& measured);

  const Mockup* choice(std::size_t setting) const { return choices_[setting].mockup; }
  // One of each collective and number of processes that has a choice.
  Profiles profiles(const std::vector<Setting>& settings) const;
  // Of the settings measured last.
  const std::vector<Omitted>& omitted() const { return omitted_; }

 private:
  struct Choice {
    const Mockup* mockup = nullptr;
    double relative = 1;
  };
  void consider(const std::vector<Setting>& measured);
  void omit(Omitted which);
  void break_cycles(const std::vector<Setting>& measured);

  Thresholds thresholds_;
  BufferLimits limits_;
  std::vector<Choice> choices_;                             // by setting
  std::set<std::pair<std::size_t, const Mockup*>> cyclic_;  // never again
  std::vector<Omitted> omitted_;
};

struct TuningSpec {
  Spec spec;
  Thresholds thresholds;
  BufferLimits limits;
  select::CandidateSpec parameters;  // of Open MPI's own algorithms, to compare with
};

struct TunedSetting {
  Seconds default_s = 0;  // medians over the runs
  Seconds tuned_s = 0;
  const Mockup* mockup = nullptr;  // null: not replaced
  std::string tuned_runs_as;
  std::optional<Seconds> parameters_s;  // the fastest of Open MPI's algorithms
  std::string parameters;               // "chain, fan-out 4, segments 8 KiB"
};

struct TuningFound {
  std::vector<Setting> settings;  // without profiles
  Profiles profiles;
  int rounds = 0;                   // of simulations with profiles
  std::vector<TunedSetting> tuned;  // of each setting
  std::vector<Omitted> omitted;
  int too_large = 0;                   // parameters that would take too many messages
  std::vector<std::string> remaining;  // violations after tuning
  PointsRun last_run;                  // where its code is not 0 it ended all
};

// `settings`: of the wish.
Result<TuningFound> tuned(const TuningSpec& spec, const platforms::Machine& machine,
                          std::vector<Setting> settings, const RunPoints& run);

}  // namespace tutti::studies::guidelines
