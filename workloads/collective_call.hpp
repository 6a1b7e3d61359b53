// SPDX-License-Identifier: BSD-3-Clause
// One collective call: from what was asked ("auto", no fan-out) to the algorithm and the arguments
// that the ranks really run with.
#pragma once

#include "algorithms/collective.hpp"
#include "algorithms/counts.hpp"
#include "algorithms/hierarchical/hierarchy.hpp"
#include "algorithms/selection/selection.hpp"
#include "platforms/placement.hpp"
#include "sim/base/common.hpp"

namespace tutti::workloads {

// How the blocks of a v collective differ from rank to rank: --counts.

// Of all blocks, should each go to every rank: sums of all payloads stay far below 2^63, also where
// an algorithm sends everything twice.
inline constexpr Bytes most_wire_bytes = Bytes{1} << 61;

struct CountsSpec {
  enum class Kind : std::uint8_t { equal, linear, random, file } kind = Kind::equal;
  std::uint64_t seed = 0;                        // of `random`
  std::string path = {};                         // of `file`
  std::shared_ptr<const std::string> text = {};  // what it says: a pipe can be read only once
};

// "equal", "linear", "random:SEED", "file:PATH" (CSV rank,bytes), which is read.
Result<CountsSpec> parse_counts(std::string_view text);
std::string format_counts(const CountsSpec& spec);

// The counts of a job, in whole elements, that `total_bytes` are dealt out in; a file does not look
// at them. `linear` grows evenly from nothing for the first rank to twice the mean for the last
// one; `random`: in proportion to uniform random numbers. Null for `equal`. Errors: of the file,
// with its line; also where the blocks of all, sent to every rank, are more than 2^61 B.
Result<std::shared_ptr<const algorithms::Counts>> make_counts(const CountsSpec& spec, int procs,
                                                              Bytes total_bytes,
                                                              Bytes element_bytes);

struct CallRequest {
  std::string collective;  // one that can be run
  // A name, "hierarchical:inter=...", "auto" (Open MPI 4.1's rules), "auto:ompi-3.1",
  // "auto:rules=FILE" (Open MPI's dynamic rules; `rules` is what the file says).
  std::string algorithm;
  std::shared_ptr<const algorithms::selection::DynamicRules> rules = {};
  int procs = 1;
  Bytes message_bytes = 0;
  std::optional<Bytes> segment_bytes = {};  // unset: not segmented, or what the rules say
  std::optional<int> fanout = {};           // unset: the algorithm's default, or what the rules say
  runtime::RankId root = 0;
  Bytes element_bytes = 1;
  CountsSpec counts = {};
  int max_requests = 0;  // 0: no limit
  bool commutative = true;
};

struct CollectiveCall {
  const algorithms::Algorithm* algorithm = nullptr;
  // Arguments without effect are 0: segments, fan-outs and roots where there are none.
  algorithms::CollectiveArgs args;
  // "rules file", "ompi-4.1", "ompi-3.1": whose rules chose the algorithm; empty: it was named.
  std::string decided_by = {};
  std::string rules_file = {};  // of the rule that chose it, and its line there
  int rules_line = 0;
  // What `args` points to.
  std::shared_ptr<const algorithms::selection::Selection> selection = {};
  std::shared_ptr<const algorithms::Counts> counts = {};
  std::shared_ptr<const algorithms::Hierarchy> hierarchy = {};
};

// All algorithms compete; a sweep makes calls of their names of it.
inline constexpr std::string_view best_name = "auto:best";
// The same, without a contest.
inline constexpr std::string_view all_name = "all";
// CollectiveCall::decided_by of what a rules file chose.
inline constexpr std::string_view decided_by_file = "rules file";

// The calls that the algorithm makes of other collectives follow the selection, whatever chose
// itself. Its file passes DynamicRules::wrong_inside.
void apply_selection(CollectiveCall& call,
                     std::shared_ptr<const algorithms::selection::Selection> selection);

// Algorithms of all collectives that share a word with the name: "allgather bruck".
std::vector<std::string> algorithms_like(std::string_view name);

bool is_automatic(std::string_view algorithm);
// "auto:rules=FILE": the file's path.
std::optional<std::string_view> rules_file_of(std::string_view algorithm);

// How many pieces the whole message is cut into; at least 1.
std::int64_t segments_of(const CollectiveCall& call);

// Errors name the option that is wrong: --algorithm, --root, --message-size, --segment-size,
// --fanout, --counts. The rules of an automatic choice decide segments and fan-out: asking for one
// as well is an error, since it would be ignored. Sizes whose sums overflow and numbers of segments
// that no machine can hold are errors too.
Result<CollectiveCall> resolve(const CallRequest& request, const platforms::Machine& machine,
                               const platforms::PlacementRequest& placement);

// Why such a call cannot be made: the algorithm's restriction does not hold, or the machine's
// hardware does not do it. Nothing: it can. The place is that of the rule in a rules file which
// chose the algorithm, else --algorithm.
std::optional<Error> rejection(const CollectiveCall& call, const platforms::Machine& machine,
                               int procs);

// How many messages the call sends.
std::int64_t expected_messages(const CollectiveCall& call, int procs);

// The algorithm that really runs where this one falls back to another, as Open MPI's do silently,
// or those that it is made of; empty: itself.
std::string runs_as(const CollectiveCall& call, int procs);

// The bytes of the call's whole vector: what a rank's copies and reductions go over. Blocks of all
// ranks together, where each has one.
Bytes working_set(const CollectiveCall& call, int procs);

// What every rank runs.
runtime::Program program_of(const CollectiveCall& call);

}  // namespace tutti::workloads
