// SPDX-License-Identifier: BSD-3-Clause
// Predicted and simulated times of data exchanges on sets of nodes.
#pragma once

#include "sim/base/common.hpp"
#include "sim/fireworks/node_load.hpp"
#include "sim/studies/study_runner.hpp"

namespace tutti::studies::fireworks {

// Message costs, and what all exchanges of a study have in common.
struct ExchangeSpec {
  CostFile costs;
  workloads::PostingOrder order = workloads::PostingOrder::intra_first;
  int hot_spots = 1;
  std::optional<Form> form;  // unset: the best
  ExchangeJob job;           // without the file and the aggregators

  // Empty if the file does not contain these costs.
  std::optional<CostFunction> cost() const;
};

// An order of the nodes, or an assignment of aggregators to nodes in the given order.
struct Candidate {
  enum class Kind : std::uint8_t { given, order, aggregators, worst_order } kind = Kind::given;
  std::vector<int> order;
  Seconds expected_s = 0;
  std::optional<Seconds> simulated_s = {};  // of a write; empty: it failed
};

struct PredictedSet {
  std::vector<int> procs_of_node;
  Matches matches;
  Prediction expected;
  std::vector<NodeLoad> loads;              // by node, in the most frequent cycle
  std::optional<Seconds> read_s = {};       // simulated
  std::optional<Seconds> one_cycle_s = {};  // of a write
  std::vector<Candidate> candidates;        // the given one first
  std::int64_t orders = 0;                  // number of evaluated orders
  bool are_all_orders = false;

  // Simulated time of a write.
  std::optional<Seconds> write_s() const { return candidates.front().simulated_s; }
  // The fastest candidate in simulation; null if none was simulated.
  const Candidate* proposal() const;
};

// The exchange of one file on each of several node sets, and on the best orders of their nodes.
struct NodeSetsSpec {
  std::vector<std::vector<int>> node_sets;  // all with the same number of nodes and processes
  io_models::Grid tiles;
  Bytes file_bytes = Bytes{1} << 30;
  std::optional<int> aggregators;  // unset: one per node
  std::int64_t orders = 3;         // number of orders to simulate
  std::uint64_t seed = 1;          // of the search
};
struct PredictedExchange {
  std::string_view form;
  ExchangeJob job;
  Bytes message_bytes = 0;   // the largest
  Bytes measured_bytes = 0;  // the nearest message size in the costs
  std::int64_t cycles = 0;
  std::vector<PredictedSet> sets;
  PointsRun run;
};
// Errors name options. predict_exchange() requires that there are none and that exchange.cost() is
// set.
std::vector<Error> errors_in(const ExchangeSpec& exchange, const NodeSetsSpec& spec,
                             const platforms::Machine& machine);
PredictedExchange predict_exchange(const ExchangeSpec& exchange, const NodeSetsSpec& spec,
                                   const platforms::Machine& machine, const RunPoints& run);

// An error if the exchange has too many messages to process each of them.
std::optional<Error> too_large(const ExchangeJob& job);
// An error of an option with more nodes than the machine has.
std::optional<Error> too_many_nodes(const char* option, std::size_t nodes,
                                    const platforms::Machine& machine);
extern const char* const other_machine_hint;

}  // namespace tutti::studies::fireworks
