// SPDX-License-Identifier: BSD-3-Clause
// Collectives that the network executes. A rank's n-th call belongs to the other ranks' n-th calls.
#pragma once

#include "sim/base/common.hpp"
#include "sim/runtime/job_state.hpp"
#include "sim/runtime/local_work.hpp"
#include "sim/runtime/waits.hpp"

namespace tutti::runtime {

class HardwareCollectives {
 public:
  HardwareCollectives(JobState& job, LocalWork& local_work, Waits& waits)
      : job_(job), local_work_(local_work), waits_(waits) {}

  // A rank's call. Its request completes when the rank has the result.
  Request join(RankId rank, const HardwareCall& call);
  // Handles the event hardware_done of the collective with this number.
  void finish(std::uint32_t number);
  // Charges a completed request of `join`.
  void charge(const RequestRecord& request);

 private:
  // The state of all ranks' n-th calls.
  struct Collective {
    RankId joined = 0;  // number of ranks
    RankId left = 0;    // number of ranks that have been charged
    Seconds latest_s = 0;
    Seconds done_s = 0;
    bool is_over = false;
    std::vector<std::uint32_t> waiting;  // requests
  };

  Seconds duration(const HardwareCall& call) const;

  JobState& job_;
  LocalWork& local_work_;
  Waits& waits_;
  std::unordered_map<std::uint32_t, Collective> collectives_;  // by number
  std::vector<std::uint32_t> calls_;                           // by rank; empty before the first
};

}  // namespace tutti::runtime
