// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/nccl/channels.hpp"

namespace tutti::algorithms::nccl {
namespace {

constexpr Bytes least_traffic = Bytes{16} * 1024;  // of a channel

// The first of a node's ranks, as a position in the members of all nodes.
RankId first_of(const Hierarchy& nodes, std::uint32_t node) {
  return static_cast<RankId>(nodes.members(node).data() - nodes.members().data());
}

}  // namespace

Bytes cell_bytes(const CollectiveArgs& args, std::int64_t traffic_per_byte) {
  return aligned_up(divided_up(least_traffic, traffic_per_byte), args);
}

StepPhase chunks_of_pipeline(const Channels& channels, Bytes chunk) {
  return {.count = divided_up(channels.longest(), chunk),
          .period = 1,
          .message_bytes = chunk,
          .ahead = channels.count()};
}

Channels::Channels(const CollectiveArgs& args, Bytes bytes, std::int64_t traffic_per_byte)
    : bytes_(bytes) {
  const Bytes cell = cell_bytes(args, traffic_per_byte);
  const Bytes cells = std::max<Bytes>(1, divided_up(bytes, cell));
  const Bytes cells_per_channel = divided_up(cells, std::max(1, args.fanout));
  per_channel_ = cells_per_channel * cell;
  count_ = static_cast<int>(divided_up(cells, cells_per_channel));
}

Bytes chunk_bytes(const CollectiveArgs& args, DeviceProtocol protocol, int steps) {
  const Bytes bytes = args.segment_bytes > 0 ? args.segment_bytes : steps * step_bytes(protocol);
  return std::max(args.element_bytes, bytes / args.element_bytes * args.element_bytes);
}

std::vector<Request> Slots::rest() const {
  std::vector<Request> requests;
  for (const auto& sent : sent_)
    if (sent) requests.push_back(*sent);
  return requests;
}

RankId place_on_path(RankId gpu, RankId gpus, int channel) {
  const RankId above = (gpu - channel % gpus + gpus) % gpus;
  if (above == 0) return 0;
  return above <= gpus / 2 ? 2 * above - 1 : 2 * (gpus - above);
}

RankId gpu_on_path(RankId place, RankId gpus, int channel) {
  const RankId above = place % 2 == 1 ? (place + 1) / 2 : gpus - place / 2;
  return (above + channel) % gpus;
}

RankId Ring::reversed(std::uint32_t node, RankId place) const {
  const bool is_reversed = nodes_->groups() % 2 == 0 && node % 2 == 1;
  return is_reversed ? static_cast<RankId>(nodes_->members(node).size()) - 1 - place : place;
}

RankId Ring::position(RankId rank) const {
  const std::uint32_t node = nodes_->group_of(rank);
  const auto gpus = static_cast<RankId>(nodes_->members(node).size());
  return first_of(*nodes_, node) +
         reversed(node, place_on_path(nodes_->index_of(rank), gpus, channel_));
}

RankId Ring::rank(RankId position) const {
  const std::uint32_t node = nodes_->group_of(nodes_->members()[position]);
  const auto members = nodes_->members(node);
  const RankId place = reversed(node, position - first_of(*nodes_, node));
  return members[gpu_on_path(place, static_cast<RankId>(members.size()), channel_)];
}

Task run_channels(Rank& me, int channels, ChannelProgram program) {
  me.launch();
  if (channels == 1) co_return co_await program(me, 0);
  std::vector<runtime::Program> programs;
  for (int channel = 0; channel < channels; ++channel)
    programs.emplace_back([&program, channel](Rank& inner) { return program(inner, channel); });
  co_await runtime::run_concurrently(me, std::move(programs));
}

}  // namespace tutti::algorithms::nccl
