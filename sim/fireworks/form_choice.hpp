// SPDX-License-Identifier: BSD-3-Clause
// Choice of the cost model's form by the order in which it puts simulated node sets.
#pragma once

#include "sim/base/common.hpp"
#include "sim/fireworks/cost_model.hpp"
#include "sim/fireworks/node_sets.hpp"

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

}  // namespace tutti::studies::fireworks
