// SPDX-License-Identifier: BSD-3-Clause
// An algorithm that silently runs another one of its collective if a call does not meet its
// condition: the members of its registry entry.
#pragma once

#include "algorithms/models/message_cost.hpp"

namespace tutti::algorithms {

// The algorithm in all_algorithms(), with its name, of an entry of the catalog.
const Algorithm& registered(const Algorithm& entry);

// `applies(args, procs)`: whether the algorithm itself runs, by the other three functions.
template <auto applies, auto run, auto cost_of, auto messages_of, const Algorithm& other>
struct OrElse {
  static Task program(Rank& me, CollectiveArgs args) {
    return applies(args, me.size()) ? run(me, args) : other.program(me, args);
  }
  static Seconds cost(const ModelArgs& args, const models::MessageCost& cost) {
    return applies(args.call, args.procs) ? cost_of(args, cost) : other.cost(args, cost);
  }
  static std::int64_t messages(const ModelArgs& args) {
    return applies(args.call, args.procs) ? messages_of(args) : other.messages(args);
  }
  static std::string_view falls_back_to(const ModelArgs& args) {
    return applies(args.call, args.procs) ? std::string_view{} : registered(other).name;
  }
};

inline bool commutes(const CollectiveArgs& args, int /*procs*/) { return args.commutative; }

}  // namespace tutti::algorithms
