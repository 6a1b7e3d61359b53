// SPDX-License-Identifier: BSD-3-Clause
// How many messages each node has in a round of two-phase I/O, and the hot spot: the node that is
// expected to take longest, which the whole exchange waits for (cFireworks, section II).
#pragma once

#include "io_models/access.hpp"
#include "io_models/redistribution.hpp"
#include "sim/base/common.hpp"
#include "sim/fireworks/cost_file.hpp"
#include "sim/studies/io_record.hpp"

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

// The exchange of data of MPI-Tile-IO with collective I/O on a set of nodes, simulated: no storage.

struct ExchangeJob {
  io_models::Grid tiles = {};  // a process for each
  Bytes rows = 0;              // of the array; rows of tiles have the same number, but for one
  Bytes columns = 0;           // bytes of a row
  const io_models::Implementation* implementation = &io_models::romio;
  int aggregators = 1;
  Bytes buffer_bytes = Bytes{16} << 20;
  bool with_setup = true;

  Bytes file_bytes() const { return rows * columns; }
};
// `job` with the array of a file of so many bytes, or a little less where they are no whole tiles.
// Tiles are about square.
ExchangeJob tiled_file(io_models::Grid tiles, Bytes file_bytes, ExchangeJob job = {});

// More messages in one cycle, or cycles, than are looked at one by one.
bool is_too_large(const ExchangeJob& job);

class Exchange {
 public:
  explicit Exchange(const ExchangeJob& job);

  const ExchangeJob& job() const { return job_; }
  std::int64_t cycles() const;
  Bytes largest_message() const;
  const std::vector<Round>& rounds() const { return rounds_; }

  // Node i is the machine's node i. `cycle`: that one alone, of those that the job has.
  struct Simulation {
    bool writes = true;
    std::optional<std::int64_t> cycle = {};
    engines::EngineKind engine = engines::EngineKind::flow;
  };
  Result<Seconds> simulate(const Nodes& nodes, const Simulation& how,
                           const platforms::Machine& machine) const;

 private:
  ExchangeJob job_;
  std::shared_ptr<const io_models::GridAccess> access_;
  std::vector<Round> rounds_;
};

}  // namespace tutti::studies::fireworks
