// SPDX-License-Identifier: BSD-3-Clause
// Algorithms that are two collectives, one after the other, each by the algorithm that the decision
// rules choose. Such an algorithm says which calls it makes; what follows from that is here:
//   cost      Derived: the sum of both, of the algorithms chosen
//   messages  the sum of both
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
using InnerCalls = std::array<InnerCall, 2>;
using CallsOf = InnerCalls (*)(const CollectiveArgs& args, int procs);

template <CallsOf calls_of>
Seconds cost_in_turn(const ModelArgs& args, const models::MessageCost& cost) {
  const InnerCalls calls = calls_of(args.call, args.procs);
  return cost_of_decided(calls[0].collective, {args.procs, calls[0].args, args.combine_Bps}, cost) +
         cost_of_decided(calls[1].collective, {args.procs, calls[1].args, args.combine_Bps}, cost);
}

template <CallsOf calls_of>
std::int64_t messages_in_turn(const ModelArgs& args) {
  const InnerCalls calls = calls_of(args.call, args.procs);
  return messages_of_decided(calls[0].collective, {args.procs, calls[0].args}) +
         messages_of_decided(calls[1].collective, {args.procs, calls[1].args});
}

template <CallsOf calls_of>
std::string made_in_turn(const ModelArgs& args) {
  const InnerCalls calls = calls_of(args.call, args.procs);
  return name_of_decided(calls[0].collective, {args.procs, calls[0].args}) + " + " +
         name_of_decided(calls[1].collective, {args.procs, calls[1].args});
}

}  // namespace tutti::algorithms::selection
