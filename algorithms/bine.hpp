// SPDX-License-Identifier: BSD-3-Clause
// Bine (binomial negabinary) trees and butterflies (De Sensi et al., SC 2025). In step s, partners
// are |rho_s| ranks apart, rho_s = (1 - (-2)^(s+1)) / 3 = 1, -1, 3, -5, 11, ...: even ranks go up,
// odd ranks down, around the ring of ranks. Partners of Swing (De Sensi et al., NSDI 2024) are the
// same. On average they are closer than those of recursive doubling, which keeps more messages
// inside a group of nodes. P is a power of two; where a comment states so, any even
// number.
#pragma once

#include "algorithms/models/message_cost.hpp"
#include "algorithms/rank_blocks.hpp"
#include "algorithms/trees.hpp"

namespace tutti::algorithms::bine {

// What an algorithm requires of a call, for Algorithm::restriction and Algorithm::runs.
struct Requirement {
  std::string_view words;
  bool (*holds)(const ModelArgs& args);
};
bool has_power_of_two(const ModelArgs& args);
bool has_table(const ModelArgs& args);
bool is_even(const ModelArgs& args);  // also for one process
bool commutes_on_power_of_two(const ModelArgs& args);
bool commutes_with_table(const ModelArgs& args);
bool commutes_on_even(const ModelArgs& args);
inline constexpr Requirement power_of_two{"a power-of-two P", has_power_of_two};
// The permutations of the `static` variants are tables of up to 256 ranks.
inline constexpr Requirement table{"a power-of-two P up to 256", has_table};
inline constexpr Requirement even{"an even P", is_even};
inline constexpr Requirement commutative_power_of_two{"a commutative operation, a power-of-two P",
                                                      commutes_on_power_of_two};
inline constexpr Requirement commutative_table{
    "a commutative operation, a power-of-two P up to 256", commutes_with_table};
inline constexpr Requirement commutative_even{"a commutative operation, an even P",
                                              commutes_on_even};

// The entry of a published algorithm; see Algorithm for its members.
constexpr Algorithm published(const Requirement& requirement, decltype(Algorithm::program) program,
                              decltype(Algorithm::cost) cost,
                              decltype(Algorithm::messages) messages,
                              decltype(Algorithm::stages) stages = nullptr) {
  return {.restriction = requirement.words,
          .program = program,
          .cost = cost,
          .stages = stages,
          .messages = messages,
          .runs = requirement.holds};
}

// ceil(log2 P).
int steps_of(std::int64_t procs);
// The partner of `rank` in `step`; P must be even.
RankId partner(RankId rank, int step, RankId procs);

// The tree in which every rank that has the message passes it to its partner in each step. In one
// order steps, and with them distances, increase; in the other they decrease.
enum class Distances : std::uint8_t { doubling, halving };
// Children in the order of the steps.
trees::Node tree(const trees::Position& at, Distances distances);
// The step in which the shifted rank v > 0 gets the message from its parent.
int receive_step(RankId v, RankId procs, Distances distances);

// How ranks are numbered such that in step s partners differ in bit D-1-s of their numbers and
// agree in all higher bits: then the blocks that they exchange are contiguous.
enum class Numbering : std::uint8_t {
  remapped,    // by the negabinary representation of the rank
  by_smallest  // of two halves, the one that contains the smallest rank comes first
};

// The numbers of all ranks, shared by the ranks of a job.
class Numbers {
 public:
  static std::shared_ptr<const Numbers> of(Numbering numbering, RankId procs);

  RankId number(RankId rank) const { return numbers_[static_cast<std::size_t>(rank)]; }
  RankId rank(RankId number) const { return ranks_[static_cast<std::size_t>(number)]; }
  // Number of ranks whose number is not the rank itself.
  std::int64_t moved() const;

 private:
  explicit Numbers(std::vector<RankId> numbers);

  std::vector<RankId> numbers_;
  std::vector<RankId> ranks_;
};

// The same in total, from a power-of-two P; else 0.
std::int64_t moved_ranks(Numbering numbering, RankId procs);

// The blocks of numbers that a rank of a butterfly exchanges. A reduce_scatter runs the steps in
// ascending, an allgather in descending order.
class Butterfly {
 public:
  struct Run {
    RankId first = 0;  // number
    RankId count = 0;
  };

  // The numbers are those of the ranks shifted by the root.
  Butterfly(const trees::Position& at, Numbering numbering)
      : at_(at), v_(trees::shifted(at)), numbers_(Numbers::of(numbering, at.procs)) {}

  int steps() const { return steps_of(at_.procs); }
  RankId partner(int step) const { return trees::unshifted(at_, v_partner(step)); }
  // What remains with the rank after `step` of a reduce_scatter, and what with its partner.
  Run kept(int step) const { return run_of(number(), step); }
  Run sent(int step) const { return run_of(numbers_->number(v_partner(step)), step); }
  RankId number() const { return numbers_->number(v_); }
  const Numbers& numbers() const { return *numbers_; }

 private:
  RankId v_partner(int step) const { return bine::partner(v_, step, at_.procs); }
  Run run_of(RankId number, int step) const {
    const RankId count = at_.procs >> (step + 1);
    return {number / count * count, count};
  }

  trees::Position at_;
  RankId v_;
  std::shared_ptr<const Numbers> numbers_;
};

inline Slice slice_of(const RankBlocks& blocks, const Butterfly::Run& run, std::int32_t buffer) {
  return blocks.run(run.first, run.count, buffer);
}

// Butterflies on blocks in the order of numbers, in `buffer`. The reduce_scatter receives into
// incoming_buffer and leaves the block of the rank's own number; the allgather starts with it. The
// butterfly must outlive the task.
inline constexpr std::int32_t incoming_buffer = runtime::scratch_buffer + 1;
Task scatter_sums(Rank& me, const Butterfly& butterfly, RankBlocks blocks, std::int32_t buffer);
Task gather_blocks(Rank& me, const Butterfly& butterfly, RankBlocks blocks, std::int32_t buffer);
// The same with blocks in the order of ranks: those of a message are packed and unpacked.
Task scatter_sums_packed(Rank& me, const Butterfly& butterfly, RankBlocks blocks,
                         std::int32_t buffer);
Task gather_packed(Rank& me, const Butterfly& butterfly, RankBlocks blocks, std::int32_t buffer);
// Derived, with D = log2 P: the sum over s = 1 .. D of exchange(m / 2^s), m: all blocks; for the
// reduce_scatter also combine(m / 2^s).
Seconds gather_blocks_cost(const RankBlocks& blocks, const models::MessageCost& cost);
Seconds scatter_sums_cost(const RankBlocks& blocks, const models::MessageCost& cost);
// One message per rank and step.
inline std::int64_t butterfly_messages(const ModelArgs& args) {
  return static_cast<std::int64_t>(args.procs) * steps_of(args.procs);
}

// The steps in which single blocks leave rank 0 in a reduce_scatter, for any even P: block b of
// rank 0 is block b + r of an even rank r, and block r - b of an odd one. Shared by all ranks.
class Departures {
 public:
  static std::shared_ptr<const Departures> of(RankId procs);

  // The blocks b of rank 0 that leave in `step`, in ascending order.
  std::span<const RankId> leaving(int step) const {
    return blocks_[static_cast<std::size_t>(step)];
  }

 private:
  explicit Departures(RankId procs);

  std::vector<std::vector<RankId>> blocks_;
};

// Block b of rank 0 seen by another rank.
inline RankId block_seen(RankId b, RankId rank, RankId procs) {
  const RankId seen = rank % 2 == 0 ? b + rank : rank - b;
  return seen < 0 ? seen + procs : seen >= procs ? seen - procs : seen;
}

// Butterflies with one message per block, which needs no numbers, for any even P. Buffers as above,
// with blocks in the order of ranks; with `result`, the last step receives the rank's own block,
// the only one of that step, there and combines it there.
Task scatter_sums_in_blocks(Rank& me, RankBlocks blocks, std::int32_t buffer,
                            std::optional<Slice> result = std::nullopt);
Task gather_in_blocks(Rank& me, RankBlocks blocks, std::int32_t buffer);
// Derived: in each step an exchange of a block, and the next of its other blocks.
Seconds in_blocks_cost(std::int64_t procs, Bytes block_bytes, const models::MessageCost& cost);
// Every rank gets each block of the others in a message of its own.
}  // namespace tutti::algorithms::bine
