// SPDX-License-Identifier: BSD-3-Clause
// Predictions compared with simulations on random node sets.
#pragma once

#include "sim/base/common.hpp"
#include "sim/fireworks/exchange_study.hpp"
#include "sim/fireworks/form_choice.hpp"

namespace tutti::studies::fireworks {

struct RandomSetsSpec {
  std::int64_t count = 500;
  // Numbers of nodes of the sets, used in turn. Empty: 8, 16, 32, 64, as far as they fit.
  std::vector<std::int64_t> nodes = {};
  int ppn = 2;  // mean
  std::uint64_t seed = 1;
  Bytes proc_bytes = Bytes{64} << 20;
  double clearly = 0.05;  // count only pairs whose predictions differ by more than this
};
struct CheckedNodeSet {
  std::vector<int> procs_of_node;
  std::array<std::optional<Seconds>, form_names.size()> expected_s = {};
  Seconds simulated_s = 0;
};
struct CheckedExchanges {
  std::optional<ChosenForm> chosen;  // among all forms, or the only one requested
  bool is_requested = false;
  std::string_view form_of_costs;  // the one that predict_exchange() uses
  std::vector<CheckedNodeSet> sets;
  PointsRun run;
};
std::vector<Error> errors_in(const ExchangeSpec& exchange, const RandomSetsSpec& spec,
                             const platforms::Machine& machine);
CheckedExchanges check_exchanges(const ExchangeSpec& exchange, const RandomSetsSpec& spec,
                                 const platforms::Machine& machine, const RunPoints& run);

// Sets the best form of all models, and its trial, by simulations of 64 random node sets. Without
// answers the models remain as they are.
PointsRun choose_forms(CostFile& costs, const platforms::Machine& machine, const RunPoints& run);

}  // namespace tutti::studies::fireworks
