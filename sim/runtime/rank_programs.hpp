// SPDX-License-Identifier: BSD-3-Clause
// The running programs of all ranks of a job: what an engine starts and resumes.
#pragma once

#include <exception>

#include "sim/base/common.hpp"
#include "sim/runtime/rank.hpp"

namespace tutti::runtime {

class RankPrograms {
 public:
  RankPrograms(ProtocolCore& core, const Program& program);

  // Runs the rank's program until it waits or ends. An exception of a program ends that rank and is
  // kept for `rethrow_failure`.
  void start(RankId rank);
  // The same for a rank that the core has woken.
  void resume(RankId rank);

  bool finished(RankId rank) const { return tasks_[rank].done(); }
  RankId running() const { return running_; }  // ranks that have not finished
  void rethrow_failure() const;
  // By rank: its clock when it finished.
  std::vector<Seconds> end_times() const;

 private:
  void run(RankId rank);

  ProtocolCore& core_;
  const Program& program_;
  Trampoline trampoline_;  // one for all: only one rank's code runs at a time
  std::vector<Rank> ranks_;
  std::vector<Task> tasks_;
  RankId running_;
  std::exception_ptr failure_;
};

}  // namespace tutti::runtime
