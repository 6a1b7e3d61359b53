// SPDX-License-Identifier: BSD-3-Clause
// The fixed decision rules of Open MPI's coll/tuned as data (rules/*.toml, built into the library).
#pragma once

#include "algorithms/collective.hpp"
#include "algorithms/models/message_cost.hpp"
#include "sim/base/common.hpp"

namespace tutti::algorithms::selection {

// A collective that another one calls: Open MPI's goes through its decision function as a user's
// call does, whatever algorithm was forced for the outer one; so a file of dynamic rules decides
// it, where the outer call came from one.

// What CollectiveArgs::selection, else Open MPI 4.1's fixed rules choose, with the segment size and
// fan-out that they choose. The collective's name must outlive the thread.
struct Decided {
  const Algorithm* algorithm = nullptr;
  CollectiveArgs args;
};
Decided decided(std::string_view collective, int procs, const CollectiveArgs& args);

Task run_decided(std::string_view collective, Rank& me, const CollectiveArgs& args);
// Of the algorithm that really runs.
std::string name_of_decided(std::string_view collective, const ModelArgs& args);
std::int64_t messages_of_decided(std::string_view collective, const ModelArgs& args);
// No number where the algorithm has no formula (the hardware's).
Seconds cost_of_decided(std::string_view collective, const ModelArgs& args,
                        const models::MessageCost& cost);

// What the rules look at.
struct Query {
  std::string_view collective;
  int procs = 1;
  Bytes message_bytes = 0;  // as in CollectiveArgs
  Bytes elements = 0;       // datatype elements
  bool commutative = true;  // the operation of a reduction
};

struct Choice {
  const Algorithm* algorithm = nullptr;
  Bytes segment_bytes = 0;
  int fanout = 0;
  int line = 0;  // of the file of dynamic rules that it comes from; 0: none
};

// Names of the rule sets: "ompi-4.1" (what `auto` means), "ompi-3.1".
std::vector<std::string_view> rule_sets();
// Error: unknown rule set, or a collective that the set has no table for.
Result<Choice> choose(std::string_view rule_set, const Query& query);

// Algorithms that are other collectives, one after the other, each by the algorithm that the
// decision rules choose. Such an algorithm says which calls it makes; what follows from that is
// here:
//   program   one call, then the next, on the same buffers
//   cost      Derived: their sum, of the algorithms chosen
//   messages  their sum
//   made_of   the names of the algorithms chosen: "binomial + knomial"

struct InnerCall {
  std::string_view collective;
  CollectiveArgs args;
  std::shared_ptr<const Counts> counts = {};  // what `args` points to, if the call made it
};
using InnerCall1 = std::array<InnerCall, 1>;
using InnerCalls = std::array<InnerCall, 2>;

Task run_calls(Rank& me, InnerCalls calls);

// `calls_of(args, procs)`: an array of InnerCall.
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
