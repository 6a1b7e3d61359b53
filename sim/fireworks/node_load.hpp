// SPDX-License-Identifier: BSD-3-Clause
// How many messages each node has in a round of two-phase I/O, and the hot spot: the node that is
// expected to take longest, which the whole exchange waits for (cFireworks, section II).
#pragma once

#include <vector>

#include "io_models/redistribution.hpp"
#include "sim/fireworks/cost_file.hpp"

namespace tutti::studies::fireworks {

using io_models::RankId;
using io_models::Transfer;

// Where everybody is, by rank and by number of the aggregator. Nodes are numbered from 0.
struct Nodes {
  int count = 0;
  std::vector<int> of_rank;
  std::vector<int> of_aggregator;
};

// A node with so many processes, then the next. One aggregator on each node in turn.
Nodes nodes_in_order(const std::vector<int>& procs_of_node, int aggregators);

// Cycles with the same messages.
struct Round {
  std::int64_t cycles = 0;
  std::vector<Transfer> transfers;  // of one of them
};
// All that differ; as many cycles as the redistribution has.
std::vector<Round> rounds_of(const io_models::Redistribution& redistribution);

// Messages are counted in those of the largest one: shorter ones, which borders of domains and
// buffers cut off, count by their part of it.
struct RoundLoad {
  Bytes message_bytes = 0;  // of the largest
  std::vector<NodeLoad> of_node;
};
// In a read aggregators send. A message of a rank to itself counts as one inside the node.
RoundLoad load_of(const std::vector<Transfer>& transfers, const Nodes& nodes, bool writes);

// Pairs of a process and an aggregator that exchange data: all, and those on one node.
struct Matches {
  std::int64_t pairs = 0;
  std::int64_t inside = 0;
};
Matches matches_of(const std::vector<Round>& rounds, const Nodes& nodes);

struct Prediction {
  Seconds time_s = 0;  // of all cycles
  int hot_spot = 0;    // in the cycles that take longest together
  NodeLoad load;       // its load there
};
Prediction predict(const std::vector<Round>& rounds, const Nodes& nodes, bool writes,
                   const CostFunction& cost);

}  // namespace tutti::studies::fireworks
