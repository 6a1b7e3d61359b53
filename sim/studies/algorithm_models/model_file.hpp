// SPDX-License-Identifier: BSD-3-Clause
// Fitted models as a TOML file: what `sim fit models` writes and `sim select` reads.
//
//   format = "tutti-models/1"
//   [machine]  platform, hash, ppn (0: the platform's), map
//   [fit]      procs, least_message_bytes, most_message_bytes, terms ("extended", "published"),
//              experiment ("alone", "gather")
//   [gamma]    segment_bytes, values (of P = 2, 3, ...), intercept, slope
//   [[model]]  collective, algorithm, fanout, lambda_s, gather_alpha_s, gather_beta_s_per_B,
//              samples, condition, median_error, largest_error
//   [[model.class]]  up_to_bytes (not in the last), alpha_s, beta_s_per_B, their half_widths,
//              determined
#pragma once

#include <string>
#include <vector>

#include "sim/base/result.hpp"
#include "sim/studies/algorithm_models/algorithm_model.hpp"

namespace tutti::studies {

struct ModelFile {
  std::string platform;  // as it was asked for
  std::string platform_hash;
  std::int64_t ppn = 0;
  std::string map = "block";
  std::vector<std::int64_t> procs;
  Bytes least_message_bytes = 0;  // of the experiments
  Bytes most_message_bytes = 0;
  std::string terms = "extended";
  std::string experiment = "alone";
  Bytes gamma_segment_bytes = 0;
  algorithms::models::Gamma gamma{{1}, 1, 0};
  std::vector<AlgorithmModel> models;

  const AlgorithmModel* find(std::string_view collective, std::string_view algorithm,
                             std::optional<int> fanout) const;
};

// `comments`: lines for its head, without '#'.
std::string model_file_text(const ModelFile& file, const std::vector<std::string>& comments);

// `path` is the place of errors: TOML's syntax, unknown or missing keys, values out of range,
// algorithms that there are not.
Result<ModelFile> read_model_file(const std::string& text, const std::string& path);

}  // namespace tutti::studies
