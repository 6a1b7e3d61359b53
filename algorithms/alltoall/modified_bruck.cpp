// SPDX-License-Identifier: BSD-3-Clause
// Bruck's alltoall: each rank rotates its blocks so that block i is for rank + i; in step d = 1, 2,
// 4, ... it sends all blocks whose number has bit d to rank + d and receives as many from rank - d;
// finally block i is from rank - i. The blocks of a message are packed and unpacked, and copied
// back from the receive buffer.
//   Table 4.1, without the remains of a dropped term for copies:
//     Hockney ceil(log2 P) l + floor(log2 P) m P / (2 b) + (P - 2^floor(log2 P)) m/b
//     LogGP   log2(P) (o + (P m / 2 - 1) G + max(g, L+o)), as published, with a real log2 for any P
// The Hockney formula is a sum of exchanges: floor(log2 P) of half the blocks, one of the rest.

#include "algorithms/algorithm.hpp"

namespace tutti::algorithms {
namespace {

using runtime::Strided;

constexpr std::int32_t turned = runtime::scratch_buffer;
constexpr std::int32_t out_buffer = runtime::scratch_buffer + 1;
constexpr std::int32_t in_buffer = runtime::scratch_buffer + 2;

// The blocks whose number has a certain bit: runs of `distance` blocks; the last run may be
// shorter.
class BlocksWithBit {
 public:
  BlocksWithBit(const RankBlocks& blocks, std::int64_t distance)
      : blocks_(blocks),
        distance_(distance),
        whole_runs_(blocks.count() / (2 * distance)),
        rest_(std::max<std::int64_t>(0, blocks.count() % (2 * distance) - distance)) {}

  std::int64_t count() const { return whole_runs_ * distance_ + rest_; }
  Slice packed(std::int32_t buffer) const { return blocks_.run(0, count(), buffer); }

  void pack(Rank& me, std::int32_t into, std::int32_t from) const {
    me.copy(runs(into, 1, 0), runs(from, 2, distance_));
    me.copy(rest(into, 1, 0), rest(from, 2, distance_));
  }
  void unpack(Rank& me, std::int32_t into, std::int32_t from) const {
    me.copy(runs(into, 2, distance_), runs(from, 1, 0));
    me.copy(rest(into, 2, distance_), rest(from, 1, 0));
  }
  void copy(Rank& me, std::int32_t into, std::int32_t from) const {
    me.copy(runs(into, 2, distance_), runs(from, 2, distance_));
    me.copy(rest(into, 2, distance_), rest(from, 2, distance_));
  }

 private:
  // The complete runs, `pace` run lengths apart, starting at block `first`; then the incomplete
  // run.
  Strided runs(std::int32_t buffer, std::int64_t pace, std::int64_t first) const {
    return {blocks_.run(first, distance_, buffer), pace * blocks_.run(0, distance_).bytes,
            whole_runs_};
  }
  Slice rest(std::int32_t buffer, std::int64_t pace, std::int64_t first) const {
    return rest_ == 0 ? Slice{.buffer = buffer}
                      : blocks_.run(first + pace * whole_runs_ * distance_, rest_, buffer);
  }

  const RankBlocks& blocks_;
  std::int64_t distance_;
  std::int64_t whole_runs_;
  std::int64_t rest_;  // blocks of the incomplete run
};

// Block i becomes the one for rank + i.
void turn(Rank& me, const RankBlocks& blocks) {
  const std::int64_t unwrapped = me.size() - me.id();
  me.copy(blocks.run(0, unwrapped, turned), blocks.run(me.id(), unwrapped, runtime::send_buffer));
  me.copy(blocks.run(unwrapped, me.id(), turned), blocks.run(0, me.id(), runtime::send_buffer));
}

// Block i is the one from rank - i.
void turn_back(Rank& me, const RankBlocks& blocks) {
  const Bytes bytes = blocks.bytes(0);
  const std::int64_t up_to_mine = me.id() + 1;
  me.copy({blocks.block(me.id()), -bytes, up_to_mine},
          {blocks.block(0, turned), bytes, up_to_mine});
  const std::int64_t above = me.size() - up_to_mine;
  if (above > 0)
    me.copy({blocks.block(me.size() - 1), -bytes, above},
            {blocks.block(up_to_mine, turned), bytes, above});
}

Task alltoall_modified_bruck(Rank& me, CollectiveArgs args) {
  const RankBlocks blocks = RankBlocks::of_blocks(args, me.size());
  const std::int64_t procs = me.size();
  turn(me, blocks);
  for (std::int64_t distance = 1; distance < procs; distance *= 2) {
    const BlocksWithBit moving(blocks, distance);
    moving.pack(me, out_buffer, turned);
    co_await me.sendrecv({.to = static_cast<RankId>((me.id() + distance) % procs),
                          .send = moving.packed(out_buffer),
                          .from = static_cast<RankId>((me.id() + procs - distance) % procs),
                          .recv = moving.packed(in_buffer)});
    moving.unpack(me, runtime::recv_buffer, in_buffer);
    moving.copy(me, turned, runtime::recv_buffer);
  }
  turn_back(me, blocks);
}

Seconds alltoall_modified_bruck_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const Bytes m = args.call.message_bytes;
  const Bytes all = args.procs * m;
  const int whole_steps = std::bit_width(static_cast<unsigned>(args.procs)) - 1;
  const std::int64_t rest = args.procs - (std::int64_t{1} << whole_steps);
  // Half of an odd number of bytes costs the mean of the two neighboring integers.
  const Seconds half_s = (cost.exchange(all / 2) + cost.exchange(all - all / 2)) / 2;
  return whole_steps * half_s + (rest > 0 ? cost.exchange(rest * m) : 0);
}

Seconds alltoall_modified_bruck_printed(const ModelArgs& args,
                                        const platforms::LogGPParameters& p) {
  const double half = static_cast<double>(args.procs * args.call.message_bytes) / 2;
  const Seconds gap_s = p.g_s(static_cast<Bytes>(half));
  return std::log2(args.procs) *
         (p.o_s + std::max(0.0, half - 1) * p.G_s_per_B + std::max(gap_s, p.L_s + p.o_s));
}

}  // namespace

const Algorithm alltoall::modified_bruck{
    .program = alltoall_modified_bruck,
    .cost = alltoall_modified_bruck_cost,
    .printed_loggp = alltoall_modified_bruck_printed,
    .messages = one_per_round,
};

}  // namespace tutti::algorithms
