// SPDX-License-Identifier: BSD-3-Clause
// Problems of a job that does not end, or ends with pending messages or requests.
#pragma once

#include "sim/base/common.hpp"
#include "sim/runtime/job_state.hpp"
#include "sim/runtime/matching.hpp"
#include "sim/runtime/whole_exchanges.hpp"

namespace tutti::runtime {

// A message that nobody has received.
struct Leftover {
  RankId source = 0;
  RankId destination = 0;
  std::int32_t tag = 0;
  Bytes bytes = 0;
};

// The leftovers of the lowest ranks first, at most `limit`.
std::vector<Leftover> find_leftovers(const JobState& job, const Matching& matching,
                                     std::size_t limit);

// Sentences about truncated messages (those of `truncated`), deadlocked ranks, messages never
// received, receives never matched, and requests never waited for. At most `limit` of each kind,
// then "and N more".
std::vector<std::string> describe_problems(const JobState& job, const Matching& matching,
                                           const WholeExchanges& exchanges,
                                           const std::vector<std::string>& truncated,
                                           std::size_t limit);

}  // namespace tutti::runtime
