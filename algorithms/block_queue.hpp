// SPDX-License-Identifier: BSD-3-Clause
// The rounds of MPICH's circ_graph algorithms (src/mpi/coll/algorithms/circ_graph): circulant.hpp's
// schedule of n blocks without waiting for the end of a round. At most 8 requests are pending; a
// rank waits for the oldest one before it starts another, and for a block's receive before it uses
// the block.
#pragma once

#include "algorithms/circulant.hpp"
#include "algorithms/segments.hpp"

namespace tutti::algorithms::mpich {

inline constexpr Bytes default_chunk = 131072;  // MPIR_CVAR_CIRC_GRAPH_CHUNK_SIZE

// The pieces of a vector: of bytes, or of whole elements, whose number is rounded up.
Segments chunks_of_bytes(const CollectiveArgs& args);
Segments chunks_of_elements(const CollectiveArgs& args);

class BlockQueue {
 public:
  // A received block arrives in its place in `vector`, or in `incoming`, from which it is combined
  // with that in `vector`. The vectors of `roots` roots follow each other; the n blocks of root r
  // have the numbers r n, r n + 1, ...
  BlockQueue(Rank& me, const Segments& blocks, Slice vector, std::int64_t roots = 1);

  void combine_from(Slice incoming) {
    incoming_ = incoming;
    combines_ = true;
  }
  void receive_in_place() { combines_ = false; }

  Task send(std::int64_t block, RankId to);
  Task receive(std::int64_t block, RankId from);
  Task finish();

 private:
  struct Pending {
    std::optional<Request> request = {};
    std::optional<std::int64_t> received = {};  // none: a send
    bool combines = false;
  };
  static constexpr std::size_t most = 8;  // MPIR_CVAR_CIRC_GRAPH_Q_LEN

  Slice place(const Slice& vectors, std::int64_t block) const;
  Task complete(std::size_t slot);
  Task complete_block(std::int64_t block);
  Task add(const Pending& pending);

  Rank& me_;
  Segments blocks_;
  Slice vector_;
  Slice incoming_;
  bool combines_ = false;
  std::array<Pending, most> slots_;
  std::size_t head_ = 0;
  std::vector<std::int8_t> slot_of_;  // of the block's receive; -1: none is pending
};

// All rounds from the root down, or backwards from the leaves up.
Task run_down(Rank& me, BlockQueue& queue, RankId root, std::int64_t blocks);
Task run_up(Rank& me, BlockQueue& queue, RankId root, std::int64_t blocks);

// n-1+q rounds of `exchange`, and of c if blocks are combined.
Seconds circ_graph_cost(const Segments& blocks, int procs, const models::MessageCost& cost);
Seconds circ_graph_reduce_cost(const Segments& blocks, int procs, const models::MessageCost& cost);
inline std::int64_t circ_graph_messages(const Segments& blocks, std::int64_t procs) {
  return (procs - 1) * blocks.count();
}

}  // namespace tutti::algorithms::mpich
