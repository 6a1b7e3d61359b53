// SPDX-License-Identifier: BSD-3-Clause
// An engine runs one program on every rank of a placed job, and returns an Outcome.
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

// The version of SimGrid that Tutti was built for: "3.32". Does not load it.
std::string simgrid_version();

// The result of a simulation.
struct Outcome {
  std::vector<Seconds> end_s;  // by rank: its clock at the end of its program (0 in `ideal`)
  runtime::MessageCounts counts;
  // Empty if the job ran to its end; else sentences about deadlocked ranks, leftover messages and
  // wrong data, with ranks and tags.
  std::vector<std::string> problems;
  // Messages that nobody received, at most `most_leftovers`.
  std::vector<runtime::Leftover> leftovers;
  bool data_verified = false;     // the expected data were compared; only engine `ideal`
  std::int64_t events = 0;        // number of events of the event loop
  std::int64_t solves = 0;        // number of solves of the flows' rates; only engine `flow`
  std::int64_t rank_classes = 0;  // number of simulated rank classes; 0: no Folding, all ranks
  // The largest numbers of messages and of requests that existed at once, added.
  std::int64_t most_records = 0;
};

enum class Contention : std::uint8_t {
  on,  // flows share every link
  // Flows share only the links of the nodes' NICs, and inside a node the ranks' cores; every other
  // link limits each flow by itself.
  off,
  // As in LogGP: each rank has a NIC of its own for each direction; every other link limits each
  // flow by itself.
  private_nics,
  // The same for jobs in which all ranks send to all others at the same time, where links per rank
  // would take too long to solve: the ranks of a node pool their NICs, and a flow gets at most the
  // bandwidth of one NIC.
  pooled_nics
};

// "on", "off", "private", "pooled".
std::optional<Contention> contention_of(std::string_view name);
std::string_view contention_name(Contention contention);

// Whether equivalent ranks are simulated once.
enum class Folding : std::uint8_t {
  off,
  // If there are many of them, and if it saves time. The program is called again for each rank, and
  // only for some of them in the simulation. Then only the outcome is valid, not what programs
  // record themselves.
  automatic,
  always  // the same wherever it is possible; for tests
};

// Describes the first wrong rate, which is a problem of the outcome; empty if all are right.
class Shares;
using SharesAudit = std::string (*)(Shares& shares);

// What an engine simulates. The objects that it refers to must outlive the run.
struct Job {
  const platforms::Machine& machine;
  const platforms::Placement& placement;
  runtime::Program program;  // called once for each rank
  std::vector<runtime::Observer*> observers = {};
  Contention contention = Contention::on;  // other values: only engine `flow`
  // Engine `flow`: time is divided into windows of this length, and all events of a window are
  // processed together, at its middle; 0: each at its own time. Approximate: an event is moved by
  // at most half a window, but along a chain of events errors may add up. Not for programs that
  // receive from any source or look at their requests until a time (Rank::look).
  Seconds event_window_s = 0;
  BundleRules bundles = {};              // engine `flow`: when flows over one link form a bundle
  SharesAudit audit = nullptr;           // engine `flow`: called after every solve; for tests
  runtime::WorkingSet working_set = {};  // of local work
  runtime::Noise noise = {};             // on the ranks' local work; ignored by `ideal`
  Folding folding = Folding::off;        // engine `flow`
  // Engine `flow`: number of messages at once that fit into memory. With more of them, an exchange
  // with all ranks (sim/runtime/exchange.hpp) throws an error of kind run. 0: no limit.
  std::int64_t most_messages = 0;
};

enum class EngineKind { simgrid, flow, ideal };

std::optional<EngineKind> engine_kind(std::string_view name);
std::vector<std::string> engine_names();
std::string_view engine_name(EngineKind kind);

// Simulates the job. `simgrid` may run only once per process, so fork first. Deadlocks and leftover
// messages are problems of the outcome; an exception of a rank's program is thrown.
Outcome run(EngineKind kind, const Job& job);

inline constexpr std::size_t most_leftovers = 8;

// Collects the outcome from the core and the programs at the end of a run.
inline Outcome collect(const runtime::ProtocolCore& core, const runtime::RankPrograms& programs,
                       std::int64_t events) {
  return {.end_s = programs.end_times(),
          .counts = core.counts(),
          .problems = core.problems(),
          .leftovers = core.leftovers(most_leftovers),
          .events = events,
          .most_records = core.most_records()};
}

}  // namespace tutti::engines
