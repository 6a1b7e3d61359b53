// SPDX-License-Identifier: BSD-3-Clause
// What gains of messages do to collectives: calls, and the machines that each is simulated on
// beside the one that was named.
#pragma once

#include "sim/base/common.hpp"
#include "sim/options/shared_options.hpp"
#include "sim/studies/study_runner.hpp"
#include "sim/studies/sweep.hpp"
#include "sim/validate/improvement_summary.hpp"

namespace tutti::studies {

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

struct ImprovementSpec {
  Sweep job;  // of each collective and placement
  std::vector<platforms::PlacementRequest> placements;
  std::vector<std::pair<std::string, std::vector<std::string>>> collectives;  // and algorithms
  std::vector<WantedChange> changes;  // empty: eager limits around the machine's own
  std::vector<WantedGain> gains;      // of --improvement; empty: the changes are tried
  bool has_weights = false;
  std::vector<WantedWeight> weights;    // empty: all sizes weigh the same
  std::string parameters = "platform";  // as parameters_of takes them
  bool as_published = false;  // nothing of machine and tuning was given: the paper's own setting
};

using MachineRef = std::shared_ptr<const platforms::Machine>;

struct WantedCall {
  Point point;
  ImprovedCall call;                           // without times
  std::map<std::size_t, MachineRef> machines;  // by number of the change or of all_realised
};

struct ImprovementPlan {
  MessageTuning tuning;
  std::vector<WantedCall> calls;
  std::vector<WantedCall> table_3_2, table_4_4;  // what the dissertation measured; else empty
  std::size_t table_4_4_change = 0;
  std::vector<std::string> tried;  // "mpi/eager_limit = 1536B, 3KiB"
  std::vector<std::string> notes;
};

// `machine`: what `of` asks for. Errors name the options of the wish.
Result<ImprovementPlan> plan_improvement(const ImprovementSpec& spec,
                                         const options::MachineRequest& of,
                                         const MachineRef& machine);

// Calls that the dissertation measured.
struct PublishedCalls {
  std::vector<ImprovedCall> alltoall;   // Table 3.2
  std::vector<ImprovedCall> broadcast;  // Table 4.4
  std::size_t change = 0;               // Table 4.4's among those of the tuning
};
struct ImprovedCalls {
  std::vector<ImprovedCall> calls;  // that have an answer
  PublishedCalls published;
  PointsRun run;
};
ImprovedCalls improved_calls(const ImprovementPlan& plan, const platforms::Machine& machine,
                             const RunPoints& run);

}  // namespace tutti::studies
