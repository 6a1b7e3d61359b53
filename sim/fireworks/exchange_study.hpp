// SPDX-License-Identifier: BSD-3-Clause
// What exchanges of data are expected to take on sets of nodes, beside their simulations.
#pragma once

#include "sim/base/common.hpp"
#include "sim/fireworks/node_load.hpp"
#include "sim/studies/study_runner.hpp"

namespace tutti::studies::fireworks {

// What messages cost, and what all exchanges of a study have in common.
struct ExchangeSpec {
  CostFile costs;
  workloads::PostingOrder order = workloads::PostingOrder::intra_first;
  int hot_spots = 1;
  std::optional<Form> form;  // unset: the best
  ExchangeJob job;           // but its file and aggregators

  // Nothing where there are no such costs.
  std::optional<CostFunction> cost() const;
};

// An order of the nodes, or the aggregators' nodes in an order that stays.
struct Candidate {
  enum class Of : std::uint8_t { given, order, aggregators, worst_order } of = Of::given;
  std::vector<int> order;
  Seconds expected_s = 0;
  std::optional<Seconds> simulated_s = {};  // a write; nothing: it failed
};

struct PredictedSet {
  std::vector<int> procs_of_node;
  Matches matches;
  Prediction expected;
  std::vector<NodeLoad> loads;              // by node, of the cycles that take longest
  std::optional<Seconds> read_s = {};       // simulated
  std::optional<Seconds> one_cycle_s = {};  // of a write
  std::vector<Candidate> candidates;        // the given one first
  std::int64_t orders = 0;                  // that were evaluated
  bool are_all_orders = false;

  // Simulated, too.
  std::optional<Seconds> write_s() const { return candidates.front().simulated_s; }
  // The fastest in simulation; nothing: none was simulated.
  const Candidate* proposal() const;
};

// The exchange of one file on each of some node sets, and in the best orders of their nodes.
struct NodeSetsSpec {
  std::vector<std::vector<int>> node_sets;  // all of one number of nodes, and of processes
  io_models::Grid tiles;
  Bytes file_bytes = Bytes{1} << 30;
  std::optional<int> aggregators;  // unset: one on each node
  std::int64_t orders = 3;         // that are simulated
  std::uint64_t seed = 1;          // of the search
};
struct PredictedExchange {
  std::string_view form;
  ExchangeJob job;
  Bytes message_bytes = 0;   // the largest
  Bytes measured_bytes = 0;  // of the costs, the nearest
  std::int64_t cycles = 0;
  std::vector<PredictedSet> sets;
  PointsRun run;
};
// Errors name options; there are none, and costs, when it is predicted.
std::vector<Error> errors_in(const ExchangeSpec& exchange, const NodeSetsSpec& spec,
                             const platforms::Machine& machine);
PredictedExchange predicted(const ExchangeSpec& exchange, const NodeSetsSpec& spec,
                            const platforms::Machine& machine, const RunPoints& run);

// Whether predictions order random node sets as the simulation does.
struct RandomSetsSpec {
  std::int64_t count = 500;
  std::vector<std::int64_t> nodes{8, 16, 32, 64};  // of a set, in turn
  int ppn = 2;                                     // on average
  std::uint64_t seed = 1;
  Bytes proc_bytes = Bytes{64} << 20;
};
struct CheckedNodeSet {
  std::vector<int> procs_of_node;
  std::array<std::optional<Seconds>, form_names.size()> expected_s = {};
  Seconds simulated_s = 0;
};
struct CheckedExchanges {
  std::string_view form;  // that `predicted` takes, or that alone was asked for
  bool form_is_best = true;
  std::vector<CheckedNodeSet> sets;
  PointsRun run;
};
std::vector<Error> errors_in(const ExchangeSpec& exchange, const RandomSetsSpec& spec,
                             const platforms::Machine& machine);
CheckedExchanges checked(const ExchangeSpec& exchange, const RandomSetsSpec& spec,
                         const platforms::Machine& machine, const RunPoints& run);

}  // namespace tutti::studies::fireworks
