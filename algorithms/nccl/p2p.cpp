// SPDX-License-Identifier: BSD-3-Clause
// Grouped sends and receives of NCCL: alltoall, gather and scatter (NVIDIA/nccl 2.19 to 2.28,
// src/enqueue.cc: scheduleP2pTasksToPlan, addP2pToPlan; src/init.cc: p2pSchedule). In round (d, s)
// a rank sends to the rank s above it on the node d above its own, and receives from the opposite
// one. The distances d of the nodes grow by 1, 2, 3, ... modulo a power of two, so that the rounds
// that follow each other use different links. Each message is divided into parts, on consecutive
// channels from that of its round on. A channel works on 8 rounds at a time.
//   Derived: Hockney (P-1) (l + m/b), LogGP L + 2 o + (m-1) G + (P-2) (g + (m-1) G)
#include "algorithms/alltoall/personal_blocks.hpp"
#include "algorithms/nccl/channels.hpp"

namespace tutti::algorithms::nccl {
namespace {

enum class P2pKind : std::uint8_t { alltoall, gather, scatter };

constexpr int rounds_at_a_time = 8;  // NCCL_MAX_DEV_WORK_P2P_PER_BATCH

// The ranks of a group and the rounds among them. If nodes differ in size, all ranks are one group.
class Rounds {
 public:
  explicit Rounds(const Hierarchy& nodes)
      : nodes_(&nodes),
        is_flat_(!nodes.groups_are_equal()),
        groups_(is_flat_ ? 1 : static_cast<RankId>(nodes.groups())),
        per_group_(static_cast<RankId>(nodes.members().size()) / groups_) {
    const auto span = std::bit_ceil(static_cast<std::uint32_t>(groups_));
    std::uint32_t distance = 0;
    for (std::uint32_t step = 1; step <= span; ++step) {
      if (distance < static_cast<std::uint32_t>(groups_))
        distances_.push_back(static_cast<RankId>(distance));
      distance = (distance + step) & (span - 1);
    }
  }

  RankId count() const { return groups_ * per_group_; }
  // Round 0 is that of the rank itself.
  RankId to(RankId rank, RankId round) const { return peer(rank, round, 1); }
  RankId from(RankId rank, RankId round) const { return peer(rank, round, -1); }
  // The first channel of a round.
  std::uint32_t channel(RankId round, std::uint32_t channels) const {
    auto number = static_cast<std::uint32_t>(round);
    if (groups_ > 1) {
      const RankId batches = (per_group_ + rounds_at_a_time - 1) / rounds_at_a_time;
      number = static_cast<std::uint32_t>(round / per_group_ * batches +
                                          round % per_group_ / rounds_at_a_time);
    }
    std::uint32_t reversed = 0;
    for (std::uint32_t bit = 1; bit < channels; bit <<= 1)
      reversed = 2 * reversed + ((number & bit) != 0 ? 1 : 0);
    return reversed;
  }

 private:
  RankId peer(RankId rank, RankId round, RankId sign) const {
    const RankId group = is_flat_ ? 0 : static_cast<RankId>(nodes_->group_of(rank));
    const RankId local = is_flat_ ? rank : nodes_->index_of(rank);
    const RankId other = (group + sign * distances_[round / per_group_] + groups_) % groups_;
    const RankId in_other = (local + sign * (round % per_group_) + per_group_) % per_group_;
    return is_flat_ ? in_other : nodes_->members(static_cast<std::uint32_t>(other))[in_other];
  }

  const Hierarchy* nodes_;
  bool is_flat_;
  RankId groups_;
  RankId per_group_;
  std::vector<RankId> distances_;
};

// How messages are divided into parts. Across nodes, a peer has at most 2 channels.
class Parts {
 public:
  Parts(const CollectiveArgs& args, RankId procs)
      : args_(&args),
        channels_(std::bit_floor(static_cast<std::uint32_t>(std::max(1, args.fanout)))),
        crosses_(args.hierarchy->groups() > 1) {
    most_ = channels_;
    if (crosses_)
      most_ = 2 * procs > std::int64_t{4} * channels_ ? 1 : std::min<std::int64_t>(2, channels_);
    while (fewest_ * 2 <= most_ && fewest_ * 2 * procs <= channels_) fewest_ *= 2;
  }

  std::uint32_t channels() const { return static_cast<std::uint32_t>(channels_); }
  std::int64_t most() const { return most_; }
  Bytes part_bytes(Bytes bytes) const {
    const Bytes chunk = crosses_ ? Bytes{128} * 1024 : Bytes{512} * 1024;
    const Bytes least = crosses_ ? chunk / 2 : chunk / 8;
    const Bytes longest = crosses_ ? chunk : 32 * chunk;
    std::int64_t parts = std::min<std::int64_t>(fewest_, divided_up(bytes, least));
    while (divided_up(bytes, parts) > longest && 2 * parts <= most_) parts *= 2;
    const Bytes page = 4096 % args_->element_bytes == 0 ? 4096 : args_->element_bytes;
    return divided_up(std::max(least, divided_up(bytes, parts)), page) * page;
  }
  std::int64_t count(Bytes bytes) const {
    return bytes == 0 ? 0 : divided_up(bytes, part_bytes(bytes));
  }
  // Empty if the message has fewer parts.
  Slice part(const Slice& message, std::int64_t number) const {
    if (message.bytes == 0) return message;
    const Bytes length = part_bytes(message.bytes);
    const Range range = Range{0, message.bytes}.part(number * length, length);
    return message.part(range.offset, range.bytes);
  }

 private:
  const CollectiveArgs* args_;
  std::int64_t channels_;
  bool crosses_;
  std::int64_t most_ = 1;
  std::int64_t fewest_ = 1;
};

// What a rank sends to and receives from each rank.
class Messages {
 public:
  Messages(const Rank& me, const CollectiveArgs& args, P2pKind kind)
      : kind_(kind),
        me_(me.id()),
        root_(args.root),
        blocks_(RankBlocks::of_blocks(args, me.size())),
        personal_(me, args) {}

  Slice to(RankId rank) const {
    if (kind_ == P2pKind::alltoall) return personal_.to(rank);
    if (kind_ == P2pKind::gather)
      return {0, rank == root_ ? blocks_.bytes(me_) : 0, runtime::send_buffer};
    return me_ == root_ ? blocks_.block(rank, runtime::send_buffer) : Slice{};
  }
  Slice from(RankId rank) const {
    if (kind_ == P2pKind::alltoall) return personal_.from(rank);
    if (kind_ == P2pKind::gather) return me_ == root_ ? blocks_.block(rank) : Slice{};
    return {0, rank == root_ ? blocks_.bytes(me_) : 0, runtime::recv_buffer};
  }

 private:
  P2pKind kind_;
  RankId me_;
  RankId root_;
  RankBlocks blocks_;
  PersonalBlocks personal_;
};

struct Exchange {
  Messages messages;
  Rounds rounds;
  Parts parts;
};

Task run_p2p_channel(Rank& me, const Exchange& exchange, int channel) {
  const Parts& parts = exchange.parts;
  const auto mask = static_cast<std::int64_t>(parts.channels()) - 1;
  std::vector<Request> requests;
  int works = 0;
  for (RankId round = 1; round < exchange.rounds.count(); ++round) {
    const std::int64_t first = exchange.rounds.channel(round, parts.channels());
    const std::int64_t part = (channel - first) & mask;
    if (part >= parts.most()) continue;
    const RankId from = exchange.rounds.from(me.id(), round);
    const RankId to = exchange.rounds.to(me.id(), round);
    const Slice comes = parts.part(exchange.messages.from(from), part);
    const Slice goes = parts.part(exchange.messages.to(to), part);
    if (comes.bytes > 0) requests.push_back(me.irecv({.from = from, .data = comes}));
    if (goes.bytes > 0) requests.push_back(me.isend({.to = to, .data = goes}));
    if (++works % rounds_at_a_time != 0) continue;
    co_await me.wait_all(requests);
    requests.clear();
  }
  co_await me.wait_all(requests);
}

Task run_exchange(Rank& me, CollectiveArgs args, P2pKind kind) {
  const Exchange exchange{{me, args, kind}, Rounds(*args.hierarchy), {args, me.size()}};
  const Slice own = exchange.messages.to(me.id());
  if (own.bytes > 0) me.copy(exchange.messages.from(me.id()), own);
  co_await run_channels(
      me, static_cast<int>(exchange.parts.channels()),
      [&](Rank& inner, int channel) { return run_p2p_channel(inner, exchange, channel); });
}

template <P2pKind kind>
Task exchange_program(Rank& me, CollectiveArgs args) {
  return run_exchange(me, args, kind);
}

Seconds exchange_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const Bytes longest = RankBlocks::of_blocks(args.call, args.procs).longest();
  return cost.hop(longest) + (args.procs - 2) * cost.next(longest);
}

std::int64_t alltoall_messages(const ModelArgs& args) {
  const Parts parts(args.call, args.procs);
  const RankBlocks blocks = RankBlocks::of_blocks(args.call, args.procs);
  const PeerCounts* peers = args.call.counts == nullptr ? nullptr : args.call.counts->peers();
  if (peers == nullptr && blocks.equal())
    return std::int64_t{args.procs} * (args.procs - 1) * parts.count(blocks.bytes(0));
  std::int64_t messages = 0;
  for (RankId from = 0; from < args.procs; ++from) {
    if (peers == nullptr) {
      messages += (args.procs - 1) * parts.count(blocks.bytes(from));
      continue;
    }
    for (RankId to = 0; to < args.procs; ++to)
      if (to != from)
        messages += parts.count(peers->sent[static_cast<std::size_t>(from)].bytes(to));
  }
  return messages;
}

std::int64_t rooted_messages(const ModelArgs& args) {
  return (args.procs - 1) * Parts(args.call, args.procs).count(args.call.message_bytes);
}

template <P2pKind kind>
constexpr Algorithm p2p_entry() {
  return {.default_fanout = 32,
          .restriction = "at most 60 channels",
          .program = exchange_program<kind>,
          .cost = exchange_cost,
          .messages = kind == P2pKind::alltoall ? alltoall_messages : rooted_messages,
          .runs = is_possible,
          .by_nodes = true,
          .device_protocol = DeviceProtocol::simple};
}

}  // namespace

const Algorithm alltoall_p2p = p2p_entry<P2pKind::alltoall>();
const Algorithm alltoallv_p2p = p2p_entry<P2pKind::alltoall>();
const Algorithm gather_p2p = p2p_entry<P2pKind::gather>();
const Algorithm scatter_p2p = p2p_entry<P2pKind::scatter>();

}  // namespace tutti::algorithms::nccl
