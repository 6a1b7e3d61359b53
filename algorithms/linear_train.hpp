// SPDX-License-Identifier: BSD-3-Clause
// The cost of the linear algorithms with a root: its messages come or go one after the other.
#pragma once

#include "algorithms/models/message_cost.hpp"
#include "algorithms/rank_blocks.hpp"

namespace tutti::algorithms {

// Of blocks of all ranks but the root, in rank order; empty ones make no message. One hop, and the
// others follow each other:
//   equal blocks: Hockney (P-1) (l + m/b), LogGP L + 2 o + (m-1) G + (P-2) (g + (m-1) G)
// O(P) with counts.
Seconds filled_train_cost(const ModelArgs& args, const models::MessageCost& cost);
// The same of equal blocks, empty messages too.
inline Seconds train_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const Bytes m = args.call.message_bytes;
  return cost.hop(m) + (args.procs - 2) * cost.next(m);
}
// How many blocks there are to send.
std::int64_t filled_train_messages(const ModelArgs& args);

}  // namespace tutti::algorithms
