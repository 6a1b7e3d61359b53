// SPDX-License-Identifier: BSD-3-Clause
// The first half of the scatter-allgather broadcasts: the message is cut into one block per rank
// (shifted rank v gets block v) and the blocks go down an in-order binomial tree.
#pragma once

#include "algorithms/collective.hpp"
#include "algorithms/models/message_cost.hpp"

namespace tutti::algorithms {

// Blocks of ceil(elements / P) elements. The last ones are cut at the end of the message, or empty.
class Blocks {
 public:
  Blocks(const CollectiveArgs& args, int procs);

  // The part of the message that `count` blocks from `first` on cover.
  Slice run(std::int64_t first, std::int64_t count) const;
  // How many blocks are not empty.
  std::int64_t filled() const;

 private:
  Bytes message_bytes_;
  Bytes block_bytes_;
};

// With fewer elements than ranks both broadcasts run basic_linear instead, silently.
bool too_few_to_scatter(const CollectiveArgs& args, int procs);
inline std::string_view scatter_bcast_falls_back_to(const ModelArgs& args) {
  return args.procs > 1 && too_few_to_scatter(args.call, args.procs) ? "basic_linear" : "";
}

// Receives my subtree's blocks from my parent, then sends each child its subtree's, the biggest
// first, by blocking sends. Empty runs are not sent.
Task scatter_blocks(Rank& me, CollectiveArgs args);
// One to each rank but the root whose subtree has any bytes: whose own block is not empty.
std::int64_t scatter_blocks_messages(const Blocks& blocks);

// Derived: on each level of the tree one hop of half of what is left, m - ceil(m/P) bytes in all:
//   Hockney d l + (m - m/P) / b, LogGP d (L + 2 o - G) + (m - m/P) G         d = ceil(log2 P)
Seconds scatter_blocks_cost(const Blocks& blocks, int procs, const models::MessageCost& cost);

}  // namespace tutti::algorithms
