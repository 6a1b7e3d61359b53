// SPDX-License-Identifier: BSD-3-Clause
// The same call with fewer processes, which can be simulated in full.
#pragma once

#include "sim/base/common.hpp"
#include "sim/studies/extrapolation/step_job.hpp"

namespace tutti::studies::extrapolation {

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
  Point point_;
  platforms::Placement placement_;
};

}  // namespace tutti::studies::extrapolation
