// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/algorithm_models/algorithm_model.hpp"

#include <algorithm>

namespace tutti::studies {

const SizeClass& AlgorithmModel::class_of(Bytes bytes) const {
  const auto found = std::ranges::find_if(
      classes, [&](const auto& each) { return !each.up_to_bytes || bytes <= *each.up_to_bytes; });
  return found == classes.end() ? classes.back() : *found;
}

Seconds predicted_time(const AlgorithmModel& model, const algorithms::models::StageForm& form) {
  Seconds time_s = 0;
  for (const auto& messages : form.messages) {
    const SizeClass& of = model.class_of(messages.bytes);
    const auto bytes = static_cast<double>(messages.bytes);
    time_s += messages.count * (of.alpha_s + of.beta_s_per_B * bytes) +
              messages.hops * (of.lambda_s + of.mu_s_per_B * bytes);
  }
  return time_s;
}

}  // namespace tutti::studies
