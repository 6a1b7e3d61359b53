// SPDX-License-Identifier: BSD-3-Clause
// What a simulation answers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/runtime/message_counts.hpp"
#include "sim/runtime/types.hpp"

namespace tutti::engines {

struct Outcome {
  std::vector<Seconds> end_s;  // by rank: its clock when its program ended (0 in `ideal`)
  runtime::MessageCounts counts;
  // Empty if the job ran to its end; else deadlocked ranks, leftover messages, wrong data, each a
  // sentence that names ranks and tags.
  std::vector<std::string> problems;
  std::int64_t events = 0;  // of the event loop
  std::int64_t solves = 0;  // of the flows' rates; engine `flow`
};

}  // namespace tutti::engines
