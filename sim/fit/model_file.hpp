// SPDX-License-Identifier: BSD-3-Clause
// Fitted models as a TOML file: what `sim fit models` writes and `sim select` reads.
//
//   format = "tutti-models/2"
//   [machine]  platform, hash, ppn (0: the platform's), map
//   [fit]      terms ("extended", "published"), experiment ("alone", "gather"),
//              source ("simulated", or the files of measured times)
//   [gamma]    segment_bytes, values (of P = 2, 3, ...), intercept, slope
//   [[model]]  collective, algorithm, fanout
//   [[model.fit]]        of calls in one piece (unsegmented), then of segmented ones, for each
//   number
//              of processes, ascending: procs; what it was fitted to:
//              least_message_bytes, most_message_bytes, unsegmented, least_segment_bytes,
//              most_segment_bytes (0: no segmented calls); gather_alpha_s, gather_beta_s_per_B,
//              samples, condition, median_error, largest_error
//   [[model.fit.class]]  up_to_bytes (not in the last), least_bytes, most_bytes (that it was fitted
//              to), alpha_s, beta_s_per_B, lambda_s, mu_s_per_B, half widths, determined
#pragma once

#include "sim/base/common.hpp"
#include "sim/fit/algorithm_model.hpp"

namespace tutti::studies {

struct ModelFile {
  std::string platform;  // as it was asked for
  std::string platform_hash;
  std::int64_t ppn = 0;
  std::string map = "block";
  std::string terms = "extended";
  std::string experiment = "alone";
  std::string source = "simulated";
  Bytes gamma_segment_bytes = 0;
  algorithms::models::Gamma gamma{{1}, 1, 0};
  std::vector<AlgorithmModel> models;

  const AlgorithmModel* find(std::string_view collective, std::string_view algorithm,
                             std::optional<int> fanout) const;
  std::vector<int> procs() const;  // of all models, ascending

  // What any of the models of these collectives was fitted to.
  struct Coverage {
    int least_procs = 0;
    int most_procs = 0;
    FittedRange range;
  };
  // At least one of the models is of these; no collective at all: of any.
  Coverage coverage(const std::vector<std::string>& collectives = {}) const;
};

// `comments`: lines for its head, without '#'.
std::string model_file_text(const ModelFile& file, const std::vector<std::string>& comments);

// `path` is the place of errors: TOML's syntax, unknown or missing keys, values out of range,
// algorithms that there are not, costs below 0.
Result<ModelFile> read_model_file(const std::string& text, const std::string& path);

}  // namespace tutti::studies
