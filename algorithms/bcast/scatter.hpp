// SPDX-License-Identifier: BSD-3-Clause
// The first half of the scatter-allgather broadcasts: the message is divided into one block per
// rank (shifted rank v gets block v), and the blocks are sent down an in-order binomial tree.
#pragma once

#include "algorithms/models/message_cost.hpp"

namespace tutti::algorithms {

// Blocks of ceil(elements / P) elements. The last ones may be shorter or empty.
class Blocks {
 public:
  Blocks(const CollectiveArgs& args, int procs);

  // The part of the message that consists of `count` blocks starting at `first`.
  Slice run(std::int64_t first, std::int64_t count) const;
  // Number of non-empty blocks.
  std::int64_t filled() const;

 private:
  Bytes message_bytes_;
  Bytes block_bytes_;
};

// If there are fewer elements than ranks, both broadcasts silently run basic_linear instead.
bool too_few_to_scatter(const CollectiveArgs& args, int procs);
inline bool can_scatter(const CollectiveArgs& args, int procs) {
  return !too_few_to_scatter(args, procs);
}
inline std::string_view scatter_bcast_falls_back_to(const ModelArgs& args) {
  return args.procs > 1 && too_few_to_scatter(args.call, args.procs) ? "basic_linear" : "";
}

// Receives the blocks of the rank's subtree from its parent, then sends each child the blocks of
// its subtree, the largest first, with blocking sends. Empty runs are not sent.
Task scatter_blocks(Rank& me, CollectiveArgs args);
// One message to each rank, except the root, with a non-empty subtree, i.e. a non-empty own block.
std::int64_t scatter_blocks_messages(const Blocks& blocks);

// Derived: on each level of the tree one hop of half of the rest, m - ceil(m/P) bytes in total:
//   Hockney d l + (m - m/P) / b, LogGP d (L + 2 o - G) + (m - m/P) G         d = ceil(log2 P)
Seconds scatter_blocks_cost(const Blocks& blocks, int procs, const models::MessageCost& cost);

// The broadcasts that scatter first, without a fallback: the blocks are then collected by recursive
// doubling, or travel around a ring. More than one rank.
Task scatter_and_double(Rank& me, CollectiveArgs args);
Seconds scatter_and_double_cost(const ModelArgs& args, const models::MessageCost& cost);
std::int64_t scatter_and_double_messages(const ModelArgs& args);
Task scatter_and_pass_on(Rank& me, CollectiveArgs args);
Seconds scatter_and_pass_on_cost(const ModelArgs& args, const models::MessageCost& cost);
std::int64_t scatter_and_pass_on_messages(const ModelArgs& args);
std::vector<StepPhase> scatter_and_pass_on_steps(const ModelArgs& args);

}  // namespace tutti::algorithms
