// SPDX-License-Identifier: BSD-3-Clause
// Which mock-ups a performance profile takes: at each size the best, where it is worth it.
#pragma once

#include "sim/base/common.hpp"
#include "sim/guidelines/comparison.hpp"
#include "sim/studies/profiles.hpp"

namespace tutti::studies::guidelines {

// A mock-up that is worth replacing the collective, and does not.
struct LeftOut {
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
  const std::vector<LeftOut>& left_out() const { return left_out_; }

 private:
  struct Choice {
    const Mockup* mockup = nullptr;
    double relative = 1;
  };
  void consider(const std::vector<Setting>& measured);
  void leave_out(LeftOut which);
  void break_cycles(const std::vector<Setting>& measured);

  Thresholds thresholds_;
  BufferLimits limits_;
  std::vector<Choice> choices_;                             // by setting
  std::set<std::pair<std::size_t, const Mockup*>> cyclic_;  // never again
  std::vector<LeftOut> left_out_;
};

}  // namespace tutti::studies::guidelines
