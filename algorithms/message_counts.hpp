// SPDX-License-Identifier: BSD-3-Clause
// Numbers of messages of many algorithms, for Algorithm::messages, and of their rounds.
#pragma once

#include "algorithms/collective.hpp"

namespace tutti::algorithms {

// One message from or to each rank but the root.
inline std::int64_t one_per_other(const ModelArgs& args) { return args.procs - 1; }
// One message between each ordered pair of ranks.
inline std::int64_t one_per_pair(const ModelArgs& args) {
  return static_cast<std::int64_t>(args.procs) * (args.procs - 1);
}

// ceil(log2 P), the number of bits of P - 1.
inline int doubling_rounds(std::int64_t procs) {
  return std::bit_width(static_cast<std::uint64_t>(procs - 1));
}
// One message of each rank in each of these rounds.
inline std::int64_t one_per_round(const ModelArgs& args) {
  return static_cast<std::int64_t>(args.procs) * doubling_rounds(args.procs);
}

// The fan-out or radix of a call; 0 means `usual`.
inline int fanout_or(int usual, const CollectiveArgs& args) {
  return args.fanout == 0 ? usual : args.fanout;
}

}  // namespace tutti::algorithms
