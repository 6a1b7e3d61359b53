// SPDX-License-Identifier: BSD-3-Clause
// The same call with fewer processes, which can be simulated in full.
#pragma once

#include "sim/base/common.hpp"
#include "sim/jobs/extrapolation/step_job.hpp"

namespace tutti::jobs::extrapolation {

inline constexpr runtime::RankId most_procs_in_full = 1024;
// The numbers of processes of two smaller jobs that behave like one of `procs` processes, `ppn` per
// node: about 1,000, on whole nodes, powers of two only if `procs` is one, because algorithms may
// differ.
std::array<runtime::RankId, 2> smaller_procs(runtime::RankId procs, int ppn);

// The first `procs` ranks of the first nodes of a job, on their nodes and cores.
class SmallerJob {
 public:
  // As many nodes, in the order of the ranks, as are required for `procs` processes, at most those
  // of the job.
  SmallerJob(const StepJob& whole, runtime::RankId procs);
  SmallerJob(const SmallerJob&) = delete;
  SmallerJob& operator=(const SmallerJob&) = delete;

  StepJob job() const;

 private:
  const StepJob& whole_;
  platforms::Placement placement_;
  Point point_;
};

}  // namespace tutti::jobs::extrapolation
