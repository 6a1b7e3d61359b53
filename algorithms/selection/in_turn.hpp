// SPDX-License-Identifier: BSD-3-Clause
// Algorithms that are other collectives, one after the other, each by the algorithm that the
// decision rules choose. Such an algorithm says which calls it makes; what follows from that is
// here:
//   program   one call, then the next, on the same buffers
//   cost      Derived: their sum, of the algorithms chosen
//   messages  their sum
//   made_of   the names of the algorithms chosen: "binomial + knomial"
#pragma once

#include <array>
#include <memory>
#include <string>

#include "algorithms/selection/decided.hpp"

namespace tutti::algorithms::selection {

struct InnerCall {
  std::string_view collective;
  CollectiveArgs args;
  std::shared_ptr<const Counts> counts = {};  // what `args` points to, if the call made it
};
using InnerCall1 = std::array<InnerCall, 1>;
using InnerCalls = std::array<InnerCall, 2>;

runtime::Task run_calls(runtime::Rank& me, InnerCalls calls);

// `calls_of(args, procs)`: an array of InnerCall.
template <auto calls_of>
runtime::Task run_in_turn(runtime::Rank& me, CollectiveArgs args) {
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
