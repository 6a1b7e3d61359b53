// SPDX-License-Identifier: BSD-3-Clause
// Collective operations and their algorithms as the rest of the program sees them: a table.
#pragma once

#include "algorithms/rank_program.hpp"
#include "algorithms/step_sample.hpp"
#include "platforms/machine.hpp"
#include "sim/base/common.hpp"

namespace tutti::algorithms {

// A collective operation that can be run.
struct Collective {
  std::string_view name;  // "bcast"
  bool rooted = false;    // one rank is special; else `root` has no effect
  // message_bytes is one rank's block, of which the whole result has one for each rank; else it is
  // the whole vector.
  bool in_blocks = false;
  bool has_message = true;  // false: nothing but the meeting itself
  bool reduces = false;     // combines contributions by an operation
  bool has_counts = false;  // blocks may differ: CollectiveArgs::counts
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

// Arguments of one collective call. `message_bytes` as in the MPI benchmarks: the whole vector for
// bcast, allreduce, ...; one rank's block for allgather, alltoall, gather, scatter.
struct CollectiveArgs {
  Bytes message_bytes = 0;
  Bytes segment_bytes = 0;  // 0: not segmented
  int fanout = 0;           // chain: number of chains; knomial: radix; 0: the algorithm has none
  RankId root = 0;
  Bytes element_bytes = 1;  // datatype size; divides message_bytes and all counts
  // Where Collective::has_counts: each rank's block (alltoallv: each of the blocks that a rank
  // sends; reduce_scatter: what it gets of the vector). None: equal blocks of message_bytes
  // (reduce_scatter: the vector of message_bytes dealt out evenly). Outlives the call.
  const Counts* counts = nullptr;
  int max_requests = 0;                  // where Algorithm::limits_requests; 0: no limit
  bool commutative = true;               // the operation of a reduction
  const Hierarchy* hierarchy = nullptr;  // where Algorithm::levels; outlives the call
  // Where Algorithm::made_of: what decides the calls inside it; null: Open MPI 4.1's fixed rules.
  // Outlives the call.
  const selection::Selection* selection = nullptr;
  // Where Algorithm::steps tells of some: which of them are run; null: all. Outlives the call.
  StepSample* sample = nullptr;
};

// Table 4.1 of the dissertation uses P and m; so do the cost functions.
struct ModelArgs {
  int procs = 1;
  CollectiveArgs call;
  double combine_Bps = std::numeric_limits<double>::infinity();  // of a reduction's operation
};

// Of an algorithm on two levels: the collective that runs on each; empty: nothing does.
struct LevelCollectives {
  std::string_view up = {};     // inside groups of ranks, towards their leaders
  std::string_view inter = {};  // among the leaders; empty: the algorithm has no levels
  std::string_view down = {};   // from the leaders
};

// One algorithm of one collective: rank program and, beside it, its cost in the analytic models.
struct Algorithm {
  std::string_view collective;   // "bcast"
  std::string_view name;         // Open MPI's name: "binomial"
  int id = 0;                    // Open MPI 4.1's id
  bool segmented = false;        // segment size matters
  int default_fanout = 0;        // Open MPI's MCA default when fan-out (or radix) matters, else 0
  int least_fanout = 1;          // a radix is at least 2
  bool limits_requests = false;  // CollectiveArgs::max_requests matters
  // Every rank has messages with all others under way at once, unless max_requests limits them.
  bool posts_to_all = false;
  // What it needs to run as itself: "even P"; empty: nothing.
  std::string_view restriction = {};
  std::string_view reference = {};  // where it comes from: "Bruck et al., IEEE TPDS 8(11), 1997"
  std::string_view summary = {};    // one line for `sim list algorithms`
  Task (*program)(Rank& me, CollectiveArgs args) = nullptr;
  // In any model (models/message_cost.hpp: hockney, loggp). P = 1 costs nothing and is not asked.
  Seconds (*cost)(const ModelArgs& args, const models::MessageCost& cost) = nullptr;
  // Where Table 4.1 prints for LogGP what is no sum of message costs; holds instead of `cost`.
  Seconds (*printed_loggp)(const ModelArgs& args, const platforms::LogGPParameters& p) = nullptr;
  // The stages of a broadcast that a rank makes to several at once (models/stages.hpp); null: its
  // messages are those of `cost`. P = 1 is not asked.
  models::StageForm (*stages)(const ModelArgs& args, const models::Gamma& gamma) = nullptr;
  // How many messages one call sends, all ranks together, empty ones included. Exact, in O(log P).
  std::int64_t (*messages)(const ModelArgs& args) = nullptr;
  // Without its restriction Open MPI runs another algorithm of the collective, silently: its name;
  // empty: it runs itself. Null: always itself.
  std::string_view (*falls_back_to)(const ModelArgs& args) = nullptr;
  // Made of other algorithms that the decision rules choose: their names, "binomial + knomial".
  // Null: of none.
  std::string (*made_of)(const ModelArgs& args) = nullptr;
  // False: Open MPI refuses the call, and so do we. Null: it always runs.
  bool (*runs)(const ModelArgs& args) = nullptr;
  LevelCollectives levels = {};
  // The loops over steps that the program makes, of which a sample may run some. Null or none:
  // there are no such loops, or blocks differ by more than an element.
  std::vector<StepPhase> (*steps)(const ModelArgs& args) = nullptr;
};

// In the order of their algorithms.
std::span<const Collective> all_collectives();
const Collective* find_collective(std::string_view name);

// All algorithms, each collective's together, by id.
std::span<const Algorithm> all_algorithms();
std::vector<const Algorithm*> algorithms_of(std::string_view collective);
const Algorithm* find_algorithm(std::string_view collective, std::string_view name);

// What really runs: the algorithm that this one falls back to, or those that it is made of; empty:
// just itself.
std::string runs_as(const Algorithm& algorithm, const ModelArgs& args);

}  // namespace tutti::algorithms
