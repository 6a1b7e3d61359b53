// SPDX-License-Identifier: BSD-3-Clause
// How long the links that messages cross need for all their bytes at full bandwidth.
#pragma once

#include "platforms/job_links.hpp"
#include "sim/base/common.hpp"

namespace tutti::studies::fireworks {

struct RankMessage {
  int from = 0;  // ranks
  int to = 0;
  Bytes bytes = 0;
};

struct BusyLinks {
  // The longest time of the shared links that each message crosses; 0 if it crosses none.
  std::vector<Seconds> of_message;
  std::optional<platforms::LinkId> busiest;
  Seconds busiest_s = 0;
};

// A message that the routing divides is spread evenly over its shortest paths. A message of a rank
// to itself crosses the links inside its node.
BusyLinks busy_links(const platforms::JobLinks& links, const std::vector<RankMessage>& messages);

}  // namespace tutti::studies::fireworks
