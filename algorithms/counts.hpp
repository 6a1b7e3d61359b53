// SPDX-License-Identifier: BSD-3-Clause
// The number of bytes that each rank contributes or receives: the counts of the v collectives and
// of reduce_scatter. All ranks of a job share one table.
#pragma once

#include "algorithms/collective.hpp"

namespace tutti::algorithms {

struct PeerCounts;

class Counts {
 public:
  // Sizes must not be negative, and their sum must fit into 63 bits.
  explicit Counts(const std::vector<Bytes>& bytes_of_rank);
  // For alltoallv: the blocks that a rank sends differ. bytes() is the largest of them.
  explicit Counts(std::shared_ptr<const PeerCounts> peers);

  // Null unless the blocks that a rank sends differ.
  const PeerCounts* peers() const { return peers_.get(); }
  RankId ranks() const { return static_cast<RankId>(offsets_.size()) - 1; }
  Bytes bytes(std::int64_t rank) const { return offsets_[rank + 1] - offsets_[rank]; }
  // Total size of the ranks below `rank`, which may be ranks().
  Bytes offset(std::int64_t rank) const { return offsets_[rank]; }
  Bytes total() const { return offsets_.back(); }
  // Number of ranks with a non-empty block.
  std::int64_t filled() const { return filled_; }

 private:
  std::vector<Bytes> offsets_;  // one per rank, plus the total
  std::int64_t filled_ = 0;
  std::shared_ptr<const PeerCounts> peers_;
};

// The blocks of an alltoallv from each rank to each rank.
struct PeerCounts {
  // `sent`: by rank, the blocks that it sends, by receiver.
  explicit PeerCounts(std::vector<Counts> sent);

  std::vector<Counts> sent;
  std::vector<Counts> received;  // by rank, by sender
};

// The arguments of an inner collective in blocks whose blocks are those of a reduce_scatter call
// (RankBlocks::of_vector). All ranks share the table; the caller must keep it alive.
struct DealtCall {
  std::shared_ptr<const Counts> table;  // null: the blocks are equal, or the call has counts
  CollectiveArgs args;
};
DealtCall dealt_call(const CollectiveArgs& args, int procs);

// Returns counts that are the same for all ranks of a job, and creates them only once. `requested`:
// everything that `bytes_of_rank`, a function with a unique type, depends on. The counts live as
// long as a caller keeps them.
template <class Requested, class BytesOfRank>
std::shared_ptr<const Counts> shared_counts(const Requested& requested, int procs,
                                            BytesOfRank bytes_of_rank) {
  struct Last {
    Requested requested;
    std::weak_ptr<const Counts> table;
  };
  thread_local Last last{requested, {}};
  std::shared_ptr<const Counts> table = last.table.lock();
  if (table != nullptr && last.requested == requested) return table;
  std::vector<Bytes> bytes(procs);
  for (int rank = 0; rank < procs; ++rank) bytes[rank] = bytes_of_rank(rank);
  table = std::make_shared<const Counts>(bytes);
  last = {requested, table};
  return table;
}

}  // namespace tutti::algorithms
