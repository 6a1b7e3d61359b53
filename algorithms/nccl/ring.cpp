// SPDX-License-Identifier: BSD-3-Clause
// NCCL's rings (NVIDIA/nccl 2.19 to 2.28, src/device/all_reduce.h, all_gather.h, reduce_scatter.h:
// runRing; RingARAlgorithm in src/include/collectives.h). In each loop of a channel every rank has
// a chunk. In stage 0 a rank sends the chunk of its left neighbor's position; in stages 1 to P-1 it
// receives a chunk, adds its own data and forwards it; the sum of its own chunk is complete in
// stage P-1, and is distributed in stages P to 2P-2:
//   reduce_scatter: stages 0 to P-1;  allgather: P-1 to 2P-2;  allreduce: 0 to 2P-2
// Each rank sends (P-1)/P of the data, allreduce twice that. A slice is forwarded when it has
// arrived, while the next one is on its way; loops follow each other without a pause.
//   Derived for all channels together: Hockney (P-1) (l + m/(P b)) per half, + combine
#include "algorithms/allgather/allgather.hpp"
#include "algorithms/nccl/channels.hpp"

namespace tutti::algorithms::nccl {
namespace {

enum class RingKind : std::uint8_t { allreduce, reduce_scatter, reduce_scatter_block, allgather };

constexpr int chunk_steps(DeviceProtocol protocol) {
  return protocol == DeviceProtocol::simple ? 4 : 1;
}
constexpr int slices_of(DeviceProtocol protocol) {
  return protocol == DeviceProtocol::simple ? 2 : 1;
}

// A part of a block of the data: of a rank's block, or (allreduce) of the vector.
struct RingPiece {
  Bytes block_offset = 0;
  Range range;
};

class RingPlan {
 public:
  RingPlan(RingKind kind, DeviceProtocol protocol, const CollectiveArgs& args, RankId procs)
      : kind_(kind),
        args_(args),
        procs_(procs),
        blocks_(kind == RingKind::reduce_scatter ? RankBlocks::of_vector(args, procs)
                                                 : RankBlocks::of_blocks(args, procs)),
        channels_(args, kind == RingKind::allreduce ? args.message_bytes : blocks_.longest(),
                  kind == RingKind::allreduce ? 2 : procs),
        chunk_(chunk_bytes(args, protocol, chunk_steps(protocol))),
        slicing_(args_, slices_of(protocol), slice_steps(protocol) * step_bytes(protocol) / 32) {}
  RingPlan(const RingPlan&) = delete;
  RingPlan& operator=(const RingPlan&) = delete;

  const RankBlocks& blocks() const { return blocks_; }
  const Channels& channels() const { return channels_; }
  const Slicing& slicing() const { return slicing_; }
  std::int64_t first_stage() const { return kind_ == RingKind::allgather ? procs_ - 1 : 0; }
  std::int64_t last_stage() const {
    return kind_ == RingKind::allgather || kind_ == RingKind::allreduce ? 2 * (procs_ - 1)
                                                                        : procs_ - 1;
  }
  std::int64_t stages() const { return last_stage() - first_stage(); }
  std::int64_t loops(int channel) const {
    return divided_up(channels_.part(channel).bytes, loop_bytes());
  }
  bool is_distributed() const { return kind_ != RingKind::allreduce; }

  // The chunk of a loop that belongs to the rank at a position of the ring.
  RingPiece piece(const Ring& ring, int channel, std::int64_t loop, RankId position) const {
    const Range part = channels_.part(channel);
    if (is_distributed()) {
      const RankId rank = ring.rank(position);
      const Range of_block = Range{0, blocks_.bytes(rank)}.part(part.offset, part.bytes);
      return {blocks_.offset(rank), of_block.part(loop * chunk_, chunk_)};
    }
    const Range of_loop = part.part(loop * loop_bytes(), loop_bytes());
    const Bytes chunk = chunk_of(of_loop.bytes);
    return {0, of_loop.part(position * chunk, chunk)};
  }
  // Where a rank's own data of a piece are, and where its result belongs.
  Slice own(const RingPiece& piece) const {
    return {piece.block_offset + piece.range.offset, piece.range.bytes, runtime::send_buffer};
  }
  Slice result(const RingPiece& piece) const {
    const bool has_own_block_only = is_distributed() && kind_ != RingKind::allgather;
    return {(has_own_block_only ? 0 : piece.block_offset) + piece.range.offset, piece.range.bytes,
            runtime::recv_buffer};
  }

  // The loops with chunks of full size, and the last one with smaller chunks.
  std::vector<StepPhase> phases() const {
    const Bytes part = channels_.longest();
    const Bytes rest = part % loop_bytes();
    std::vector<StepPhase> found;
    const auto add = [&](std::int64_t loops, Bytes chunk) {
      StepPhase phase = around_a_ring(loops * stages(), chunk);
      phase.period = static_cast<int>(stages());
      phase.ahead = channels_.count();
      if (loops > 0) found.push_back(phase);
    };
    add(part / loop_bytes(), chunk_);
    add(rest > 0 ? 1 : 0, is_distributed() ? rest : chunk_of(rest));
    return found;
  }
  // Number of slices of all chunks.
  std::int64_t slices() const {
    std::int64_t count = 0;
    for (int channel = 0; channel < channels_.count(); ++channel) {
      const Range part = channels_.part(channel);
      if (!is_distributed()) {
        const Bytes rest = part.bytes % loop_bytes();
        count += slicing_.count_of(part.bytes - rest, chunk_);
        if (rest > 0) count += slicing_.count_of(rest, chunk_of(rest));
        continue;
      }
      const auto of_block = [&](Bytes bytes) {
        return slicing_.count_of(Range{0, bytes}.part(part.offset, part.bytes).bytes, chunk_);
      };
      if (blocks_.equal()) count += procs_ * of_block(blocks_.bytes(0));
      for (RankId rank = 0; rank < procs_ && !blocks_.equal(); ++rank)
        count += of_block(blocks_.bytes(rank));
    }
    return count;
  }

 private:
  static constexpr int slice_steps(DeviceProtocol protocol) {
    return chunk_steps(protocol) / slices_of(protocol);
  }
  // Of a channel's part of the vector or of each block.
  Bytes loop_bytes() const { return is_distributed() ? chunk_ : procs_ * chunk_; }
  // The last loop divides what remains among all ranks.
  Bytes chunk_of(Bytes loop) const {
    return std::min(chunk_, aligned_up(divided_up(loop, procs_), args_));
  }

  RingKind kind_;
  CollectiveArgs args_;
  RankId procs_;
  RankBlocks blocks_;
  Channels channels_;
  Bytes chunk_;
  Slicing slicing_;
};

Task run_ring_channel(Rank& me, const RingPlan& plan, const CollectiveArgs& args, int channel) {
  const Ring ring(*args.hierarchy, channel);
  const RankId procs = me.size();
  const RankId place = ring.position(me.id());
  const RankId right = ring.after(me.id());
  const RankId left = ring.before(me.id());
  const auto piece = [&](std::int64_t loop, std::int64_t stage) {
    const auto position =
        static_cast<RankId>((place - 1 - stage + 2 * std::int64_t{procs}) % procs);
    return plan.piece(ring, channel, loop, position);
  };
  Slots slots;
  for (std::int64_t step = 0; step < plan.loops(channel) * plan.stages(); ++step) {
    const std::int64_t loop = step / plan.stages();
    const std::int64_t stage = plan.first_stage() + step % plan.stages();
    if (stage == plan.first_stage()) {
      const RingPiece first = piece(loop, stage);
      const Slice data = stage == 0 ? plan.own(first) : plan.result(first);
      const Bytes length = plan.slicing().slice_bytes(data.bytes);
      for (Bytes at = 0; at < data.bytes; at += length) {
        if (const auto sent = slots.take()) co_await me.wait(*sent);
        slots.put(
            me.isend({.to = right, .data = data.part(at, std::min(length, data.bytes - at))}));
      }
    }
    const RingPiece next = piece(loop, stage + 1);
    const bool reduces = stage + 1 < procs;
    const bool is_sum = stage + 1 == procs - 1;
    const bool forwards = stage + 1 < plan.last_stage();
    const Bytes length = plan.slicing().slice_bytes(next.range.bytes);
    for (Bytes at = 0; at < next.range.bytes; at += length) {
      const Bytes bytes = std::min(length, next.range.bytes - at);
      if (const auto sent = slots.take()) co_await me.wait(*sent);
      const Slice result = plan.result(next).part(at, bytes);
      const Slice slot{.bytes = bytes, .buffer = slots.buffer()};
      const Slice received = reduces ? slot : result;
      co_await me.recv({.from = left, .data = received});
      if (is_sum) me.copy(result, plan.own(next).part(at, bytes));
      if (reduces)
        me.combine(is_sum ? result : slot, is_sum ? slot : plan.own(next).part(at, bytes));
      if (forwards) slots.put(me.isend({.to = right, .data = is_sum ? result : received}));
    }
  }
  const auto rest = slots.rest();
  co_await me.wait_all(rest);
}

Task run_ring(Rank& me, CollectiveArgs args, RingKind kind, DeviceProtocol protocol) {
  const RingPlan plan(kind, protocol, args, me.size());
  if (kind == RingKind::allgather) copy_own_block(me, plan.blocks());
  co_await run_channels(me, plan.channels().count(), [&](Rank& inner, int channel) {
    return run_ring_channel(inner, plan, args, channel);
  });
}

template <RingKind kind, DeviceProtocol protocol>
Task ring_program(Rank& me, CollectiveArgs args) {
  return run_ring(me, args, kind, protocol);
}

template <RingKind kind, DeviceProtocol protocol>
Seconds ring_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const RingPlan plan(kind, protocol, args.call, args.procs);
  const Bytes bytes = plan.is_distributed() ? plan.blocks().longest()
                                            : divided_up(args.call.message_bytes, args.procs);
  const Seconds combine_s = kind == RingKind::allgather ? 0 : cost.combine(bytes);
  return static_cast<double>(plan.stages()) * cost.hop(bytes) + (args.procs - 1) * combine_s;
}

template <RingKind kind, DeviceProtocol protocol>
std::int64_t ring_messages(const ModelArgs& args) {
  const RingPlan plan(kind, protocol, args.call, args.procs);
  return plan.slices() * plan.stages();
}

template <RingKind kind, DeviceProtocol protocol>
std::vector<StepPhase> ring_steps(const ModelArgs& args) {
  return RingPlan(kind, protocol, args.call, args.procs).phases();
}

template <RingKind kind, DeviceProtocol protocol>
constexpr Algorithm ring_entry() {
  return {.segmented = true,
          .default_fanout = 16,
          .restriction = restriction,
          .program = reduction::program<ring_program<kind, protocol>>,
          .cost = reduction::cost<ring_cost<kind, protocol>>,
          .messages = reduction::messages<ring_messages<kind, protocol>>,
          .runs = is_possible,
          .by_nodes = true,
          .device_protocol = protocol,
          .steps = reduction::steps<ring_steps<kind, protocol>>};
}

}  // namespace

const Algorithm allreduce_ring_simple = ring_entry<RingKind::allreduce, DeviceProtocol::simple>();
const Algorithm allreduce_ring_ll = ring_entry<RingKind::allreduce, DeviceProtocol::ll>();
const Algorithm allreduce_ring_ll128 = ring_entry<RingKind::allreduce, DeviceProtocol::ll128>();
const Algorithm allgather_ring_simple = ring_entry<RingKind::allgather, DeviceProtocol::simple>();
const Algorithm allgather_ring_ll = ring_entry<RingKind::allgather, DeviceProtocol::ll>();
const Algorithm allgather_ring_ll128 = ring_entry<RingKind::allgather, DeviceProtocol::ll128>();
const Algorithm reduce_scatter_ring_simple =
    ring_entry<RingKind::reduce_scatter, DeviceProtocol::simple>();
const Algorithm reduce_scatter_ring_ll = ring_entry<RingKind::reduce_scatter, DeviceProtocol::ll>();
const Algorithm reduce_scatter_ring_ll128 =
    ring_entry<RingKind::reduce_scatter, DeviceProtocol::ll128>();
const Algorithm reduce_scatter_block_ring_simple =
    ring_entry<RingKind::reduce_scatter_block, DeviceProtocol::simple>();
const Algorithm reduce_scatter_block_ring_ll =
    ring_entry<RingKind::reduce_scatter_block, DeviceProtocol::ll>();
const Algorithm reduce_scatter_block_ring_ll128 =
    ring_entry<RingKind::reduce_scatter_block, DeviceProtocol::ll128>();

}  // namespace tutti::algorithms::nccl
