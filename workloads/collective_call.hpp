// SPDX-License-Identifier: BSD-3-Clause
// One collective call: resolves a request ("auto", no fan-out) to the algorithm and the arguments
// that the ranks run with.
#pragma once

#include "algorithms/collective.hpp"
#include "algorithms/counts.hpp"
#include "algorithms/hierarchical/hierarchy.hpp"
#include "algorithms/selection/selection.hpp"
#include "platforms/changed_machine.hpp"
#include "platforms/placement.hpp"
#include "sim/base/common.hpp"
#include "workloads/nccl_choice.hpp"
#include "workloads/schedules/schedule_call.hpp"

namespace tutti::workloads {

// Limit for the total size of all blocks if each is sent to every rank. Sums of all payloads stay
// far below 2^63 even if an algorithm sends everything twice.
inline constexpr Bytes most_wire_bytes = Bytes{1} << 61;

// How the blocks of a v collective differ between ranks: --counts.
struct CountsSpec {
  enum class Kind : std::uint8_t { equal, linear, random, file } kind = Kind::equal;
  std::uint64_t seed = 0;                        // for `random`
  std::string path = {};                         // for `file`
  std::shared_ptr<const std::string> text = {};  // its content: a pipe can be read only once
};

// Parses "equal", "linear", "random:SEED" or "file:PATH" (CSV rank,bytes); reads the file.
Result<CountsSpec> parse_counts(std::string_view text);
std::string format_counts(const CountsSpec& spec);

// Distributes `total_bytes` in whole elements over the ranks of a job; a file ignores
// `total_bytes`. `linear` grows evenly from 0 for the first rank to twice the mean for the last
// rank; `random` is proportional to uniform random numbers. Returns null for `equal`. Errors are
// those of the file, with the line, including blocks that exceed 2^61 B if all are sent to every
// rank.
Result<std::shared_ptr<const algorithms::Counts>> make_counts(const CountsSpec& spec, int procs,
                                                              Bytes total_bytes,
                                                              Bytes element_bytes);

// A call as the user requests it; resolve() makes a CollectiveCall from it.
struct CallRequest {
  std::string collective;  // must exist
  // A name, "hierarchical:inter=...", "auto" (Open MPI 4.1's rules), "auto:ompi-5.0",
  // "auto:rules=FILE" (a library's rules file; `rules` is the file's content), "auto:nccl-2.28"
  // (nccl_choice.hpp), or "goal:FILE".
  std::string algorithm;
  std::shared_ptr<const algorithms::selection::DynamicRules> rules = {};
  int procs = 1;
  Bytes message_bytes = 0;
  std::optional<Bytes> segment_bytes = {};  // unset: not segmented, or set by the rules
  std::optional<int> fanout = {};           // unset: the algorithm's default, or set by the rules
  runtime::RankId root = 0;
  Bytes element_bytes = 1;
  CountsSpec counts = {};
  int max_requests = 0;  // 0: no limit
  bool commutative = true;
};

// A resolved call. It may be copied, and owns what its arguments point to.
struct CollectiveCall {
  const algorithms::Algorithm* algorithm = nullptr;
  // Arguments without effect (segment size, fan-out, root) are 0.
  algorithms::CollectiveArgs args;
  // The rules that chose the algorithm: "rules file" or a rule set such as "ompi-4.1"; empty if
  // the request named the algorithm.
  std::string decided_by = {};
  std::string rules_file = {};  // file and line of the rule that chose the algorithm
  int rules_line = 0;
  // The component and the table of fixed rules that decided: "han", or "tuned" and "bcast".
  std::string component = {};
  std::string table = {};
  // What NCCL predicted, if its model decided.
  std::shared_ptr<const algorithms::selection::NcclPrediction> nccl = {};
  // Owners of what `args` points to.
  std::shared_ptr<const algorithms::selection::Selection> selection = {};
  std::shared_ptr<const algorithms::Counts> counts = {};
  std::shared_ptr<const algorithms::Hierarchy> hierarchy = {};
  // Set if the algorithm is a schedule, which has no entry in the registry.
  std::shared_ptr<const schedules::ScheduledAlgorithm> scheduled = {};
};

// A sweep simulates all algorithms and reports the fastest one: "auto:best", or "auto:best@SET" for
// those of a set (algorithms/selection/algorithm_sets.hpp).
inline constexpr std::string_view best_name = "auto:best";
bool is_best(std::string_view algorithm);
// A sweep simulates all algorithms: "all", or "all@SET".
inline constexpr std::string_view all_name = "all";
bool is_all(std::string_view algorithm);
// The text after the "@"; empty if there is none.
std::string_view set_of(std::string_view algorithm);
// An error if there is no such set.
std::optional<Error> check_set(std::string_view algorithm);
// Value of CollectiveCall::decided_by if a rules file chose the algorithm.
inline constexpr std::string_view decided_by_file = "rules file";

// Makes `selection` choose the algorithms of the calls that the algorithm itself makes, whatever
// chose the algorithm. DynamicRules::wrong_inside must accept the selection's file.
void apply_selection(CollectiveCall& call,
                     std::shared_ptr<const algorithms::selection::Selection> selection);

// Algorithms of all collectives whose name shares a word with `name`, such as "allgather bruck".
std::vector<std::string> algorithms_like(std::string_view name);

bool is_automatic(std::string_view algorithm);
// The path in "auto:rules=FILE"; nothing if `algorithm` has another form.
std::optional<std::string_view> rules_file_of(std::string_view algorithm);

// Number of segments of the whole message; at least 1.
std::int64_t segments_of(const CollectiveCall& call);

// Resolves a request on a machine. Errors name the invalid option: --algorithm, --root,
// --message-size, --segment-size, --fanout or --counts. An automatic choice determines the segment
// size and the fan-out; requesting either as well is an error, since it would be ignored. Sizes
// whose sums overflow and numbers of segments that exceed any machine's memory are errors, too.
Result<CollectiveCall> resolve(const CallRequest& request, const platforms::Machine& machine,
                               const platforms::PlacementRequest& placement);

// The reason why the call cannot run: its arguments violate the algorithm's restriction, or the
// machine has no hardware for the collective. Returns nothing if it can run. The error's place is
// the rule that chose the algorithm if that is in a rules file, otherwise --algorithm.
std::optional<Error> rejection(const CollectiveCall& call, const platforms::Machine& machine,
                               int procs);

// Number of messages that the call sends, summed over all ranks.
std::int64_t expected_messages(const CollectiveCall& call, int procs);

// The algorithm that actually runs if this one silently falls back to another, as in Open MPI, or
// the algorithms that it consists of; empty if it runs itself.
std::string runs_as(const CollectiveCall& call, int procs);

// Size of the call's whole vector, which a rank's copies and reductions access: the sum of all
// ranks' blocks if each rank has a block.
Bytes working_set(const CollectiveCall& call, int procs);
// The working set of a node consists of its ranks' send and receive buffers. All its ranks are busy
// unless only the root combines.
platforms::NodeLoad node_load(const CollectiveCall& call, int procs, int ppn);

// Returns the program of every rank: it calls Algorithm::program with the call's arguments, and
// keeps a copy of the call.
runtime::Program program_of(const CollectiveCall& call);

}  // namespace tutti::workloads
