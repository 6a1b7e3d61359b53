// SPDX-License-Identifier: BSD-3-Clause
// The options of `sim validate improvement` and what they mean.
#pragma once

#include "sim/base/common.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/point_run.hpp"
#include "sim/studies/sweep.hpp"

namespace tutti::commands {

// Values of one parameter that are tried.
struct WantedChange {
  std::string key;
  std::vector<std::string> values;
};
// --improvement 10%@16KiB.
struct WantedGain {
  std::optional<Bytes> message_bytes;  // unset: every size that has none of its own
  double improvement = 0;
};
struct WantedWeight {
  Bytes message_bytes = 0;
  double weight = 0;
};

struct ImprovementRequest : JobRequest {
  studies::Sweep job;  // of each collective and placement
  std::vector<platforms::PlacementRequest> placements;
  std::vector<std::pair<std::string, std::vector<std::string>>> collectives;  // and algorithms
  std::vector<WantedChange> changes;  // empty: eager limits around the machine's own
  std::vector<WantedGain> gains;      // of --improvement; empty: the changes are tried
  bool has_weights = false;
  std::vector<WantedWeight> weights;  // empty: all sizes weigh the same
  std::string parameters;             // as studies::parameters_of takes them
  bool as_published = false;  // nothing of machine and tuning was given: the paper's own setting
  int jobs = default_jobs();
  DocumentOutput document;
};

// Made when they are asked for: other files' tables need them before main.
const options::OptionTable<ImprovementRequest>& improvement_options();

// A size as an option reads it: "12KiB", "1500B".
std::string value_text(Bytes bytes);

// Of the machine's eager limit an eighth to four times: with crill's 12 KiB the values of the
// dissertation's Table 3.1. Errors where the machine has no such limit.
Result<WantedChange> usual_change(const platforms::Machine& machine);

// By size: what --improvement says. Errors: sizes without, or that are not simulated.
Result<std::vector<double>> gains_of(const ImprovementRequest& request,
                                     const std::vector<Bytes>& sizes);
// By size; empty without --weights. Errors: sizes that are not simulated.
Result<std::vector<double>> weights_of(const ImprovementRequest& request,
                                       const std::vector<Bytes>& sizes);

}  // namespace tutti::commands
