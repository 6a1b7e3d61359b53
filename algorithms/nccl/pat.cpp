// SPDX-License-Identifier: BSD-3-Clause
// NCCL's PAT (parallel aggregated trees) for nodes of one GPU each (NVIDIA/nccl 2.23 to 2.28,
// src/include/collectives.h: PatAGAlgorithm, PatRSAlgorithm; Jeaugey, arXiv 2506.20252, 2025). The
// block of each rank is distributed over a binomial tree, or summed up over it, the farthest
// distance first (last for the sum): at distance d a rank sends to the rank d above the blocks of
// the ranks o below it, for all multiples o of 2d with o + d < P. A message contains as many blocks
// as fit into a chunk: short blocks need log2 P messages, long ones one for each block and chunk.
// Here, a rank ends a distance before it begins the next one; NCCL overlaps the trees.
//   Derived: Hockney log2 P l + (P-1) m/b, + combine
#include "algorithms/allgather/allgather.hpp"
#include "algorithms/nccl/channels.hpp"

namespace tutti::algorithms::nccl {
namespace {

enum class PatKind : std::uint8_t { allgather, reduce_scatter, reduce_scatter_block };

class PatPlan {
 public:
  PatPlan(PatKind kind, const CollectiveArgs& args, RankId procs)
      : procs_(procs),
        blocks_(kind == PatKind::reduce_scatter ? RankBlocks::of_vector(args, procs)
                                                : RankBlocks::of_blocks(args, procs)),
        channels_(args, blocks_.longest(), procs),
        chunk_(chunk_bytes(args, DeviceProtocol::simple, 1)) {
    const int loops = kind == PatKind::allgather ? 32 : 16;
    if (args.segment_bytes == 0)
      while (chunk_ * channels_.count() * loops > blocks_.total() && chunk_ > 65536) chunk_ /= 2;
    chunk_ = std::max(args.element_bytes, chunk_ / args.element_bytes * args.element_bytes);
  }

  const RankBlocks& blocks() const { return blocks_; }
  const Channels& channels() const { return channels_; }
  std::int64_t loops(int channel) const {
    return divided_up(channels_.part(channel).bytes, chunk_);
  }
  // The part of a rank's block that a channel moves in a loop.
  Slice piece(RankId rank, int channel, std::int64_t loop, std::int32_t buffer) const {
    const Range part = channels_.part(channel);
    const Range range =
        Range{0, blocks_.bytes(rank)}.part(part.offset, part.bytes).part(loop * chunk_, chunk_);
    return {blocks_.offset(rank) + range.offset, range.bytes, buffer};
  }
  RankId first_distance() const {
    return static_cast<RankId>(std::bit_ceil(static_cast<unsigned>(procs_)) / 2);
  }
  // Calls use(first offset, offset after the last one) for each message at a distance. `longest` is
  // the size of the largest piece in the loop.
  template <class Use>
  void for_each_message(RankId distance, Bytes longest, Use use) const {
    const RankId stride = 2 * distance;
    const RankId blocks = (procs_ - distance + stride - 1) / stride;
    const auto at_once =
        static_cast<RankId>(std::clamp<Bytes>(longest == 0 ? 1 : chunk_ / longest, 1, blocks));
    for (RankId first = 0; first < blocks; first += at_once)
      use(first * stride, std::min(first + at_once, blocks) * stride);
  }
  Bytes longest_piece(int channel, std::int64_t loop) const {
    return channels_.part(channel).part(loop * chunk_, chunk_).bytes;
  }

 private:
  RankId procs_;
  RankBlocks blocks_;
  Channels channels_;
  Bytes chunk_;
};

// The blocks of one message, as they are packed.
struct Packed {
  std::vector<Slice> pieces;
  Bytes bytes = 0;

  void add(const Slice& piece) {
    pieces.push_back(piece);
    bytes += piece.bytes;
  }
};

void pack(Rank& me, const Packed& packed, const Slice& message) {
  Bytes at = 0;
  for (const Slice& piece : packed.pieces) {
    me.copy(message.part(at, piece.bytes), piece);
    at += piece.bytes;
  }
}

void unpack(Rank& me, const Packed& packed, const Slice& message, bool combines) {
  Bytes at = 0;
  for (const Slice& piece : packed.pieces) {
    if (combines)
      me.combine(piece, message.part(at, piece.bytes));
    else
      me.copy(piece, message.part(at, piece.bytes));
    at += piece.bytes;
  }
}

constexpr std::int32_t sums_buffer = runtime::scratch_buffer + 20;
constexpr std::int32_t received_buffer = runtime::scratch_buffer + 21;

struct PatStep {
  bool reduces = false;
  int channel = 0;
  std::int64_t loop = 0;
};

// Sends and receives the messages of one distance.
Task run_distance(Rank& me, const PatPlan& plan, PatStep step, RankId distance) {
  const bool reduces = step.reduces;
  const std::int32_t buffer = reduces ? sums_buffer : runtime::recv_buffer;
  const RankId procs = me.size();
  const RankId up = (me.id() + distance) % procs;
  const RankId down = (me.id() + procs - distance) % procs;
  // The blocks that the rank passes on, and those that it receives.
  const auto blocks = [&](RankId first, RankId end, RankId shift) {
    Packed packed;
    for (RankId offset = first; offset < end; offset += 2 * distance)
      packed.add(plan.piece((me.id() - offset - shift + 2 * procs) % procs, step.channel, step.loop,
                            buffer));
    return packed;
  };
  const Bytes longest = plan.longest_piece(step.channel, step.loop);
  std::vector<Request> sent;
  std::int32_t slot = runtime::scratch_buffer;
  std::vector<std::pair<RankId, RankId>> messages;
  plan.for_each_message(distance, longest,
                        [&](RankId first, RankId end) { messages.emplace_back(first, end); });
  Bytes at = 0;
  for (const auto& [first, end] : messages) {
    const Packed packed = blocks(first, end, reduces ? distance : 0);
    if (packed.bytes == 0) continue;
    const Slice message{at, packed.bytes, slot};
    pack(me, packed, message);
    sent.push_back(me.isend({.to = reduces ? down : up, .data = message}));
    at += packed.bytes;
  }
  for (const auto& [first, end] : messages) {
    const Packed packed = blocks(first, end, reduces ? 0 : distance);
    if (packed.bytes == 0) continue;
    const Slice message{0, packed.bytes, received_buffer};
    co_await me.recv({.from = reduces ? up : down, .data = message});
    unpack(me, packed, message, reduces);
  }
  co_await me.wait_all(sent);
}

Task run_pat_channel(Rank& me, const PatPlan& plan, bool reduces, int channel) {
  for (std::int64_t loop = 0; loop < plan.loops(channel); ++loop) {
    if (reduces)
      for (RankId rank = 0; rank < me.size(); ++rank)
        me.copy(plan.piece(rank, channel, loop, sums_buffer),
                plan.piece(rank, channel, loop, runtime::send_buffer));
    for (RankId distance = plan.first_distance(); !reduces && distance > 0; distance /= 2)
      co_await run_distance(me, plan, {reduces, channel, loop}, distance);
    for (RankId distance = 1; reduces && distance <= plan.first_distance(); distance *= 2)
      co_await run_distance(me, plan, {reduces, channel, loop}, distance);
    if (!reduces) continue;
    const Slice sum = plan.piece(me.id(), channel, loop, sums_buffer);
    me.copy({sum.offset - plan.blocks().offset(me.id()), sum.bytes, runtime::recv_buffer}, sum);
  }
}

Task run_pat(Rank& me, CollectiveArgs args, PatKind kind) {
  const PatPlan plan(kind, args, me.size());
  if (kind == PatKind::allgather) copy_own_block(me, plan.blocks());
  co_await run_channels(me, plan.channels().count(), [&](Rank& inner, int channel) {
    return run_pat_channel(inner, plan, kind != PatKind::allgather, channel);
  });
}

template <PatKind kind>
Task pat_program(Rank& me, CollectiveArgs args) {
  return run_pat(me, args, kind);
}

template <PatKind kind>
Seconds pat_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const PatPlan plan(kind, args.call, args.procs);
  const Bytes block = plan.blocks().longest();
  Seconds all_s = 0;
  for (RankId distance = plan.first_distance(); distance > 0; distance /= 2) {
    const Bytes bytes = (args.procs - distance + 2 * distance - 1) / (2 * distance) * block;
    all_s += cost.hop(bytes) + (kind == PatKind::allgather ? 0 : cost.combine(bytes));
  }
  return all_s;
}

template <PatKind kind>
std::int64_t pat_messages(const ModelArgs& args) {
  const PatPlan plan(kind, args.call, args.procs);
  std::int64_t messages = 0;
  // All ranks send the messages that are not empty.
  const auto filled = [&](int channel, std::int64_t loop, RankId first, RankId end, RankId stride) {
    if (plan.blocks().equal()) return std::int64_t{args.procs};
    std::int64_t ranks = 0;
    for (RankId rank = 0; rank < args.procs; ++rank)
      for (RankId offset = first; offset < end; offset += stride)
        if (plan.piece((rank - offset + args.procs) % args.procs, channel, loop,
                       runtime::recv_buffer)
                .bytes > 0) {
          ++ranks;
          break;
        }
    return ranks;
  };
  for (int channel = 0; channel < plan.channels().count(); ++channel)
    for (std::int64_t loop = 0; loop < plan.loops(channel); ++loop)
      for (RankId distance = plan.first_distance(); distance > 0; distance /= 2)
        plan.for_each_message(distance, plan.longest_piece(channel, loop),
                              [&](RankId first, RankId end) {
                                messages += filled(channel, loop, first, end, 2 * distance);
                              });
  return messages;
}

bool has_one_per_node(const ModelArgs& args) {
  return is_possible(args) && args.call.hierarchy->largest_group() == 1;
}

template <PatKind kind>
constexpr Algorithm pat_entry() {
  return {.segmented = true,
          .default_fanout = 16,
          .restriction = "a commutative operation, one GPU per node, at most 60 channels",
          .program = reduction::program<pat_program<kind>>,
          .cost = reduction::cost<pat_cost<kind>>,
          .messages = reduction::messages<pat_messages<kind>>,
          .runs = has_one_per_node,
          .by_nodes = true,
          .device_protocol = DeviceProtocol::simple};
}

}  // namespace

const Algorithm allgather_pat = pat_entry<PatKind::allgather>();
const Algorithm reduce_scatter_pat = pat_entry<PatKind::reduce_scatter>();
const Algorithm reduce_scatter_block_pat = pat_entry<PatKind::reduce_scatter_block>();

}  // namespace tutti::algorithms::nccl
