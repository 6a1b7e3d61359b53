// SPDX-License-Identifier: BSD-3-Clause
// The running programs (coroutines) of all ranks of a job, which an engine starts and resumes.
#pragma once

#include <exception>

#include "sim/base/common.hpp"
#include "sim/runtime/rank.hpp"

namespace tutti::runtime {

class RankPrograms {
 public:
  // With `classes`, runs the programs of their representatives. All arguments must outlive the
  // object.
  RankPrograms(ProtocolCore& core, const Program& program, const RankClasses* classes = nullptr);

  // Runs the rank's program until it waits or ends. An exception ends the rank and is stored for
  // `rethrow_failure`.
  void start(RankId rank);
  // Continues a rank that the core has woken.
  void resume(RankId rank);
  // Prefetches data for `resume` some calls later.
  void prefetch(RankId rank) const {
    __builtin_prefetch(&ranks_[rank]);
    __builtin_prefetch(&tasks_[rank], 1);
  }

  bool finished(RankId rank) const { return tasks_[rank].done(); }
  RankId running() const { return running_; }  // number of unfinished ranks
  void rethrow_failure() const;
  // The clock of each rank when it finished.
  std::vector<Seconds> end_times() const;

 private:
  void run(RankId rank);

  ProtocolCore& core_;
  const Program& program_;
  Trampoline trampoline_;    // shared, because only one rank runs at a time
  std::vector<View> views_;  // of representatives on the whole job
  LargeVector<Rank> ranks_;
  LargeVector<Task> tasks_;
  RankId running_;
  std::exception_ptr failure_;
};

}  // namespace tutti::runtime
