// SPDX-License-Identifier: BSD-3-Clause
// Chooses the mock-ups of a performance profile, at each size the best one if it is worth replacing
// the collective, and compares the gain with that of the library's own parameters.
#pragma once

#include "sim/base/common.hpp"
#include "sim/guidelines/comparison.hpp"
#include "sim/guidelines/simulations.hpp"
#include "sim/select/candidates.hpp"
#include "workloads/profiles.hpp"

namespace tutti::studies::guidelines {

// A mock-up that would be worth replacing the collective, but is not used.
struct Omitted {
  std::size_t setting = 0;  // index of the setting
  const Mockup* mockup = nullptr;
  double relative = 1;
  std::string why;
};

// Chooses mock-ups in rounds: with the profiles of one round, a mock-up may become faster because
// calls inside it are replaced.
class Tuner {
 public:
  Tuner(Thresholds thresholds, BufferLimits limits) : thresholds_(thresholds), limits_(limits) {}

  // Replaces each collective that is worth it by the best mock-up that fits into the buffers. In a
  // cycle of choices (allreduce by reduce and bcast, reduce by allreduce) the one with the smallest
  // gain is omitted. The settings must be the same, in the same order, in each round. Returns false
  // if nothing changed.
  bool improve(const std::vector<Setting>& measured);

  const Mockup* choice(std::size_t setting) const { return choices_[setting].mockup; }
  // A profile for each collective and number of processes with at least one choice.
  Profiles profiles(const std::vector<Setting>& settings) const;
  // The omitted mock-ups of the last round.
  const std::vector<Omitted>& omitted() const { return omitted_; }

 private:
  struct Choice {
    const Mockup* mockup = nullptr;
    double relative = 1;
  };
  std::vector<const Mockup*> chosen_mockups() const;  // by setting
  void consider(const std::vector<Setting>& measured);
  void omit(Omitted which);
  void break_cycles(const std::vector<Setting>& measured);

  Thresholds thresholds_;
  BufferLimits limits_;
  std::vector<Choice> choices_;                             // by setting
  std::set<std::pair<std::size_t, const Mockup*>> cyclic_;  // excluded for good
  std::vector<Omitted> omitted_;
};

struct TuningSpec {
  Spec spec;
  Thresholds thresholds;
  BufferLimits limits;
  select::CandidateSpec parameters;  // parameters of Open MPI's algorithms, to compare with
};

struct TunedSetting {
  Seconds default_s = 0;  // medians over the runs
  Seconds tuned_s = 0;
  const Mockup* mockup = nullptr;  // null: not replaced
  std::string tuned_runs_as;
  std::optional<Seconds> parameters_s;  // the fastest of Open MPI's algorithms
  std::string parameters;               // "chain, fan-out 4, segments 8 KiB"
};

struct TuningResult {
  std::vector<Setting> settings;  // without profiles
  Profiles profiles;
  int rounds = 0;                   // rounds of simulations with profiles
  std::vector<TunedSetting> tuned;  // by setting
  std::vector<Omitted> omitted;
  int too_large = 0;                   // number of parameter calls with too many messages
  std::vector<std::string> remaining;  // replaceable collectives after tuning
  PointsRun last_run;                  // if its code is not 0, the tuning stopped there
};

// `settings` are those of `spec.spec`.
Result<TuningResult> tune(const TuningSpec& spec, const platforms::Machine& machine,
                          std::vector<Setting> settings, const RunPoints& run);

}  // namespace tutti::studies::guidelines
