// SPDX-License-Identifier: BSD-3-Clause
// How NCCL divides the data of a call. The kernel of a call has a thread block for each channel;
// channels work at the same time, each on a part of the data. A channel moves its part in loops, a
// loop in chunks, and a chunk in slices: a slice is the unit that is sent, and forwarded as soon as
// it has arrived. Sizes are those of NCCL's buffers by default:
//   a buffer has 8 steps (NCCL_STEPS). A step has 512 KiB of data with Simple, 32 KiB with LL (half
//   of the buffer contains flags), and 576,000 bytes with LL128 (15 of 16 words are data);
//   a ring's chunk has 4 steps in slices of 2 with Simple, otherwise 1 step
// (NVIDIA/nccl 2.19 to 2.28: src/include/device.h, src/include/collectives.h, src/init.cc; the
// division is that of scheduleCollTasksToPlan and calcCollChunking in src/enqueue.cc).
#pragma once

#include "algorithms/algorithm.hpp"
#include "algorithms/hierarchical/hierarchy.hpp"
#include "platforms/devices.hpp"
#include "sim/runtime/concurrent.hpp"

namespace tutti::algorithms::nccl {

using platforms::DeviceProtocol;

inline constexpr int buffer_steps = 8;

// The data of one step of a channel's buffer.
constexpr Bytes step_bytes(DeviceProtocol protocol) {
  constexpr Bytes by_protocol[] = {Bytes{512} * 1024, Bytes{32} * 1024, 576'000};
  return by_protocol[static_cast<std::size_t>(protocol)];
}

struct Range {
  Bytes offset = 0;
  Bytes bytes = 0;

  // `length` bytes from `from` on, as far as they are in the range.
  Range part(Bytes from, Bytes length) const {
    const Bytes begin = std::min(from, bytes);
    return {offset + begin, std::min(length, bytes - begin)};
  }
};

// Multiples of 16 bytes, or of an element that does not divide them.
inline Bytes aligned_up(Bytes bytes, const CollectiveArgs& args) {
  const Bytes grain = 16 % args.element_bytes == 0 ? 16 : args.element_bytes;
  return (bytes + grain - 1) / grain * grain;
}
inline Bytes divided_up(Bytes bytes, Bytes parts) { return (bytes + parts - 1) / parts; }

// The unit in which data are distributed over channels: its traffic is 16 KiB.
Bytes cell_bytes(const CollectiveArgs& args, std::int64_t traffic_per_byte);

// The parts of the channels: multiples of a cell, so that short messages have fewer
// channels. `bytes` are divided; each causes a traffic of `traffic_per_byte`.
class Channels {
 public:
  Channels(const CollectiveArgs& args, Bytes bytes, std::int64_t traffic_per_byte);

  int count() const { return count_; }  // of channels that have data; at least 1
  Range part(int channel) const {
    return Range{0, bytes_}.part(channel * per_channel_, per_channel_);
  }
  Bytes longest() const { return std::min(bytes_, per_channel_); }

 private:
  Bytes bytes_;
  Bytes per_channel_;
  int count_;
};

// The slices of a chunk.
class Slicing {
 public:
  // At most `slices` slices, of at least `least_bytes`.
  Slicing(const CollectiveArgs& args, int slices, Bytes least_bytes)
      : args_(&args), slices_(slices), least_bytes_(aligned_up(least_bytes, args)) {}

  Bytes slice_bytes(Bytes chunk) const {
    return std::max(aligned_up(divided_up(chunk, slices_), *args_), least_bytes_);
  }
  std::int64_t count(Bytes chunk) const {
    return chunk == 0 ? 0 : divided_up(chunk, slice_bytes(chunk));
  }
  // Number of slices of `bytes` that are cut into chunks.
  std::int64_t count_of(Bytes bytes, Bytes chunk) const {
    return bytes / chunk * count(chunk) + count(bytes % chunk);
  }

 private:
  const CollectiveArgs* args_;
  int slices_;
  Bytes least_bytes_;
};

// The size of a chunk of `steps` steps: the call's segment size, if it has one.
Bytes chunk_bytes(const CollectiveArgs& args, DeviceProtocol protocol, int steps);

// The chunks of the longest part, as Algorithm::steps (sim/jobs/extrapolation/device_calls.hpp).
StepPhase chunks_of_pipeline(const Channels& channels, Bytes chunk);

// The slots of a channel's buffer, from which it sends: the next send waits for the one that had
// its slot.
class Slots {
 public:
  std::int32_t buffer() const { return runtime::scratch_buffer + static_cast<std::int32_t>(next_); }
  // The send that must end before the next slot is used.
  std::optional<Request> take() { return std::exchange(sent_[next_], std::nullopt); }
  void put(Request request) {
    sent_[next_] = request;
    next_ = (next_ + 1) % sent_.size();
  }
  std::vector<Request> rest() const;

 private:
  std::array<std::optional<Request>, buffer_steps> sent_;
  std::size_t next_ = 0;
};

// The order of the ranks in the ring of a channel: node after node. Inside a node, the path of
// channel c begins with its c-th GPU, and then goes to the GPUs 1 above, 1 below, 2 above, 2 below,
// ... the first: for an even number of GPUs, the paths of as many channels use each link between
// two GPUs in each direction once, and each NIC once for each direction. The paths of every second
// node are reversed if the number of nodes is even, so that a message arrives at the rail on which
// it was sent.
class Ring {
 public:
  Ring(const Hierarchy& nodes, int channel) : nodes_(&nodes), channel_(channel) {}

  RankId position(RankId rank) const;
  RankId rank(RankId position) const;
  RankId size() const { return static_cast<RankId>(nodes_->members().size()); }
  RankId after(RankId rank) const { return this->rank((position(rank) + 1) % size()); }
  RankId before(RankId rank) const { return this->rank((position(rank) + size() - 1) % size()); }

 private:
  RankId reversed(std::uint32_t node, RankId place) const;

  const Hierarchy* nodes_;
  int channel_;
};

// The place of a node's n-th GPU on the path of a channel, and the GPU at a place.
RankId place_on_path(RankId gpu, RankId gpus, int channel);
RankId gpu_on_path(RankId place, RankId gpus, int channel);

// Runs a program for each channel.
using ChannelProgram = std::function<Task(Rank& me, int channel)>;
Task run_channels(Rank& me, int channels, ChannelProgram program);

// At most this number of programs run concurrently.
inline constexpr int most_channels = 60;

inline bool is_possible(const ModelArgs& args) {
  return args.call.hierarchy != nullptr && args.call.commutative &&
         args.call.fanout <= most_channels;
}
inline constexpr std::string_view restriction = "a commutative operation, at most 60 channels";

}  // namespace tutti::algorithms::nccl
