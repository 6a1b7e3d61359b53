// SPDX-License-Identifier: BSD-3-Clause
// NCCL's allreduce with NVLink SHARP in one domain (NVIDIA/nccl 2.19 to 2.28,
// src/device/all_reduce.h: NVLS; chunk sizes in src/enqueue.cc). A loop of a channel has a chunk
// for each GPU, its head: the head reads the chunk's sum through the switch, and writes it to all
// GPUs by a multicast. Here, these are messages of all GPUs to the head and from it to all, of
// which the links carry what the switch does (nvls.hpp). Chunks of later loops are read while sums
// are written.
//   Derived, L loops of chunks of c bytes on n channels: Hockney 2 L (P - 1) (l + n c/b)
#include "algorithms/nccl/nvls.hpp"

#include "algorithms/nccl/channels.hpp"

namespace tutti::algorithms::nccl {

double data_per_multicast_byte(std::string_view architecture, int gpus) {
  const double efficiency = architecture == "blackwell" ? 0.74 : 0.85;
  return efficiency * 2 * (gpus - 1) / (gpus + 1);
}

namespace {

constexpr int loops_ahead = 2;  // loops that are read before sums are written

class NvlsPlan {
 public:
  NvlsPlan(const CollectiveArgs& args, RankId heads)
      : heads_(heads), channels_(args, args.message_bytes, 2) {
    if (args.segment_bytes > 0) {
      chunk_ = chunk_bytes(args, DeviceProtocol::simple, 1);
      return;
    }
    // Shorter chunks if there are few: {loops, size}.
    constexpr std::pair<Bytes, Bytes> rules[] = {{64, 65536}, {8, 32768}, {2, 16384}};
    const Bytes at_once = std::int64_t{channels_.count()} * heads;
    for (const auto& [loops, bytes] : rules)
      if (args.message_bytes < loops * at_once * chunk_) chunk_ = std::min(chunk_, bytes);
    chunk_ = chunk_ / args.element_bytes * args.element_bytes;
  }

  const Channels& channels() const { return channels_; }
  Bytes chunk() const { return chunk_; }
  std::int64_t loops(int channel) const {
    return divided_up(channels_.part(channel).bytes, heads_ * chunk_);
  }
  Range chunk_of(int channel, std::int64_t loop, RankId head) const {
    return channels_.part(channel).part((loop * heads_ + head) * chunk_, chunk_);
  }
  std::int64_t chunks() const {
    std::int64_t all = 0;
    for (int channel = 0; channel < channels_.count(); ++channel)
      all += divided_up(channels_.part(channel).bytes, chunk_);
    return all;
  }

 private:
  RankId heads_;
  Channels channels_;
  Bytes chunk_ = 128 * 1024;  // NCCL_NVLS_CHUNKSIZE
};

Slice in_vector(const Range& range, std::int32_t buffer) {
  return {range.offset, range.bytes, buffer};
}

// Calls use(peer) for all others, beginning with the next rank.
template <class Use>
void for_each_peer(const Rank& me, Use use) {
  for (RankId step = 1; step < me.size(); ++step) use((me.id() + step) % me.size());
}

Task run_nvls_channel(Rank& me, const NvlsPlan& plan, int channel) {
  const std::int64_t loops = plan.loops(channel);
  std::vector<Request> sends;
  const auto read = [&](std::int64_t loop) {
    for_each_peer(me, [&](RankId head) {
      const Range range = plan.chunk_of(channel, loop, head);
      if (range.bytes > 0)
        sends.push_back(me.isend({.to = head, .data = in_vector(range, runtime::send_buffer)}));
    });
  };
  for (std::int64_t loop = 0; loop < std::min<std::int64_t>(loops_ahead, loops); ++loop) read(loop);
  for (std::int64_t loop = 0; loop < loops + loops_ahead; ++loop) {
    if (loop + loops_ahead < loops) read(loop + loops_ahead);
    const Range own = loop < loops ? plan.chunk_of(channel, loop, me.id()) : Range{};
    const Slice sum = in_vector(own, runtime::recv_buffer);
    if (own.bytes > 0) {
      me.copy(sum, in_vector(own, runtime::send_buffer));
      for (RankId step = 1; step < me.size(); ++step) {
        const Slice part{.bytes = own.bytes, .buffer = runtime::scratch_buffer};
        co_await me.recv({.from = (me.id() + me.size() - step) % me.size(), .data = part});
        me.combine(sum, part);
      }
      for_each_peer(me, [&](RankId peer) { sends.push_back(me.isend({.to = peer, .data = sum})); });
    }
    if (loop < loops_ahead) continue;
    for (RankId step = 1; step < me.size(); ++step) {
      const RankId head = (me.id() + me.size() - step) % me.size();
      const Range range = plan.chunk_of(channel, loop - loops_ahead, head);
      if (range.bytes == 0) continue;
      co_await me.recv({.from = head, .data = in_vector(range, runtime::recv_buffer)});
    }
    // Sends that have ended are waited for without a pause.
    std::vector<Request> pending;
    for (const Request request : sends) {
      if (me.is_done(request))
        co_await me.wait(request);
      else
        pending.push_back(request);
    }
    sends = std::move(pending);
  }
  co_await me.wait_all(sends);
}

Task run_nvls(Rank& me, CollectiveArgs args) {
  const NvlsPlan plan(args, me.size());
  co_await run_channels(me, plan.channels().count(), [&](Rank& inner, int channel) {
    return run_nvls_channel(inner, plan, channel);
  });
}

Seconds nvls_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const NvlsPlan plan(args.call, args.procs);
  const Bytes chunk = divided_up(args.call.message_bytes, plan.loops(0) * args.procs);
  return 2 * static_cast<double>(plan.loops(0)) *
         (cost.hop(chunk) + (args.procs - 2) * cost.next(chunk));
}

std::int64_t nvls_messages(const ModelArgs& args) {
  return 2 * std::int64_t{args.procs - 1} * NvlsPlan(args.call, args.procs).chunks();
}

std::vector<StepPhase> nvls_steps(const ModelArgs& args) {
  const NvlsPlan plan(args.call, args.procs);
  StepPhase chunks = chunks_of_pipeline(plan.channels(), plan.chunk());
  chunks.period = args.procs;
  return {chunks};
}

bool is_one_domain(const ModelArgs& args) {
  return is_possible(args) && args.call.hierarchy->groups() == 1;
}

}  // namespace

const Algorithm allreduce_nvls{
    .segmented = true,
    .default_fanout = 16,
    .restriction = "a commutative operation, GPUs of one node, at most 60 channels",
    .program = reduction::program<run_nvls>,
    .cost = reduction::cost<nvls_cost>,
    .messages = reduction::messages<nvls_messages>,
    .runs = is_one_domain,
    .by_nodes = true,
    .device_protocol = DeviceProtocol::simple,
    .steps = reduction::steps<nvls_steps>,
};

}  // namespace tutti::algorithms::nccl
