// SPDX-License-Identifier: BSD-3-Clause
// The fixed decision rules of Open MPI's coll/tuned, as data (rules/*.toml, built into the
// library).
#pragma once

#include "algorithms/models/message_cost.hpp"

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

// Names of the rule sets (rules/*.toml) in the order of their positions; the first one is that of
// `auto`.
std::vector<std::string_view> rule_sets();
std::string_view default_rule_set();
// The name of the rule set with the name or alias ("mpich": "mpich-4.0").
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
  const Algorithm* algorithm = nullptr;       // null: the decision rules choose
  // A call on parts of the communicator: their number of ranks (0: all ranks of the outer call),
  // and how many parts make it.
  int procs = 0;
  std::int64_t parts = 1;
  // Other parts make the previous call, of at least this size, at the same time.
  bool beside_previous = false;

  int ranks(int outer_procs) const { return procs == 0 ? outer_procs : procs; }
};
// The arguments of a call on all ranks of the outer one: all but the message, segments and counts.
CollectiveArgs inner_args(const CollectiveArgs& outer, Bytes message_bytes);

using InnerCall1 = std::array<InnerCall, 1>;
using InnerCalls = std::array<InnerCall, 2>;

// The algorithm and its arguments; `procs` is the number of ranks of the outer call.
Decided decided(const InnerCall& call, int procs);
Task run_decided(const InnerCall& call, Rank& me);
std::string name_of_decided(const InnerCall& call, const ModelArgs& outer);
std::int64_t messages_of_decided(const InnerCall& call, const ModelArgs& outer);
Seconds cost_of_decided(const InnerCall& call, const ModelArgs& outer,
                        const models::MessageCost& cost);

Task run_calls(Rank& me, InnerCalls calls);

// `calls_of(args, procs)` returns a range of InnerCall.
template <auto calls_of>
Task run_in_turn(Rank& me, CollectiveArgs args) {
  return run_calls(me, calls_of(args, me.size()));
}

template <auto calls_of>
Seconds cost_in_turn(const ModelArgs& args, const models::MessageCost& cost) {
  Seconds sum_s = 0;
  for (const InnerCall& call : calls_of(args.call, args.procs))
    if (!call.beside_previous) sum_s += cost_of_decided(call, args, cost);
  return sum_s;
}

template <auto calls_of>
std::int64_t messages_in_turn(const ModelArgs& args) {
  std::int64_t sum = 0;
  for (const InnerCall& call : calls_of(args.call, args.procs))
    sum += messages_of_decided(call, args);
  return sum;
}

// Joins the names that are not empty.
std::string join_names(const std::vector<std::string>& names);

template <auto calls_of>
std::string made_in_turn(const ModelArgs& args) {
  std::vector<std::string> names;
  for (const InnerCall& call : calls_of(args.call, args.procs))
    if (!call.beside_previous) names.push_back(name_of_decided(call, args));
  return join_names(names);
}

}  // namespace tutti::algorithms::selection
