// SPDX-License-Identifier: BSD-3-Clause
// NCCL's tree allreduce (NVIDIA/nccl 2.19 to 2.28, src/device/all_reduce.h: runTreeSplit): each
// chunk of a channel's part is summed up the channel's tree (trees.hpp) and distributed down it.
// Half of a kernel's threads does the one and half the other, so the chunks that go up overlap with
// those that go down. Chunks are smaller if there are few for the depth of the tree
// (src/enqueue.cc).
//   Derived, depth D = P/N - 1 + log2 N for N nodes, k chunks of c bytes on n channels: Hockney
//   2 D (l + n c/b) + (k - 1) (l + n c/b)
#include "algorithms/nccl/trees.hpp"

namespace tutti::algorithms::nccl {
namespace {

int depth_of(const Hierarchy& nodes) {
  const std::uint32_t count = nodes.groups();
  return static_cast<int>(nodes.members().size() / count) - 1 + std::bit_width(count) - 1;
}

class TreePlan {
 public:
  TreePlan(DeviceProtocol protocol, const CollectiveArgs& args)
      : channels_(args, args.message_bytes, 2),
        chunk_(args.segment_bytes > 0 || protocol == DeviceProtocol::ll
                   ? chunk_bytes(args, protocol, 1)
                   : fitting_chunk(protocol, args)) {}

  const Channels& channels() const { return channels_; }
  Bytes chunk() const { return chunk_; }
  std::int64_t chunks(int channel) const {
    return divided_up(channels_.part(channel).bytes, chunk_);
  }
  std::int64_t all_chunks() const {
    std::int64_t all = 0;
    for (int channel = 0; channel < channels_.count(); ++channel) all += chunks(channel);
    return all;
  }
  Range chunk_of(int channel, std::int64_t number) const {
    return channels_.part(channel).part(number * chunk_, chunk_);
  }

 private:
  Bytes fitting_chunk(DeviceProtocol protocol, const CollectiveArgs& args) const {
    struct Rule {
      double chunks;  // there should be at least this number of chunks ...
      Bytes least;    // ... unless they are this short
    };
    const double depth = depth_of(*args.hierarchy);
    const double nodes = args.hierarchy->groups();
    const double per_node = static_cast<double>(args.hierarchy->members().size()) / nodes;
    const double steps = 1 + std::floor(std::log2(nodes)) + 0.1 * per_node;
    const std::vector<Rule> rules =
        protocol == DeviceProtocol::simple
            ? std::vector<Rule>{{8 * depth, 131072}, {4 * depth, 65536}, {depth, 32768}}
            : std::vector<Rule>{{64 * steps / per_node, 131072}, {16 * steps / per_node, 32768}};
    Bytes chunk = step_bytes(protocol);
    for (const Rule& rule : rules)
      while (static_cast<double>(args.message_bytes / (channels_.count() * chunk)) < rule.chunks &&
             chunk > rule.least)
        chunk /= 2;
    return chunk / args.element_bytes * args.element_bytes;
  }

  Channels channels_;
  Bytes chunk_;
};

// The sends that have not ended.
class Sends {
 public:
  void add(Request request) { sent_.push_back(request); }
  // Those that have ended may be waited for without a pause.
  std::optional<Request> take_ended(const Rank& me) {
    if (sent_.empty() || !me.is_done(sent_.front())) return std::nullopt;
    const Request ended = sent_.front();
    sent_.pop_front();
    return ended;
  }
  std::vector<Request> rest() const { return {sent_.begin(), sent_.end()}; }

 private:
  std::deque<Request> sent_;
};

Slice in_buffer(const Range& range, std::int32_t buffer) {
  return {range.offset, range.bytes, buffer};
}

// The chunks of one direction: the next one, and those of its messages that have not arrived.
struct Direction {
  std::int64_t chunk = 0;
  std::size_t missing = 0;
};

Task run_tree_channel(Rank& me, const TreePlan& plan, const CollectiveArgs& args, int channel) {
  const RankInTree tree = find_in_tree(*args.hierarchy, me.id(), channel, plan.channels().count());
  const std::int64_t chunks = plan.chunks(channel);
  const std::size_t children = tree.children.size();
  Sends sends;
  const auto sum_of = [&](std::int64_t chunk) {
    return in_buffer(plan.chunk_of(channel, chunk), runtime::recv_buffer);
  };
  const auto from_child = [&](std::size_t child, std::int64_t chunk) {
    return Slice{.bytes = sum_of(chunk).bytes,
                 .buffer = runtime::scratch_buffer + static_cast<std::int32_t>(child)};
  };
  const auto send_down = [&](std::int64_t chunk) {
    for (const RankId child : tree.children)
      sends.add(me.isend({.to = child, .data = sum_of(chunk)}));
  };
  const auto send_up = [&](std::int64_t chunk) {
    const Slice sum = sum_of(chunk);
    me.copy(sum, in_buffer(plan.chunk_of(channel, chunk), runtime::send_buffer));
    for (std::size_t child = 0; child < children; ++child)
      me.combine(sum, from_child(child, chunk));
    if (tree.parent) return sends.add(me.isend({.to = *tree.parent, .data = sum}));
    send_down(chunk);
  };
  if (children == 0)
    for (std::int64_t chunk = 0; chunk < chunks; ++chunk) send_up(chunk);
  // The receives of the next chunk that goes up, then that of the next one that goes down.
  std::vector<Request> pending;
  Direction up, down;
  const auto post_up = [&] {  // before the receive of the other direction
    for (std::size_t child = 0; child < children; ++child)
      pending.insert(pending.begin() + static_cast<std::ptrdiff_t>(child),
                     me.irecv({.from = tree.children[child], .data = from_child(child, up.chunk)}));
    up.missing = children;
  };
  while (up.chunk < (children == 0 ? 0 : chunks) || down.chunk < (tree.parent ? chunks : 0)) {
    if (children > 0 && up.chunk < chunks && up.missing == 0) post_up();
    if (tree.parent && down.chunk < chunks && down.missing == 0) {
      pending.push_back(me.irecv({.from = *tree.parent, .data = sum_of(down.chunk)}));
      down.missing = 1;
    }
    const std::size_t ended = co_await me.wait_any(pending);
    const bool goes_up = ended < up.missing;
    pending.erase(pending.begin() + static_cast<std::ptrdiff_t>(ended));
    if (goes_up) {
      if (--up.missing == 0) send_up(up.chunk++);
    } else {
      down.missing = 0;
      send_down(down.chunk++);
    }
    while (const auto request = sends.take_ended(me)) co_await me.wait(*request);
  }
  const auto rest = sends.rest();
  co_await me.wait_all(rest);
}

Task run_tree(Rank& me, CollectiveArgs args, DeviceProtocol protocol) {
  const TreePlan plan(protocol, args);
  co_await run_channels(me, plan.channels().count(), [&](Rank& inner, int channel) {
    return run_tree_channel(inner, plan, args, channel);
  });
}

template <DeviceProtocol protocol>
Task tree_program(Rank& me, CollectiveArgs args) {
  return run_tree(me, args, protocol);
}

template <DeviceProtocol protocol>
Seconds tree_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const TreePlan plan(protocol, args.call);
  const Bytes chunk = std::min(args.call.message_bytes, plan.chunk() * plan.channels().count());
  const std::int64_t hops = 2 * depth_of(*args.call.hierarchy);
  return static_cast<double>(hops) * cost.hop(chunk) +
         static_cast<double>(plan.chunks(0) - 1) * cost.next(chunk) +
         static_cast<double>(hops / 2) * cost.combine(chunk);
}

template <DeviceProtocol protocol>
std::int64_t tree_messages(const ModelArgs& args) {
  return 2 * std::int64_t{args.procs - 1} * TreePlan(protocol, args.call).all_chunks();
}

template <DeviceProtocol protocol>
std::vector<StepPhase> tree_steps(const ModelArgs& args) {
  const TreePlan plan(protocol, args.call);
  return {chunks_of_pipeline(plan.channels(), plan.chunk())};
}

template <DeviceProtocol protocol>
constexpr Algorithm tree_entry() {
  return {.segmented = true,
          .default_fanout = 16,
          .restriction = restriction,
          .program = reduction::program<tree_program<protocol>>,
          .cost = reduction::cost<tree_cost<protocol>>,
          .messages = reduction::messages<tree_messages<protocol>>,
          .runs = is_possible,
          .by_nodes = true,
          .device_protocol = protocol,
          .steps = reduction::steps<tree_steps<protocol>>};
}

}  // namespace

const Algorithm allreduce_tree_simple = tree_entry<DeviceProtocol::simple>();
const Algorithm allreduce_tree_ll = tree_entry<DeviceProtocol::ll>();
const Algorithm allreduce_tree_ll128 = tree_entry<DeviceProtocol::ll128>();

}  // namespace tutti::algorithms::nccl
