// SPDX-License-Identifier: BSD-3-Clause
// Plans `sim validate improvement`: the calls, and the changed machines on which each is simulated
// in addition to the requested machine.
#pragma once

#include "sim/base/common.hpp"
#include "sim/options/shared_options.hpp"
#include "sim/studies/study_runner.hpp"
#include "sim/studies/sweep.hpp"
#include "sim/validate/improvement_summary.hpp"

namespace tutti::studies {

// --change mpi/eager_limit=24KiB,48KiB: values of one parameter to try.
struct WantedChange {
  std::string key;
  std::vector<std::string> values;
};
// --improvement 10%@16KiB.
struct WantedGain {
  std::optional<Bytes> message_bytes;  // unset: every size without an improvement of its own
  double improvement = 0;
};
struct WantedWeight {
  Bytes message_bytes = 0;
  double weight = 0;
};

struct ImprovementSpec {
  Sweep job;  // repeated for each collective and placement
  std::vector<platforms::PlacementRequest> placements;
  std::vector<std::pair<std::string, std::vector<std::string>>> collectives;  // and algorithms
  std::vector<WantedChange> changes;  // empty: eager limits around the machine's own
  std::vector<WantedGain> gains;      // from --improvement; empty: the changes are tried
  bool has_weights = false;
  std::vector<WantedWeight> weights;    // empty: equal weights
  std::string parameters = "platform";  // see parameters_of
  bool as_published = false;  // no option changes machine or tuning: the paper's own setting
};

using MachineRef = std::shared_ptr<const platforms::Machine>;

struct WantedCall {
  Point point;
  ImprovedCall call;                           // without times
  std::map<std::size_t, MachineRef> machines;  // by index in the changes or in all_realised
};

struct ImprovementPlan {
  MessageTuning tuning;
  std::vector<WantedCall> calls;
  std::vector<WantedCall> table_3_2, table_4_4;  // empty unless the setting is the dissertation's
  std::size_t table_4_4_change = 0;
  std::vector<std::string> tried;  // "mpi/eager_limit = 1536B, 3KiB"
  std::vector<std::string> notes;
};

// `machine` is the machine that `of` requests. The places of errors are options.
Result<ImprovementPlan> plan_improvement(const ImprovementSpec& spec,
                                         const options::MachineRequest& of,
                                         const MachineRef& machine);

// Simulations of the calls that the dissertation measured.
struct PublishedCalls {
  std::vector<ImprovedCall> alltoall;   // Table 3.2
  std::vector<ImprovedCall> broadcast;  // Table 4.4
  std::size_t change = 0;               // index of Table 4.4's change among those of the tuning
};
struct ImprovedCalls {
  std::vector<ImprovedCall> calls;  // calls that were simulated
  PublishedCalls published;
  PointsRun run;
};
ImprovedCalls improved_calls(const ImprovementPlan& plan, const platforms::Machine& machine,
                             const RunPoints& run);

}  // namespace tutti::studies
