// SPDX-License-Identifier: BSD-3-Clause
// What the options of `sim select rules` ask for.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "algorithms/selection/write_rules.hpp"
#include "sim/commands/check_run.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/commands/picture_output.hpp"
#include "sim/studies/algorithm_models/model_file.hpp"
#include "sim/studies/select/candidates.hpp"

namespace tutti::commands {

// A file that is written, or standard output.
struct RulesOutput {
  enum class Kind : unsigned char { document, rules_file, function, picture };
  Kind kind = Kind::document;
  std::optional<std::string> path;  // unset: standard output
  DocumentOutput document = {};     // of Kind::document
  std::optional<PictureOutput> picture = {};
};

struct RulesRequest : JobRequest {
  std::vector<std::string> collectives;
  std::vector<std::int64_t> procs;          // ascending
  std::vector<std::int64_t> message_bytes;  // ascending
  std::string models_path;  // whose predictions take the place of simulations; empty: none
  std::optional<studies::ModelFile> models;
  studies::select::CandidateWish candidates;
  algorithms::selection::RulesFormat rules_format;
  double most_loss = 0.05;
  int rounds = 0;  // of sizes between
  studies::Point common;
  int jobs = 1;
  std::vector<RulesOutput> outputs;  // one of them standard output, at most

  bool writes(RulesOutput::Kind kind) const;
};

extern const std::span<const OptionSpec> select_rules_specs;

Result<RulesRequest> rules_request(const Parsed& parsed);

}  // namespace tutti::commands
