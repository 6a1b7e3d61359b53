// SPDX-License-Identifier: BSD-3-Clause
// The cost of linear algorithms, in which a rank handles the messages of all others one after the
// other.
#pragma once

#include "algorithms/models/message_cost.hpp"
#include "algorithms/models/stages.hpp"
#include "algorithms/rank_blocks.hpp"

namespace tutti::algorithms {

// Cost of the blocks of all ranks except the root, in rank order; empty blocks need no message. One
// hop, then the other messages follow:
//   equal blocks: Hockney (P-1) (l + m/b), LogGP L + 2 o + (m-1) G + (P-2) (g + (m-1) G)
// O(P) with counts.
Seconds filled_train_cost(const ModelArgs& args, const models::MessageCost& cost);
// The same for equal blocks, which are sent even if they are empty.
inline Seconds train_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const Bytes m = args.call.message_bytes;
  return cost.hop(m) + (args.procs - 2) * cost.next(m);
}
// One stage of fitted models: gamma(P) (alpha + beta m).
inline models::StageForm train_stages(const ModelArgs& args, const models::Gamma& gamma) {
  return {{{.bytes = args.call.message_bytes, .count = gamma.of_procs(args.procs), .hops = 1}}};
}
// Number of non-empty blocks, excluding the root's.
std::int64_t filled_train_messages(const ModelArgs& args);

}  // namespace tutti::algorithms
