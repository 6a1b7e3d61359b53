// SPDX-License-Identifier: BSD-3-Clause
// The calls by which a job accesses its files one after the other: IOR transfers, the operations of
// a Darshan log.
#pragma once

#include "io_models/access.hpp"
#include "sim/base/common.hpp"

namespace tutti::io_models {

class AccessCalls {
 public:
  virtual ~AccessCalls() = default;

  virtual int procs() const = 0;
  virtual std::int64_t count() const = 0;
  // All calls of all ranks.
  virtual Bytes bytes() const = 0;
  // The access of a call, made on demand: a job may have millions of them.
  virtual std::shared_ptr<const Access> call(std::int64_t number) const = 0;
};

// The slot of a SlotAccess that each rank accesses, if it is not its own.
class SlotOrder {
 public:
  explicit SlotOrder(std::vector<RankId> slot_of);

  int slots() const { return static_cast<int>(slot_of_.size()); }
  RankId slot_of(RankId rank) const { return slot_of_[rank]; }
  bool is_permutation() const { return is_permutation_; }
  RankId first_slot() const { return by_slot_.front().first; }
  RankId last_slot() const { return by_slot_.back().first; }
  // Appends the ranks of the slots [first, last), in ascending order.
  void ranks(RankId first, RankId last, std::vector<RankId>& out) const;
  // The first slot at or after `slot` that some rank accesses; slots() if there is none.
  RankId next_slot(RankId slot) const;

 private:
  std::vector<RankId> slot_of_;
  std::vector<std::pair<RankId, RankId>> by_slot_;  // slot and rank
  bool is_permutation_ = true;
};

// Blocks of one size at regular distances in the file, the slots, one for each rank.
class SlotAccess : public Access {
 public:
  struct Slots {
    int procs = 1;
    Bytes first = 0;     // offset of slot 0
    Bytes distance = 1;  // from slot to slot, at least `bytes`
    Bytes bytes = 0;     // of a slot
  };
  // `order` may be null: rank r accesses slot r.
  explicit SlotAccess(const Slots& slots, std::shared_ptr<const SlotOrder> order = nullptr)
      : slots_(slots), order_(std::move(order)) {}

  int procs() const override { return slots_.procs; }
  Extent range() const override;
  Bytes bytes_below(RankId rank, Bytes offset) const override;
  std::int64_t pieces_in(RankId rank, Extent extent) const override;
  void pieces(RankId rank, Extent extent, std::vector<Extent>& out) const override;
  void ranks_in(Extent extent, std::vector<RankId>& out) const override;
  Bytes next_data(Bytes offset) const override;
  bool is_dense() const override {
    return slots_.distance == slots_.bytes && (!order_ || order_->is_permutation());
  }
  bool overlaps() const override { return order_ && !order_->is_permutation(); }

 private:
  Extent slot(RankId number) const {
    const Bytes begin = slots_.first + number * slots_.distance;
    return {begin, begin + slots_.bytes};
  }
  Extent slot_of(RankId rank) const { return slot(order_ ? order_->slot_of(rank) : rank); }

  Slots slots_;
  std::shared_ptr<const SlotOrder> order_;
};

}  // namespace tutti::io_models
