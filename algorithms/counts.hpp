// SPDX-License-Identifier: BSD-3-Clause
// How many bytes each rank contributes, or gets: the counts of the v collectives and of
// reduce_scatter. One table for all ranks of a job.
#pragma once

#include "algorithms/collective.hpp"
#include "sim/base/common.hpp"
#include "sim/runtime/types.hpp"

namespace tutti::algorithms {

class Counts {
 public:
  // Not negative; their sum fits 63 bits.
  explicit Counts(const std::vector<Bytes>& bytes_of_rank);

  RankId ranks() const { return static_cast<RankId>(offsets_.size()) - 1; }
  Bytes bytes(std::int64_t rank) const { return offsets_[rank + 1] - offsets_[rank]; }
  // Of the ranks below, together; `rank` may be ranks().
  Bytes offset(std::int64_t rank) const { return offsets_[rank]; }
  Bytes total() const { return offsets_.back(); }
  // How many ranks have bytes at all.
  std::int64_t filled() const { return filled_; }

 private:
  std::vector<Bytes> offsets_;  // one more than ranks
  std::int64_t filled_ = 0;
};

// The counts of a vector that is dealt out among the ranks, for collectives inside that are given
// counts.

// The blocks of reduce_scatter's call (RankBlocks::of_vector) as the arguments of a collective in
// blocks. All ranks share the table; whoever makes the call holds it.
struct DealtCall {
  std::shared_ptr<const Counts> table;  // null: the blocks are equal, or the call has counts
  CollectiveArgs args;
};
DealtCall dealt_call(const CollectiveArgs& args, int procs);

// Counts that every rank of a job asks for, and that are the same for all: made once.

// `asked`: what `bytes_of_rank`, a function of its own type, looks at. The one who calls a
// collective with the counts holds them; they live as long as somebody does.
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
