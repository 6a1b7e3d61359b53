// SPDX-License-Identifier: BSD-3-Clause
// The fixed decision rules of Open MPI's coll/tuned, as data (rules/*.toml, built into the
// library).
#pragma once

#include "algorithms/collective.hpp"
#include "algorithms/models/message_cost.hpp"
#include "sim/base/common.hpp"

namespace tutti::algorithms::selection {

// Inner calls of a collective. In Open MPI they go through the decision function like a user's
// call, regardless of the algorithm forced for the outer call; so a file of dynamic rules that
// chose the outer algorithm also chooses the inner ones.

// The algorithm, segment size and fan-out chosen by CollectiveArgs::selection or, if that is null,
// by Open MPI 4.1's fixed rules. The collective's name must outlive the thread.
struct Decided {
  const Algorithm* algorithm = nullptr;
  CollectiveArgs args;
};
Decided decided(std::string_view collective, int procs, const CollectiveArgs& args);

Task run_decided(std::string_view collective, Rank& me, const CollectiveArgs& args);
// The name of the algorithm that actually runs.
std::string name_of_decided(std::string_view collective, const ModelArgs& args);
std::int64_t messages_of_decided(std::string_view collective, const ModelArgs& args);
// NaN if the algorithm has no formula (hardware collectives).
Seconds cost_of_decided(std::string_view collective, const ModelArgs& args,
                        const models::MessageCost& cost);

// The inputs of the decision rules.
struct Query {
  std::string_view collective;
  int procs = 1;
  Bytes message_bytes = 0;  // as in CollectiveArgs
  Bytes elements = 0;       // number of datatype elements
  bool commutative = true;  // whether a reduction's operation commutes
  bool has_counts = false;  // whether blocks may differ by more than an element
  NodeShape nodes = {};     // unknown: the rules for any distribution of the ranks
};

struct Choice {
  const Algorithm* algorithm = nullptr;
  Bytes segment_bytes = 0;
  int fanout = 0;
  int line = 0;          // line in the file of dynamic rules; 0: not from a file
  int max_requests = 0;  // if Algorithm::limits_requests; 0: no limit
  // The component and the table that decided, if fixed rules did: "han" or "tuned" (MPICH: "csel"),
  // and for example "bcast_disjoint".
  std::string_view component = {};
  std::string_view table = {};
};

// Names of the rule sets: "ompi-4.1" (the meaning of `auto`), "ompi-3.1", "ompi-5.0", "ompi-6",
// "mpich-4.0", "mpich-main".
std::vector<std::string_view> rule_sets();
// The rule set of that name, or the first one of the library of that name ("mpich": "mpich-4.0").
std::optional<std::string_view> find_rule_set(std::string_view name);
// Whether the choice of MPICH's rules depends on Query::nodes.
bool depends_on_nodes(std::string_view rule_set, std::string_view collective);
// Whether the rules of Open MPI include those of HAN, which depend on Query::nodes.
bool has_han(std::string_view rule_set);
// Returns an error if the rule set is unknown or has no table for the collective.
Result<Choice> choose(std::string_view rule_set, const Query& query);

// Algorithms that consist of calls of other collectives, one after the other, with the algorithms
// that the decision rules choose. Such an algorithm only defines its calls; these templates derive
// its members:
//   program   runs the calls in order, on the same buffers
//   cost      derived: the sum of the costs of the chosen algorithms
//   messages  the sum of their messages
//   made_of   the names of the chosen algorithms: "binomial + knomial"

struct InnerCall {
  std::string_view collective;
  CollectiveArgs args;
  std::shared_ptr<const Counts> counts = {};  // owns args.counts if the call created them
};
using InnerCall1 = std::array<InnerCall, 1>;
using InnerCalls = std::array<InnerCall, 2>;

Task run_calls(Rank& me, InnerCalls calls);

// `calls_of(args, procs)` returns an array of InnerCall.
template <auto calls_of>
Task run_in_turn(Rank& me, CollectiveArgs args) {
  return run_calls(me, calls_of(args, me.size()));
}

template <auto calls_of>
Seconds cost_in_turn(const ModelArgs& args, const models::MessageCost& cost) {
  Seconds sum_s = 0;
  for (const InnerCall& call : calls_of(args.call, args.procs))
    sum_s += cost_of_decided(call.collective, {args.procs, call.args, args.combine_Bps}, cost);
  return sum_s;
}

template <auto calls_of>
std::int64_t messages_in_turn(const ModelArgs& args) {
  std::int64_t sum = 0;
  for (const InnerCall& call : calls_of(args.call, args.procs))
    sum += messages_of_decided(call.collective, {args.procs, call.args});
  return sum;
}

template <auto calls_of>
std::string made_in_turn(const ModelArgs& args) {
  std::string names;
  for (const InnerCall& call : calls_of(args.call, args.procs))
    names +=
        (names.empty() ? "" : " + ") + name_of_decided(call.collective, {args.procs, call.args});
  return names;
}

}  // namespace tutti::algorithms::selection
