// SPDX-License-Identifier: BSD-3-Clause
// What messages cost a node: `sim fireworks`.
#pragma once

#include "sim/base/common.hpp"
#include "sim/fireworks/cost_file.hpp"
#include "sim/fireworks/cost_model.hpp"
#include "sim/fireworks/surface.hpp"
#include "sim/reports/document/document.hpp"

namespace tutti::reports {

struct MeasuredRound {
  workloads::Fireworks asked;
  Seconds time_s = 0;
  studies::fireworks::BusyLink busiest;
};

struct FireworksReport : ReportHead {
  studies::fireworks::CostFile costs;
  std::vector<MeasuredRound> rounds;                                  // of all models
  std::vector<std::vector<studies::fireworks::PrintedCost>> printed;  // by model
  std::size_t not_run = 0;                                            // after Ctrl-C
};

// "4 MiB, intra-first, 1 hot spot"
std::string model_title(const studies::fireworks::CostModel& model);
// That the round is one of those which the model was made of.
bool is_of(const studies::fireworks::CostModel& model, const workloads::Fireworks& asked);

Document fireworks_document(const FireworksReport& report);
std::vector<std::string> fireworks_document_parts();

// Whether predictions order random node sets as the simulation does: `sim fireworks check`.

struct CheckedNodeSet {
  std::vector<int> procs_of_node;
  std::array<std::optional<Seconds>, studies::fireworks::form_names.size()> expected_s = {};
  Seconds simulated_s = 0;
};

struct FireworksCheckReport : ReportHead {
  std::string form;  // that `sim fireworks predict` takes, or that alone was asked for
  bool form_is_best = true;
  double clearly = 0;
  std::vector<CheckedNodeSet> sets;
  std::size_t not_run = 0;
};

Document fireworks_check_document(const FireworksCheckReport& report);
std::vector<std::string> fireworks_check_document_parts();

}  // namespace tutti::reports
