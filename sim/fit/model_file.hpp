// SPDX-License-Identifier: BSD-3-Clause
// Fitted models as a TOML file, which `sim fit models` writes and `sim select` reads.
//
//   format = "tutti-models/2"
//   [machine]  platform, hash, ppn (0: the platform's), map
//   [fit]      terms ("extended", "published"), experiment ("alone", "gather"),
//              source ("simulated", or the files of measured times)
//   [gamma]    segment_bytes, values (of P = 2, 3, ...), intercept, slope
//   [[model]]  collective, algorithm, fanout
//   [[model.fit]]        unsegmented calls first, then segmented ones, each in ascending order of
//              procs; the range of the fit: least_message_bytes, most_message_bytes,
//              unsegmented, least_segment_bytes, most_segment_bytes (0: no segmented calls);
//              gather_alpha_s, gather_beta_s_per_B, samples, condition, median_error,
//              largest_error
//   [[model.fit.class]]  up_to_bytes (not in the last), least_bytes, most_bytes (range of the
//              fit), alpha_s, beta_s_per_B, lambda_s, mu_s_per_B, half widths, determined
#pragma once

#include "sim/base/common.hpp"
#include "sim/fit/algorithm_model.hpp"

namespace tutti::studies {

struct ModelFile {
  std::string platform;  // as requested
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

  // The ranges that any of the models of some collectives covers.
  struct Coverage {
    int least_procs = 0;
    int most_procs = 0;
    FittedRange range;
  };
  // Returns the ranges of the models of these collectives; an empty list means all. There must
  // be at least one such model.
  Coverage coverage(const std::vector<std::string>& collectives = {}) const;
};

// Returns the text of the file. `comments` are the lines of its head, without '#'.
std::string model_file_text(const ModelFile& file, const std::vector<std::string>& comments);

// Reads the text of a file; `path` is the place of errors. Errors: TOML syntax, unknown or missing
// keys, values out of range, unknown algorithms, negative costs.
Result<ModelFile> read_model_file(const std::string& text, const std::string& path);

}  // namespace tutti::studies
