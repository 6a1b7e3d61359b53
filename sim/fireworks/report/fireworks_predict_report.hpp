// SPDX-License-Identifier: BSD-3-Clause
// What an exchange of data is expected to take on node sets, beside simulations: `sim fireworks
// predict`.
#pragma once

#include "sim/base/common.hpp"
#include "sim/fireworks/node_load.hpp"
#include "sim/fireworks/node_sets.hpp"
#include "sim/reports/document/document.hpp"

namespace tutti::reports {

// An order of the nodes, or the aggregators' nodes in an order that stays.
struct Candidate {
  enum class Of : std::uint8_t { given, order, aggregators, worst_order } of = Of::given;
  std::vector<int> order;
  Seconds expected_s = 0;
  std::optional<Seconds> simulated_s = {};  // a write; nothing: it failed
};

struct PredictedSet {
  std::vector<int> procs_of_node;
  studies::fireworks::Matches matches;
  studies::fireworks::Prediction expected;
  std::vector<studies::fireworks::NodeLoad> loads;  // by node, of the cycles that take longest
  std::optional<Seconds> write_s = {};              // simulated
  std::optional<Seconds> read_s = {};
  std::optional<Seconds> one_cycle_s = {};  // of a write
  std::vector<Candidate> candidates;        // the given one first
  std::int64_t orders = 0;                  // that were evaluated
  bool are_all_orders = false;

  // The fastest in simulation; nothing: none was simulated.
  const Candidate* proposal() const;
};

struct FireworksPredictReport : ReportHead {
  std::string form;
  std::string tiles;  // "4x4"
  Bytes file_bytes = 0;
  Bytes message_bytes = 0;   // the largest
  Bytes measured_bytes = 0;  // of the costs, the nearest
  std::int64_t cycles = 0;
  std::int64_t aggregators = 0;
  std::vector<PredictedSet> sets;
  std::size_t not_run = 0;
};

Document fireworks_predict_document(const FireworksPredictReport& report);
std::vector<std::string> fireworks_predict_document_parts();

// "4,4,2,2"
std::string node_set_text(const std::vector<int>& procs_of_node);

}  // namespace tutti::reports
