// SPDX-License-Identifier: BSD-3-Clause
// MPICH's Bruck alltoall of radix k (`fanout`): blocks are rotated so that block i is for rank + i;
// in phase d = 1, k, k^2, ... a rank sends, for j = 1 .. k-1, all blocks whose number has digit j
// there to rank + j d, packed, and receives as many from rank - j d. Finally block i is from rank -
// i. Derived: in each phase exchange of the blocks with digit 1, then next for each of the others.
#include "algorithms/algorithm.hpp"
#include "algorithms/radix_bruck.hpp"

namespace tutti::algorithms {
namespace {

constexpr int default_alltoall_radix = 2;  // MPIR_CVAR_ALLTOALL_BRUCKS_KVAL

// The blocks whose number has digit j in phase d: runs of d blocks, k d apart, the first at j d.
class BlocksWithDigit {
 public:
  BlocksWithDigit(std::int64_t procs, std::int64_t radix, std::int64_t distance, std::int64_t j)
      : procs_(procs), stride_(radix * distance), distance_(distance), first_(j * distance) {}

  std::int64_t count() const {
    const std::int64_t whole = procs_ / stride_ * distance_;
    return whole + std::clamp<std::int64_t>(procs_ % stride_ - first_, 0, distance_);
  }
  // Calls use(run in place, run in the packed buffer), each as first block and number of blocks.
  template <class Use>
  void for_each_run(Use use) const {
    std::int64_t packed = 0;
    for (std::int64_t first = first_; first < procs_; first += stride_) {
      const std::int64_t length = std::min(distance_, procs_ - first);
      use(first, packed, length);
      packed += length;
    }
  }

 private:
  std::int64_t procs_;
  std::int64_t stride_;
  std::int64_t distance_;
  std::int64_t first_;
};

class Bruck {
 public:
  Bruck(Rank& me, const CollectiveArgs& args)
      : me_(me),
        radix_(fanout_or(default_alltoall_radix, args)),
        blocks_(RankBlocks::of_blocks(args, me.size())) {}

  std::int64_t radix() const { return radix_; }
  BlocksWithDigit blocks(std::int64_t distance, std::int64_t j) const {
    return {me_.size(), radix_, distance, j};
  }
  void turn() const {
    const std::int64_t unwrapped = me_.size() - me_.id();
    me_.allocate(blocks_.total());
    me_.copy(blocks_.run(0, unwrapped), blocks_.run(me_.id(), unwrapped, runtime::send_buffer));
    me_.copy(blocks_.run(unwrapped, me_.id()), blocks_.run(0, me_.id(), runtime::send_buffer));
  }
  // Block i moves to rank - i.
  void turn_back() const {
    const Slice whole = blocks_.run(0, me_.size());
    const Slice copied{whole.offset, whole.bytes, runtime::scratch_buffer};
    me_.copy(copied, whole);
    for (std::int64_t i = 0; i < me_.size(); ++i)
      me_.copy(blocks_.block((me_.id() + me_.size() - i) % me_.size()),
               blocks_.block(i, runtime::scratch_buffer));
  }
  Slice packed(std::int64_t count, std::int64_t j, bool incoming) const {
    return blocks_.run(
        0, count,
        static_cast<std::int32_t>(runtime::scratch_buffer + 2 * j - 1 + (incoming ? 1 : 0)));
  }
  void pack(std::int64_t distance, std::int64_t j) const {
    const std::int32_t buffer = packed(0, j, false).buffer;
    blocks(distance, j).for_each_run([&](std::int64_t first, std::int64_t to, std::int64_t length) {
      me_.copy(blocks_.run(to, length, buffer), blocks_.run(first, length));
    });
  }
  void unpack(std::int64_t distance, std::int64_t j) const {
    const std::int32_t buffer = packed(0, j, true).buffer;
    blocks(distance, j)
        .for_each_run([&](std::int64_t first, std::int64_t from, std::int64_t length) {
          me_.copy(blocks_.run(first, length), blocks_.run(from, length, buffer));
        });
  }

 private:
  Rank& me_;
  std::int64_t radix_;
  RankBlocks blocks_;
};

Task alltoall_k_brucks(Rank& me, CollectiveArgs args) {
  const Bruck bruck(me, args);
  const std::int64_t procs = me.size();
  bruck.turn();
  for (std::int64_t distance = 1; distance < procs; distance *= bruck.radix()) {
    std::vector<Request> requests;
    for (std::int64_t j = 1; j < bruck.radix() && j * distance < procs; ++j) {
      const std::int64_t apart = j * distance;
      const std::int64_t count = bruck.blocks(distance, j).count();
      bruck.pack(distance, j);
      requests.push_back(me.irecv({.from = static_cast<RankId>((me.id() + procs - apart) % procs),
                                   .data = bruck.packed(count, j, true)}));
      requests.push_back(me.isend({.to = static_cast<RankId>((me.id() + apart) % procs),
                                   .data = bruck.packed(count, j, false)}));
    }
    co_await me.wait_all(requests);
    for (std::int64_t j = 1; j < bruck.radix() && j * distance < procs; ++j)
      bruck.unpack(distance, j);
  }
  bruck.turn_back();
}

Seconds alltoall_k_brucks_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const std::int64_t procs = args.procs;
  const std::int64_t radix = fanout_or(default_alltoall_radix, args.call);
  Seconds total_s = 0;
  for (std::int64_t distance = 1; distance < procs; distance *= radix)
    for (std::int64_t j = 1; j < radix && j * distance < procs; ++j) {
      const Bytes bytes =
          BlocksWithDigit(procs, radix, distance, j).count() * args.call.message_bytes;
      total_s += j == 1 ? cost.exchange(bytes) : cost.next(bytes);
    }
  return total_s;
}

std::int64_t alltoall_k_brucks_messages(const ModelArgs& args) {
  return radix_bruck_messages(args.procs, fanout_or(default_alltoall_radix, args.call));
}

}  // namespace

const Algorithm alltoall::k_brucks{
    .default_fanout = default_alltoall_radix,
    .least_fanout = 2,
    .program = mpich::program<alltoall_k_brucks>,
    .cost = mpich::cost<alltoall_k_brucks_cost>,
    .messages = mpich::messages<alltoall_k_brucks_messages>,
};

}  // namespace tutti::algorithms
