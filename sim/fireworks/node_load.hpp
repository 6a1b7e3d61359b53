// SPDX-License-Identifier: BSD-3-Clause
// Number of messages of each node in a round of two-phase I/O, and the hot-spot node: the node with
// the largest predict_exchange time, which determines the time of the exchange (cFireworks paper,
// section II).
#pragma once

#include "io_models/access.hpp"
#include "io_models/redistribution.hpp"
#include "platforms/job_links.hpp"
#include "sim/base/common.hpp"
#include "sim/fireworks/cost_file.hpp"
#include "sim/jobs/io_record.hpp"

namespace tutti::studies::fireworks {

using io_models::RankId;
using io_models::Transfer;

// The node of each rank and of each aggregator. Nodes are numbered from 0.
struct Nodes {
  int count = 0;
  std::vector<int> of_rank;
  std::vector<int> of_aggregator;
};

// Ranks fill the nodes in order, procs_of_node[i] on node i. Aggregators are on the nodes in turn.
Nodes nodes_in_order(const std::vector<int>& procs_of_node, int aggregators);

// Cycles with the same messages.
struct Round {
  std::int64_t cycles = 0;
  std::vector<Transfer> transfers;  // of one of them
};
// The distinct rounds of the redistribution; their cycles add up to those of the redistribution.
std::vector<Round> find_rounds(const io_models::Redistribution& redistribution);

// Messages are counted in units of the largest one: a shorter message, cut off at the border of a
// file domain or buffer, counts as a fraction.
struct RoundLoad {
  Bytes message_bytes = 0;  // of the largest
  std::vector<NodeLoad> of_node;
};
// In a read the aggregators send. A message of a rank to itself counts as a message inside the
// node.
RoundLoad count_messages(const std::vector<Transfer>& transfers, const Nodes& nodes, bool writes);

// Pairs of a process and an aggregator that exchange data: all pairs, and those on the same node.
struct Matches {
  std::int64_t pairs = 0;
  std::int64_t inside = 0;
};
Matches count_matches(const std::vector<Round>& rounds, const Nodes& nodes);

struct Prediction {
  Seconds time_s = 0;  // of all cycles
  // The node in the round with the largest total time; of equally slow nodes the one with the most
  // messages.
  int hot_spot = 0;
  NodeLoad load;  // its load there
};
// If the cost needs the loads of links, they are those of `machine`, whose node i is node i.
Prediction predict(const std::vector<Round>& rounds, const Nodes& nodes, bool writes,
                   const CostFunction& cost, const platforms::Machine& machine);

// How long the links that messages cross need for all their bytes at full bandwidth.

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

// The simulated data exchange of MPI-Tile-IO with collective I/O on a set of nodes, without
// storage.

struct ExchangeJob {
  io_models::Grid tiles = {};  // one process per tile
  Bytes rows = 0;              // of the array; rows of tiles have equally many, up to one
  Bytes columns = 0;           // bytes of a row
  const io_models::Implementation* implementation = &io_models::romio;
  int aggregators = 1;
  Bytes buffer_bytes = Bytes{16} << 20;
  bool with_setup = true;

  Bytes file_bytes() const { return rows * columns; }
};
// `job` with the array of a file of `file_bytes`, or slightly less if that does not divide into
// whole tiles. Tiles are nearly square.
ExchangeJob tiled_file(io_models::Grid tiles, Bytes file_bytes, ExchangeJob job = {});

// Whether the exchange has too many messages to process each of them.
bool is_too_large(const ExchangeJob& job);

class Exchange {
 public:
  explicit Exchange(const ExchangeJob& job);

  const ExchangeJob& job() const { return job_; }
  std::int64_t cycles() const;
  Bytes largest_message() const;
  const std::vector<Round>& rounds() const { return rounds_; }

  // Node i is the machine's node i. If `cycle` is set, only that cycle is simulated.
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
