// SPDX-License-Identifier: BSD-3-Clause
// Circulant graphs (Traeff): in round k rank r communicates with r + skip(k) and r - skip(k), where
// skip(q) = P, skip(k) = ceil(skip(k+1) / 2) and skip(0) = 1; there are q = ceil(log2 P) rounds.
//   n blocks from one root (arXiv 2407.18004; CLUSTER 2022): n-1+q rounds, in each of which a rank
//   sends one block and receives another one; reversed, a reduction of n blocks.
//   One block per rank (arXiv 2410.14234): reduce-scatter and allgather in q rounds and P-1 blocks.
#pragma once

#include "algorithms/models/message_cost.hpp"
#include "algorithms/rank_blocks.hpp"

namespace tutti::algorithms::circulant {

class Graph {
 public:
  explicit Graph(std::int64_t procs)
      : procs_(procs), rounds_(std::bit_width(static_cast<std::uint64_t>(procs - 1))) {}

  int rounds() const { return rounds_; }  // q; 0 for one rank
  std::int64_t procs() const { return procs_; }
  // k = 0 .. q: ceil(P / 2^(q-k)).
  std::int64_t skip(int k) const {
    const int halvings = rounds_ - k;
    return (procs_ + (std::int64_t{1} << halvings) - 1) >> halvings;
  }
  RankId above(RankId rank, int k) const { return static_cast<RankId>((rank + skip(k)) % procs()); }
  RankId below(RankId rank, int k) const {
    return static_cast<RankId>((rank + procs() - skip(k)) % procs());
  }

 private:
  std::int64_t procs_;
  int rounds_;
};

// The blocks that a rank receives and sends in q consecutive rounds, relative to a block number
// that grows by q every q rounds; a negative one belongs to earlier rounds.
struct Schedule {
  std::vector<int> received;
  std::vector<int> sent;
};
// `v` is the rank relative to the root. Takes O(log^2 P) steps.
Schedule schedule_of(const Graph& graph, std::int64_t v);
// The schedules of all ranks. The ranks of a job share the table, and it lives while one keeps it.
using Schedules = std::vector<Schedule>;
std::shared_ptr<const Schedules> all_schedules(const Graph& graph);

// The rounds of a broadcast of n blocks.
class BlockRounds {
 public:
  BlockRounds(const Graph& graph, std::int64_t blocks, std::int64_t v);
  BlockRounds(const Graph& graph, std::int64_t blocks, std::int64_t v, Schedule schedule);

  std::int64_t begin() const { return idle_; }
  std::int64_t end() const { return idle_ + blocks_ - 1 + graph_.rounds(); }
  int k(std::int64_t round) const { return static_cast<int>(round % graph_.rounds()); }
  // The block of a round; none if the rank has no partner in it.
  std::optional<std::int64_t> received(std::int64_t round) const;
  std::optional<std::int64_t> sent(std::int64_t round) const;

 private:
  std::optional<std::int64_t> block(int scheduled, std::int64_t round) const;

  Graph graph_;
  std::int64_t blocks_;
  std::int64_t v_;
  std::int64_t idle_;  // rounds before the first one, which would move no block
  Schedule schedule_;
};

// One block per rank, in a buffer in which block r + i is the i-th one of rank r.

// Copies all blocks from `in_rank_order`, or to it.
void turn_up(Rank& me, const RankBlocks& blocks, std::int32_t in_rank_order, std::int32_t held);
void turn_back(Rank& me, const RankBlocks& blocks, std::int32_t held, std::int32_t in_rank_order);
// Reduce-scatter of the vector in the send buffer: afterwards the first block is the result.
inline constexpr std::int32_t sums_buffer = runtime::scratch_buffer;
inline constexpr std::int32_t incoming_buffer = runtime::scratch_buffer + 1;
Task combine_rounds(Rank& me, RankBlocks blocks);
// Allgather: before, only the first block is there.
Task collect_rounds(Rank& me, RankBlocks blocks, std::int32_t held);

Seconds combine_rounds_cost(const RankBlocks& blocks, const models::MessageCost& cost);
Seconds collect_rounds_cost(const RankBlocks& blocks, const models::MessageCost& cost);
// q messages of each rank.
std::int64_t rounds_messages(const ModelArgs& args);

}  // namespace tutti::algorithms::circulant
