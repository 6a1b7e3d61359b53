// SPDX-License-Identifier: BSD-3-Clause
// The table of collective operations and their algorithms, as seen by the rest of the program.
#pragma once

#include "algorithms/step_sample.hpp"
#include "platforms/devices.hpp"

namespace tutti::algorithms {

// A collective operation that Tutti can simulate.
struct Collective {
  std::string_view name;  // "bcast"
  bool rooted = false;    // has a root; otherwise `root` has no effect
  // message_bytes is the block of one rank, and the whole result has one block per rank; otherwise
  // message_bytes is the whole vector.
  bool in_blocks = false;
  bool has_message = true;  // false: synchronization only
  bool reduces = false;     // combines contributions with an operation
  bool has_counts = false;  // blocks may differ in size: CollectiveArgs::counts
};

class Counts;
class Hierarchy;
namespace selection {
struct Selection;
}
namespace models {
class MessageCost;
class Gamma;
struct StageForm;
}  // namespace models

// How the ranks of a call are distributed over nodes; unknown if `nodes` is 0.
struct NodeShape {
  int nodes = 0;
  int least = 0;  // ranks on the node that has the fewest
  int most = 0;   // ranks on the node that has the most

  bool is_one_node() const { return nodes == 1; }
  bool is_disjoint() const { return nodes > 1 && most == 1; }  // no two ranks share a node
  bool is_balanced() const { return least == most; }
  bool are_shared() const { return nodes > 1 && most > 1; }  // some of several
};

// Arguments of one collective call. `message_bytes` has the same meaning as in MPI benchmarks: the
// whole vector for bcast, allreduce, ...; the block of one rank for allgather, alltoall, gather,
// scatter.
struct CollectiveArgs {
  Bytes message_bytes = 0;
  Bytes segment_bytes = 0;  // 0: not segmented
  int fanout = 0;           // chain: number of chains; knomial: radix; otherwise 0
  RankId root = 0;
  Bytes element_bytes = 1;  // datatype size; divides message_bytes and all counts
  // If Collective::has_counts: the block size of each rank (alltoallv: of each block that the rank
  // sends; reduce_scatter: of the rank's part of the vector). Null: equal blocks of message_bytes
  // (reduce_scatter: the vector of message_bytes, distributed evenly). Must outlive the call.
  const Counts* counts = nullptr;
  int max_requests = 0;     // if Algorithm::limits_requests; 0: no limit
  bool commutative = true;  // whether a reduction's operation commutes
  // The groups of a hierarchical algorithm, or the nodes (Algorithm::by_nodes); must outlive the
  // call.
  const Hierarchy* hierarchy = nullptr;
  // If Algorithm::made_of: chooses the algorithms of the inner calls; null: Open MPI 4.1's fixed
  // rules. Must outlive the call.
  const selection::Selection* selection = nullptr;
  // If Algorithm::steps is not empty: the steps to run; null: all. Must outlive the call.
  StepSample* sample = nullptr;
  NodeShape nodes = {};  // an input of some decision rules
};

// Arguments of the cost functions. They use P and m as in Table 4.1 of Jha's dissertation.
struct ModelArgs {
  int procs = 1;
  CollectiveArgs call;
  // Bandwidth of a reduction's operation.
  double combine_Bps = std::numeric_limits<double>::infinity();
};

// The collectives on the levels of a two-level algorithm; empty if none runs on a level.
struct LevelCollectives {
  std::string_view up = {};     // inside the groups, towards the leaders
  std::string_view inter = {};  // among the leaders; empty: the algorithm has no levels
  std::string_view down = {};   // inside the groups, from the leaders
};

// One algorithm of one collective: its rank program and its cost in the analytic models. The
// registry sets the members up to `summary` from the catalog (catalog/COLLECTIVE.txt).
struct Algorithm {
  std::string_view collective = {};  // "bcast"
  std::string_view name = {};        // Open MPI's name: "binomial"
  int id = 0;                        // Open MPI's number; 0: none
  // The first of the sets of algorithms (selection/algorithm_sets.hpp) that has it: "ompi-5.0",
  // "ompi-6", "published", "mpich". Empty: that of Open MPI 4.1, or none, if it is Tutti's own.
  std::string_view set = {};
  std::string_view reference = {};  // its source: "Bruck et al., IEEE TPDS 8(11), 1997"
  std::string_view summary = {};    // one line for `sim list algorithms`
  bool segmented = false;           // has a segment size
  Bytes default_segment = 0;        // Open MPI's MCA default of the segment size; 0: not segmented
  int default_fanout = 0;           // Open MPI's MCA default of the fan-out or radix; 0: none
  int least_fanout = 1;             // a radix is at least 2
  bool limits_requests = false;     // honors CollectiveArgs::max_requests
  // Every rank has pending messages with all others at once, unless max_requests limits them.
  bool posts_to_all = false;
  // If posts_to_all: in order of distance, so that the n-th messages of all ranks go equally far.
  bool posts_by_distance = false;
  // What the algorithm requires of the call, such as "an even P"; empty: nothing.
  std::string_view restriction = {};
  // The coroutine that each rank runs (sim/runtime/rank.hpp); `me` outlives it.
  Task (*program)(Rank& me, CollectiveArgs args) = nullptr;
  // Cost in any model (models/message_cost.hpp: hockney, loggp). Not called for P = 1, whose cost
  // is 0.
  Seconds (*cost)(const ModelArgs& args, const models::MessageCost& cost) = nullptr;
  // Set if Table 4.1's LogGP formula is not a sum of message costs; replaces `cost` for LogGP.
  Seconds (*printed_loggp)(const ModelArgs& args, const platforms::LogGPParameters& p) = nullptr;
  // The stages of an algorithm in which a rank sends to several ranks at once (models/stages.hpp);
  // null: the messages are those of `cost`. Not called for P = 1.
  models::StageForm (*stages)(const ModelArgs& args, const models::Gamma& gamma) = nullptr;
  // Exact number of messages of one call, summed over all ranks, including empty messages. O(log
  // P).
  std::int64_t (*messages)(const ModelArgs& args) = nullptr;
  // The algorithm that Open MPI silently runs instead if the call violates the restriction; empty:
  // none. Null: never.
  std::string_view (*falls_back_to)(const ModelArgs& args) = nullptr;
  // The names of the inner algorithms that the decision rules choose, such as "binomial + knomial".
  // Null if there are no inner calls.
  std::string (*made_of)(const ModelArgs& args) = nullptr;
  // False if Open MPI rejects the call, as Tutti does. Null: it always runs.
  bool (*runs)(const ModelArgs& args) = nullptr;
  LevelCollectives levels = {};
  // Needs the ranks of each node in CollectiveArgs::hierarchy. `all` and `auto:best` omit it.
  bool by_nodes = false;
  // Runs on GPUs (platforms::for_devices()), with this protocol. Unset: on processors.
  std::optional<platforms::DeviceProtocol> device_protocol = {};
  // The program's loops over steps; a sample may run some of the steps. Null or empty: there are
  // no such loops, or blocks differ by more than an element.
  std::vector<StepPhase> (*steps)(const ModelArgs& args) = nullptr;
};

// All collectives.
std::span<const Collective> all_collectives();
const Collective* find_collective(std::string_view name);

// All algorithms, grouped by collective and ordered by id.
std::span<const Algorithm> all_algorithms();
std::vector<const Algorithm*> algorithms_of(std::string_view collective);
const Algorithm* find_algorithm(std::string_view collective, std::string_view name);

// Returns what actually runs: the algorithm that this one falls back to, or its inner algorithms;
// empty if that is the algorithm itself.
std::string runs_as(const Algorithm& algorithm, const ModelArgs& args);

}  // namespace tutti::algorithms
