// SPDX-License-Identifier: BSD-3-Clause
// sim select: one file per subcommand, and the options of `rules`.
#pragma once

#include "algorithms/selection/write_rules.hpp"
#include "sim/base/common.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/commands/options.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/picture_output.hpp"
#include "sim/commands/point_run.hpp"
#include "sim/fit/model_file.hpp"
#include "sim/select/rule_study.hpp"

namespace tutti::commands {

extern const Subcommand select_evaluate;
extern const Subcommand select_models;
extern const Subcommand select_rules;

// An output file, or standard output.
struct RulesOutput {
  enum class Kind : unsigned char { document, rules_file, function, picture };
  Kind kind = Kind::document;
  std::optional<std::string> path;  // unset: standard output
  DocumentOutput document = {};     // of Kind::document
  std::optional<PictureOutput> picture = {};
};

struct RulesRequest : JobRequest {
  studies::select::RuleStudy study;
  std::string models_path;  // file of models that predict the times; empty: simulate them
  std::optional<studies::ModelFile> models;
  bool is_for_nccl = false;      // NCCL's tuner CSV instead of Open MPI's rules
  std::string allocations_path;  // file of allocations of jobs; empty: none
  int jobs = default_jobs();
  std::vector<RulesOutput> outputs;  // at most one of them is standard output

  bool writes(RulesOutput::Kind kind) const;
};

// Options shared by `rules` and `evaluate`: the cells, and the algorithms that compete. The
// commands read the collectives themselves, since they know the valid names.
using CellOptions = options::OptionTable<studies::select::CellStudy>;
CellOptions cell_job_options();
struct CellDefaults {
  std::string_view collectives;  // as the help prints them
  std::string_view sizes;
  std::string_view sizes_shown;
};
CellOptions cell_options(const CellDefaults& defaults);

namespace select_option {
inline constexpr std::string_view collectives = "The collectives";
}  // namespace select_option

// Built on first use: tables of other files need it before main.
const options::OptionTable<RulesRequest>& select_rules_options();
}  // namespace tutti::commands
