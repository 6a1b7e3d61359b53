// SPDX-License-Identifier: BSD-3-Clause
// Predictions compared with simulations on random node sets, and the choice of the cost model's
// form by the order in which it puts them.
#pragma once

#include "sim/base/common.hpp"
#include "sim/fireworks/exchange_study.hpp"

namespace tutti::studies::fireworks {

// Expected and simulated times of the same node sets by form; empty for forms without times.
using TimesOfForms = std::array<std::vector<PredictedTime>, form_names.size()>;

struct ChosenForm {
  Form form = Form::linear;
  Trial trial;
};

// The form that agrees with the simulation on the most pairs of node sets: which one is faster by
// more than the fraction `clearly`, or that neither is. Among forms within 1 % of the pairs, the
// one with the smallest mean error of the times; a simpler form is preferred unless the error of
// the more complex one is smaller by more than 1 %. Empty if no form has times. The trial is
// cross-validated: the form is chosen on every other node set of a group and evaluated on the rest,
// and the other way round.
std::optional<ChosenForm> choose_form(const TimesOfForms& times, double clearly);

// Warnings about the weaknesses that a form's trial shows.
std::vector<std::string> shortcomings(Form form, const Trial& trial);

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
