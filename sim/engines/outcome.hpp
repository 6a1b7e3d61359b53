// SPDX-License-Identifier: BSD-3-Clause
// What a simulation answers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/runtime/message_counts.hpp"
#include "sim/runtime/types.hpp"

namespace tutti::engines {

// Messages from one rank to another, on request.
struct TrafficRow {
  runtime::RankId source = 0;
  runtime::RankId destination = 0;
  std::int64_t messages = 0;
  std::int64_t bytes = 0;
};

struct Outcome {
  std::vector<Seconds> end_s;  // by rank: its clock when its program ended (0 in `ideal`)
  runtime::MessageCounts counts;
  std::vector<TrafficRow> traffic;  // by (source, destination); empty unless asked for
  // Empty if the job ran to its end; else deadlocked ranks, leftover messages, wrong data, each a
  // sentence that names ranks and tags.
  std::vector<std::string> problems;
  std::int64_t events = 0;  // of the event loop
};

}  // namespace tutti::engines
