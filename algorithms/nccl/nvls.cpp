// SPDX-License-Identifier: BSD-3-Clause
// NCCL's allreduces with NVLink SHARP (NVIDIA/nccl 2.19 to 2.28, src/device/all_reduce.h: NVLS,
// NVLS_TREE; chunk sizes in src/enqueue.cc). A loop of a channel has a chunk for each GPU of a
// node, its head: the head reads the chunk's sum through the switch, and writes it to all GPUs by a
// multicast. Here, these are messages of all GPUs to the head and from it to all, of which the
// links carry what the switch does (nvls.hpp). Between the nodes, the heads with the same number
// sum the chunk up a double binary tree (trees.hpp). Chunks of later loops are read while sums are
// written.
//   Derived, L loops of chunks of c bytes, G GPUs on each of N nodes: Hockney
//   2 L (G - 1) (l + n c/b) + 2 log2 N (l + n c/b) on n channels
#include "algorithms/nccl/nvls.hpp"

#include "algorithms/nccl/trees.hpp"

namespace tutti::algorithms::nccl {

double data_per_multicast_byte(std::string_view architecture, int gpus) {
  const double efficiency = architecture == "blackwell" ? 0.74 : 0.85;
  return efficiency * 2 * (gpus - 1) / (gpus + 1);
}

namespace {

constexpr int loops_ahead = 2;  // loops that are read before sums are written

class NvlsPlan {
 public:
  explicit NvlsPlan(const CollectiveArgs& args)
      : heads_(static_cast<RankId>(args.hierarchy->largest_group())),
        channels_(args, args.message_bytes, 2) {
    if (args.segment_bytes > 0) {
      chunk_ = chunk_bytes(args, DeviceProtocol::simple, 1);
      return;
    }
    // Shorter chunks if there are few: {loops, size}, with a tree from 4 nodes on.
    using Rule = std::pair<Bytes, Bytes>;
    const bool has_tree = args.hierarchy->groups() > 1;
    if (args.hierarchy->groups() >= 4) chunk_ = 65536;
    const std::vector<Rule> rules = has_tree
                                        ? std::vector<Rule>{{4, 65536}, {1, 32768}}
                                        : std::vector<Rule>{{64, 65536}, {8, 32768}, {2, 16384}};
    const Bytes at_once = std::int64_t{channels_.count()} * heads_;
    for (const auto& [loops, bytes] : rules)
      if (args.message_bytes < loops * at_once * chunk_) chunk_ = std::min(chunk_, bytes);
    chunk_ = chunk_ / args.element_bytes * args.element_bytes;
  }

  RankId heads() const { return heads_; }
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

// The messages of one channel of a rank, which is the head of the chunks with its number.
class NvlsRank {
 public:
  NvlsRank(Rank& me, const NvlsPlan& plan, const Hierarchy& nodes, int channel)
      : me_(&me), plan_(&plan), channel_(channel), node_(nodes.members(nodes.group_of(me.id()))) {
    head_ = nodes.index_of(me.id());
    const auto node = static_cast<RankId>(nodes.group_of(me.id()));
    const auto count = static_cast<RankId>(nodes.groups());
    const NodeInTree in_tree =
        channel % 2 == 0 ? find_in_first_tree(node, count) : find_in_second_tree(node, count);
    const auto head_of = [&](RankId other) {
      return nodes.members(static_cast<std::uint32_t>(other))[head_];
    };
    if (in_tree.parent >= 0) parent_ = head_of(in_tree.parent);
    for (const RankId child : in_tree.children)
      if (child >= 0) children_.push_back(head_of(child));
  }

  const std::optional<RankId>& parent() const { return parent_; }
  const std::vector<RankId>& children() const { return children_; }
  // The numbers of the node's other heads, beginning with the next one.
  std::vector<RankId> other_heads() const {
    std::vector<RankId> heads;
    for (std::size_t step = 1; step < node_.size(); ++step)
      heads.push_back(static_cast<RankId>((head_ + step) % node_.size()));
    return heads;
  }
  RankId rank_of(RankId head) const { return node_[head]; }
  Slice chunk(std::int64_t loop, RankId head, std::int32_t buffer) const {
    return in_vector(plan_->chunk_of(channel_, loop, head), buffer);
  }
  Slice own(std::int64_t loop, std::int32_t buffer) const { return chunk(loop, head_, buffer); }
  // What another rank, by its number among the sources, adds to the own chunk.
  Slice part_of(std::int64_t loop, RankId source) const {
    return {source * plan_->chunk(), own(loop, runtime::recv_buffer).bytes,
            runtime::scratch_buffer};
  }
  // Combines the parts of all sources, and sends the sum up, or down if it is that of all nodes.
  void finish_sum(std::int64_t loop, RankId sources) {
    const Slice sum = own(loop, runtime::recv_buffer);
    me_->copy(sum, own(loop, runtime::send_buffer));
    for (RankId source = 0; source < sources; ++source) me_->combine(sum, part_of(loop, source));
    if (parent_)
      send(*parent_, part_tag, sum);
    else
      send_sum(loop);
  }
  // The switch reads the rank's data of the other heads' chunks.
  void send_parts(std::int64_t loop) {
    for (const RankId head : other_heads())
      send(rank_of(head), part_tag, chunk(loop, head, runtime::send_buffer));
  }
  // To the child nodes, and a multicast to the rank's own node.
  void send_sum(std::int64_t loop) {
    for (const RankId child : children_) send(child, sum_tag, own(loop, runtime::recv_buffer));
    for (const RankId head : other_heads())
      send(rank_of(head), sum_tag, own(loop, runtime::recv_buffer));
  }
  // The sends that have ended, for which a wait takes no time.
  std::vector<Request> take_ended() {
    const auto ended = std::ranges::partition(
        sends_, [&](const Request& request) { return !me_->is_done(request); });
    std::vector<Request> requests(ended.begin(), ended.end());
    sends_.erase(ended.begin(), ended.end());
    return requests;
  }
  const std::vector<Request>& sends() const { return sends_; }

  static constexpr std::int32_t part_tag = 0, sum_tag = 1;

 private:
  void send(RankId to, std::int32_t tag, const Slice& data) {
    if (data.bytes > 0) sends_.push_back(me_->isend({.to = to, .tag = tag, .data = data}));
  }

  Rank* me_;
  const NvlsPlan* plan_;
  int channel_;
  std::span<const RankId> node_;
  RankId head_ = 0;
  std::optional<RankId> parent_;
  std::vector<RankId> children_;
  std::vector<Request> sends_;
};

// The receives of a rank's channel that are pending, each with what it is for.
struct NvlsReceives {
  enum class Of : std::uint8_t { part, own_sum, other_sum };

  std::vector<Request> requests;
  std::vector<std::pair<Of, RankId>> kinds;  // with the number of the source, or of the head

  void add(Request request, Of of, RankId number = 0) {
    requests.push_back(request);
    kinds.emplace_back(of, number);
  }
  std::pair<Of, RankId> take(std::size_t index) {
    const auto kind = kinds[index];
    requests.erase(requests.begin() + static_cast<std::ptrdiff_t>(index));
    kinds.erase(kinds.begin() + static_cast<std::ptrdiff_t>(index));
    return kind;
  }
};

// Parts, the sums of the own chunk that come down the tree, and those of the node's other heads
// arrive independently of each other.
Task run_nvls_channel(Rank& me, const NvlsPlan& plan, const Hierarchy& nodes, int channel) {
  using Of = NvlsReceives::Of;
  const std::int64_t loops = plan.loops(channel);
  NvlsRank rank(me, plan, nodes, channel);
  const std::vector<RankId> heads = rank.other_heads();
  std::vector<RankId> sources = rank.children();
  for (const RankId head : heads) sources.push_back(rank.rank_of(head));
  NvlsReceives pending;
  std::int64_t summed = 0, came_down = 0;               // loops
  std::vector<std::int64_t> distributed(plan.heads());  // by head
  std::size_t missing = 0;                              // parts of the next sum
  const auto expect_parts = [&] {
    if (summed == loops || rank.own(summed, runtime::recv_buffer).bytes == 0) return;
    missing = sources.size();
    for (RankId source = 0; source < std::ssize(sources); ++source)
      pending.add(me.irecv({.from = sources[source],
                            .tag = NvlsRank::part_tag,
                            .data = rank.part_of(summed, source)}),
                  Of::part, source);
  };
  const auto expect_own_sum = [&] {
    if (!rank.parent() || came_down == loops) return;
    const Slice sum = rank.own(came_down, runtime::recv_buffer);
    if (sum.bytes > 0)
      pending.add(me.irecv({.from = *rank.parent(), .tag = NvlsRank::sum_tag, .data = sum}),
                  Of::own_sum);
  };
  const auto expect_sum_of = [&](RankId head) {
    if (distributed[head] == loops) return;
    const Slice sum = rank.chunk(distributed[head], head, runtime::recv_buffer);
    if (sum.bytes > 0)
      pending.add(me.irecv({.from = rank.rank_of(head), .tag = NvlsRank::sum_tag, .data = sum}),
                  Of::other_sum, head);
  };
  // Only the last loop has empty chunks.
  for (std::int64_t loop = 0; loop < std::min<std::int64_t>(loops_ahead, loops); ++loop)
    rank.send_parts(loop);
  expect_parts();
  expect_own_sum();
  for (const RankId head : heads) expect_sum_of(head);
  while (!pending.requests.empty()) {
    const std::size_t ended = co_await me.wait_any(pending.requests);
    const auto [of, number] = pending.take(ended);
    if (of == Of::other_sum) {
      ++distributed[number];
      expect_sum_of(number);
    } else if (of == Of::own_sum) {
      rank.send_sum(came_down++);
      expect_own_sum();
    } else if (--missing == 0) {
      rank.finish_sum(summed, static_cast<RankId>(sources.size()));
      if (summed + loops_ahead < loops) rank.send_parts(summed + loops_ahead);
      ++summed;
      expect_parts();
    }
    const auto done = rank.take_ended();
    co_await me.wait_all(done);
  }
  co_await me.wait_all(rank.sends());
}

Task run_nvls(Rank& me, CollectiveArgs args) {
  const NvlsPlan plan(args);
  co_await run_channels(me, plan.channels().count(), [&](Rank& inner, int channel) {
    return run_nvls_channel(inner, plan, *args.hierarchy, channel);
  });
}

Seconds nvls_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const NvlsPlan plan(args.call);
  const std::uint32_t nodes = args.call.hierarchy->groups();
  const Bytes chunk = divided_up(args.call.message_bytes, plan.loops(0) * plan.heads());
  const int hops = std::bit_width(nodes) - 1;
  return 2 * static_cast<double>(plan.loops(0)) * (plan.heads() - 1) * cost.hop(chunk) +
         2 * hops * cost.hop(chunk);
}

std::int64_t nvls_messages(const ModelArgs& args) {
  return 2 * std::int64_t{args.procs - 1} * NvlsPlan(args.call).chunks();
}

std::vector<StepPhase> nvls_steps(const ModelArgs& args) {
  const NvlsPlan plan(args.call);
  StepPhase chunks = chunks_of_pipeline(plan.channels(), plan.chunk());
  chunks.period = plan.heads();
  return {chunks};
}

bool is_one_domain(const ModelArgs& args) {
  return is_possible(args) && args.call.hierarchy->groups() == 1;
}

bool has_equal_nodes(const ModelArgs& args) {
  return is_possible(args) && args.call.hierarchy->groups() > 1 &&
         args.call.hierarchy->groups_are_equal() && args.call.hierarchy->largest_group() > 1;
}

constexpr Algorithm nvls_entry(std::string_view restriction, bool (*runs)(const ModelArgs&)) {
  return {.segmented = true,
          .default_fanout = 16,
          .restriction = restriction,
          .program = reduction::program<run_nvls>,
          .cost = reduction::cost<nvls_cost>,
          .messages = reduction::messages<nvls_messages>,
          .runs = runs,
          .by_nodes = true,
          .device_protocol = DeviceProtocol::simple,
          .steps = reduction::steps<nvls_steps>};
}

}  // namespace

const Algorithm allreduce_nvls =
    nvls_entry("a commutative operation, GPUs of one node, at most 60 channels", is_one_domain);
const Algorithm allreduce_nvls_tree =
    nvls_entry("a commutative operation, equally many GPUs on several nodes, at most 60 channels",
               has_equal_nodes);

}  // namespace tutti::algorithms::nccl
