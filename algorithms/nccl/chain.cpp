// SPDX-License-Identifier: BSD-3-Clause
// NCCL's broadcast and reduction: a pipelined chain along each channel's ring (NVIDIA/nccl 2.19 to
// 2.28, src/device/broadcast.h, reduce.h: runRing). A broadcast ends at the left neighbor of the
// root, a reduction begins at the right one. Chunks have one step in all protocols.
//   Derived, k chunks of c bytes on n channels: Hockney (P - 1) (l + n c/b) + (k - 1) (l + n c/b)
#include "algorithms/nccl/channels.hpp"

namespace tutti::algorithms::nccl {
namespace {

enum class Chain : std::uint8_t { bcast, reduce };

class ChainPlan {
 public:
  ChainPlan(DeviceProtocol protocol, const CollectiveArgs& args)
      : channels_(args, args.message_bytes, 1), chunk_(chunk_bytes(args, protocol, 1)) {}

  const Channels& channels() const { return channels_; }
  Bytes chunk() const { return chunk_; }
  std::int64_t chunks(int channel) const {
    return divided_up(channels_.part(channel).bytes, chunk_);
  }

 private:
  Channels channels_;
  Bytes chunk_;
};

Task run_chain_channel(Rank& me, Chain chain, const ChainPlan& plan, const CollectiveArgs& args,
                       int channel) {
  const Ring ring(*args.hierarchy, channel);
  const RankId procs = me.size();
  const RankId start = ring.position(args.root) + (chain == Chain::reduce ? 1 : 0);
  const RankId place = (ring.position(me.id()) - start + procs) % procs;
  const bool is_first = place == 0, is_last = place == procs - 1;
  const RankId right = ring.after(me.id());
  const RankId left = ring.before(me.id());
  const Range part = plan.channels().part(channel);
  Slots slots;
  for (std::int64_t chunk = 0; chunk < plan.chunks(channel); ++chunk) {
    const Range range = part.part(chunk * plan.chunk(), plan.chunk());
    const Slice result{range.offset, range.bytes, runtime::recv_buffer};
    const Slice own{range.offset, range.bytes, runtime::send_buffer};
    if (const auto sent = slots.take()) co_await me.wait(*sent);
    const Slice slot{.bytes = range.bytes, .buffer = slots.buffer()};
    Slice data = chain == Chain::bcast ? result : is_first ? own : slot;
    if (!is_first) co_await me.recv({.from = left, .data = data});
    if (chain == Chain::reduce && !is_first) {
      if (is_last) me.copy(result, own);
      me.combine(is_last ? result : slot, is_last ? slot : own);
    }
    if (!is_last) slots.put(me.isend({.to = right, .data = data}));
  }
  const auto rest = slots.rest();
  co_await me.wait_all(rest);
}

Task run_chain(Rank& me, CollectiveArgs args, Chain chain, DeviceProtocol protocol) {
  if (reduction::is_trivial(me.size(), args)) co_return;  // a broadcast
  const ChainPlan plan(protocol, args);
  co_await run_channels(me, plan.channels().count(), [&](Rank& inner, int channel) {
    return run_chain_channel(inner, chain, plan, args, channel);
  });
}

template <Chain chain, DeviceProtocol protocol>
Task chain_program(Rank& me, CollectiveArgs args) {
  return run_chain(me, args, chain, protocol);
}

template <Chain chain, DeviceProtocol protocol>
Seconds chain_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const ChainPlan plan(protocol, args.call);
  const Bytes chunk = std::min(args.call.message_bytes, plan.chunk() * plan.channels().count());
  const Seconds combine_s = chain == Chain::reduce ? cost.combine(chunk) : 0;
  return (args.procs - 1) * (cost.hop(chunk) + combine_s) +
         static_cast<double>(plan.chunks(0) - 1) * cost.next(chunk);
}

template <DeviceProtocol protocol>
std::int64_t chain_messages(const ModelArgs& args) {
  const ChainPlan plan(protocol, args.call);
  std::int64_t chunks = 0;
  for (int channel = 0; channel < plan.channels().count(); ++channel)
    chunks += plan.chunks(channel);
  return (args.procs - 1) * chunks;
}

template <DeviceProtocol protocol>
std::vector<StepPhase> chain_steps(const ModelArgs& args) {
  const ChainPlan plan(protocol, args.call);
  return {chunks_of_pipeline(plan.channels(), plan.chunk())};
}

template <Chain chain, DeviceProtocol protocol>
constexpr Algorithm chain_entry() {
  return {.segmented = true,
          .default_fanout = 16,
          .restriction = restriction,
          .program = chain == Chain::bcast ? chain_program<chain, protocol>
                                           : reduction::program<chain_program<chain, protocol>>,
          .cost = reduction::cost<chain_cost<chain, protocol>>,
          .messages = reduction::messages<chain_messages<protocol>>,
          .runs = is_possible,
          .by_nodes = true,
          .device_protocol = protocol,
          .steps = reduction::steps<chain_steps<protocol>>};
}

}  // namespace

const Algorithm bcast_ring_simple = chain_entry<Chain::bcast, DeviceProtocol::simple>();
const Algorithm bcast_ring_ll = chain_entry<Chain::bcast, DeviceProtocol::ll>();
const Algorithm bcast_ring_ll128 = chain_entry<Chain::bcast, DeviceProtocol::ll128>();
const Algorithm reduce_ring_simple = chain_entry<Chain::reduce, DeviceProtocol::simple>();
const Algorithm reduce_ring_ll = chain_entry<Chain::reduce, DeviceProtocol::ll>();
const Algorithm reduce_ring_ll128 = chain_entry<Chain::reduce, DeviceProtocol::ll128>();

}  // namespace tutti::algorithms::nccl
