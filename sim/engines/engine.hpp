// SPDX-License-Identifier: BSD-3-Clause
// An engine runs one program on every rank of a placed job and gives an Outcome.
#pragma once

#include "platforms/machine.hpp"
#include "platforms/placement.hpp"
#include "sim/base/common.hpp"
#include "sim/engines/flow/flow_bundle.hpp"
#include "sim/runtime/count_messages.hpp"
#include "sim/runtime/rank.hpp"
#include "sim/runtime/rank_programs.hpp"
#include "sim/runtime/types.hpp"

namespace tutti::engines {

// Of the SimGrid that Tutti was built for: "3.32". Does not load it.
std::string simgrid_version();

// What a simulation answers.

struct Outcome {
  std::vector<Seconds> end_s;  // by rank: its clock when its program ended (0 in `ideal`)
  runtime::MessageCounts counts;
  // Empty if the job ran to its end; else deadlocked ranks, leftover messages, wrong data, each a
  // sentence that names ranks and tags.
  std::vector<std::string> problems;
  std::int64_t events = 0;  // of the event loop
  std::int64_t solves = 0;  // of the flows' rates; engine `flow`
};

enum class Contention : std::uint8_t {
  on,  // flows share every link
  // They share the links of the nodes' network cards only, inside a node the ranks' own cores;
  // every other link limits each flow alone.
  off,
  // As LogGP has it: each rank has a card of its own, in and out; every other link limits each flow
  // alone.
  private_nics,
  // The same for jobs in which everyone sends to all at once, where flows of all pairs of ranks
  // on links of their own take too long to solve: the ranks of a node pool their cards, and a flow
  // takes one card's bandwidth at most.
  pooled_nics
};

// "on", "off", "private", "pooled".
std::optional<Contention> contention_of(std::string_view name);
std::string_view contention_name(Contention contention);

struct Job {
  const platforms::Machine& machine;
  const platforms::Placement& placement;
  runtime::Program program;
  std::vector<runtime::Observer*> observers = {};  // they outlive the run
  Contention contention = Contention::on;          // others: engine `flow` only
  // Engine `flow`: a flow whose rate changes when at most this part of its bytes is missing ends.
  double merge_window = 0;
  BundleRules bundles = {};   // engine `flow`: when it keeps flows over one link as a crowd
  bool audit = false;         // engine `flow`: check every solve; a wrong rate is a problem
  Bytes working_set = 0;      // that local work goes over; 0: each piece by itself
  runtime::Noise noise = {};  // on the ranks' local work; not in `ideal`, which has no time
};

enum class EngineKind { simgrid, flow, ideal };

std::optional<EngineKind> engine_kind(std::string_view name);
std::vector<std::string> engine_names();
std::string_view engine_name(EngineKind kind);

// `simgrid` may run once per process (SimGrid's engine is one per process): fork first.
Outcome run(EngineKind kind, const Job& job);

// What the core and the programs know at the end of a run.
inline Outcome collect(const runtime::ProtocolCore& core, const runtime::RankPrograms& programs,
                       std::int64_t events) {
  return {.end_s = programs.end_times(),
          .counts = core.counts(),
          .problems = core.problems(),
          .events = events};
}

}  // namespace tutti::engines
