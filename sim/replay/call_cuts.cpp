// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/call_cuts.hpp"

#include "sim/base/common.hpp"

namespace tutti::studies::replay {
namespace {

using workloads::traces::TraceDefinitions;

// Whether the event is cut; empty if it neither sends nor receives.
using MaybeCut = std::optional<bool>;

// Looks ahead at what a call does, with its own counts.
class LookAhead {
 public:
  LookAhead(const RankState& me, TraceRank rank, const TraceScan& scan,
            const TraceDefinitions& definitions, Channels& channels)
      : me_(me),
        rank_(rank),
        scan_(scan),
        definitions_(definitions),
        channels_(channels),
        posts_(me.posts),
        completions_(me.completions) {}

  MaybeCut is_cut(const Event& event) {
    switch (event.kind) {
      case EventKind::send:
      case EventKind::isend: {
        const auto key = key_of(rank_, event);
        return is_cut(MessageNumber{key, channels_.of(key).sent() + sent_[key]++});
      }
      case EventKind::recv:
        ++posts_;
        return is_receive_cut(event);
      case EventKind::irecv:
        return is_receive_cut(event);
      case EventKind::irecv_request:
        return scan_.ranks[rank_].cut_posts.contains(posts_++);
      case EventKind::isend_complete:
        return !me_.sends.contains(event.request);
      case EventKind::collective_end:
      case EventKind::icollective_end:
        return scan_.cut_collectives.contains(number_of(me_, event, rank_, definitions_));
      case EventKind::collective_request: {
        const auto open = me_.open_collectives.find(event.request);
        return open != me_.open_collectives.end() &&
               scan_.cut_collectives.contains(
                   number_of(me_, open->second.completion, rank_, definitions_));
      }
      default:
        return std::nullopt;
    }
  }

 private:
  bool is_cut(const MessageNumber& message) const { return scan_.cut_messages.contains(message); }
  bool is_receive_cut(const Event& event) {
    const auto key = key_of(rank_, event);
    const auto by_order = channels_.of(key).received() + received_[key]++;
    const auto& reordered = scan_.ranks[rank_].reordered;
    const auto found = reordered.find(completions_++);
    return is_cut(MessageNumber{key, found == reordered.end() ? by_order : found->second});
  }

  const RankState& me_;
  TraceRank rank_;
  const TraceScan& scan_;
  const TraceDefinitions& definitions_;
  Channels& channels_;
  ByMessageKey<std::uint64_t> sent_, received_;
  std::uint64_t posts_;
  std::uint64_t completions_;
};

}  // namespace

CollectiveNumber number_of(const RankState& me, const Event& event, TraceRank rank,
                           const TraceDefinitions& definitions) {
  const bool alone = definitions.communicators[event.comm].members.empty();
  if (event.kind == EventKind::icollective_end) {
    const auto open = me.open_collectives.find(event.tag);
    return {event.comm, alone ? rank : workloads::traces::none,
            open == me.open_collectives.end() ? UINT64_MAX : open->second.number};
  }
  const auto found = me.collectives.find(event.comm);
  return {event.comm, alone ? rank : workloads::traces::none,
          found == me.collectives.end() ? 0 : found->second};
}

std::uint64_t message_number(const RankState& me, const ScanOfRank& scan, const Channel& channel) {
  if (scan.reordered.empty()) return channel.received();
  const auto found = scan.reordered.find(me.completions);
  return found == scan.reordered.end() ? channel.received() : found->second;
}

void mark_cuts(RankState& me, TraceRank rank, const TraceScan& scan,
               const TraceDefinitions& definitions, Channels& channels) {
  Call& call = me.call;
  if (scan.cut_messages.empty() && scan.cut_collectives.empty()) return;
  LookAhead look(me, rank, scan, definitions, channels);
  bool stays = false, any = false;
  for (std::size_t i = 1; i + 1 < call.events.size(); ++i) {
    const auto is_cut = look.is_cut(call.events[i]);
    call.cut[i] = is_cut.value_or(false);
    any |= is_cut.value_or(false);
    stays |= is_cut && !*is_cut;
  }
  if (any && !stays) call.cut.assign(call.events.size(), true);
}

}  // namespace tutti::studies::replay
