// SPDX-License-Identifier: BSD-3-Clause
// A tuner CSV of NCCL from simulated times: for each collective, number of nodes and of GPUs, the
// fastest algorithm and protocol by size, with the number of channels that NCCL gives each.
#pragma once

#include "sim/base/common.hpp"
#include "sim/select/candidates.hpp"
#include "sim/studies/study_runner.hpp"

namespace tutti::studies::select {

// A call by one of NCCL's algorithms with one protocol.
struct NcclTrial {
  Point point;
  int nodes = 0;
  Bytes bytes = 0;        // as NCCL counts: the vector, or the blocks of all ranks
  std::string algorithm;  // words of the file: "nvls_tree"
  std::string protocol;   // "ll128"
};

// The calls of a study with each pair that NCCL considers, ordered by collective, GPUs and size.
// Error: NCCL considers none, for example without GPUs.
Result<std::vector<NcclTrial>> make_nccl_trials(const CellStudy& study,
                                                const platforms::Machine& machine);

struct TimedNcclTrials {
  std::vector<std::optional<Seconds>> times_s;  // by trial; unset: it failed or was not run
  PointsRun run;
};
TimedNcclTrials time_trials(const std::vector<NcclTrial>& trials, const platforms::Machine& machine,
                            const RunPoints& run);

// The file. A row applies from its size up to the next one's, the last to all larger sizes. `head`:
// comment lines without '#'; those that exceed NCCL's line are cut.
std::string nccl_tuner_file(const std::vector<NcclTrial>& trials,
                            const std::vector<std::optional<Seconds>>& times_s,
                            const std::vector<std::string>& head);

}  // namespace tutti::studies::select
