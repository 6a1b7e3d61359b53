// SPDX-License-Identifier: BSD-3-Clause
// From experiments to the parameters of a model: the system of linear equations of Nuriyev and
// Lastovetsky (figure 4), each divided by its time so that all sizes count alike, solved by Huber's
// regression with costs that are not below 0 (../fit/nonnegative_huber.hpp).
#pragma once

#include <vector>

#include "sim/fit/algorithm_model.hpp"

namespace tutti::studies {

struct ModelObservation {
  algorithms::models::StageForm form;
  double gather_messages = 0;  // P - 1 where a linear gather follows
  Bytes gather_bytes = 0;
  Seconds time_s = 0;
};

enum class ModelTerms : unsigned char {
  // alpha, beta and lambda; alpha and beta for each class of sizes that the data show; a gather has
  // its own, since most of it is over before the call is.
  extended,
  published  // alpha and beta, and the gather's are the same: equations 6 to 8
};

// Of calls with one number of processes, in one piece or in segments. At least one observation, of
// positive times. Everything is set but the number of processes and the range of the calls.
ProcsModel fit_model(const std::vector<ModelObservation>& observations, ModelTerms terms);

}  // namespace tutti::studies
