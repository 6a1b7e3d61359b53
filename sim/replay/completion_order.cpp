// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/completion_order.hpp"

namespace tutti::studies::replay {

void CompletionOrder::leave(TraceRank rank, const Call& call, const CallKind& kind) {
  if (!is_on_) return;
  OfRank& mine = ranks_[rank];
  if (kind.counts_work) counted_.push_back({call.leave(), rank});
  constexpr EventKinds sends(EventKind::send, EventKind::isend);
  if (!mine.taken.empty() && !mine.taken.back().replies && call.kinds.has_any(sends))
    for (const Event& event : call.events)
      mine.taken.back().replies |=
          EventKinds(event.kind).has_any(sends) && event.id == mine.taken.back().source;
  // A call that waits for all of its requests has no order.
  constexpr EventKinds receives(EventKind::recv, EventKind::irecv);
  if (!kind.is_any && (call.received.size() != 1 || !call.kinds.has_any(receives))) return;
  for (const Received& message : call.received) {
    if (message.what != Received::What::message || message.is_moved) continue;
    const Event& event = call.events[message.event];
    const Taken now{.source = message.source,
                    .comm = event.comm,
                    .tag = event.tag,
                    .is_any = kind.is_any,
                    .enter = call.enter(),
                    .leave = call.leave(),
                    .sent = message.sent};
    if (!mine.taken.empty()) {
      Taken& last = mine.taken.back();
      last.handled = std::max<Ticks>(0, now.enter.after - last.leave.after);
    }
    look_at(mine, now, message.posted_at);
    mine.taken.push_back(now);
    if (mine.taken.size() > window) mine.taken.pop_front();
  }
}

// Compares a message with those that the rank received before. In the trace it was sent later than
// the one that an earlier call took; if it is sent earlier now, that call would take it.
void CompletionOrder::look_at(OfRank& mine, const Taken& now, const Times& posted) {
  for (auto at = mine.taken.rbegin(); at != mine.taken.rend(); ++at) {
    const Taken& before = *at;
    const bool was_later = now.sent.before >= before.sent.before;
    const bool is_later = now.sent.after >= before.sent.after;
    // Earlier calls had ended before the message was sent.
    if (now.sent.before >= before.leave.before && now.sent.after >= before.leave.after) return;
    if ((was_later && is_later) || before.source == now.source || before.is_any != now.is_any)
      continue;
    if (!now.is_any && (before.comm != now.comm || before.tag != now.tag)) continue;
    Receives& receives = now.is_any ? mine.any : mine.receives[{now.comm, now.tag}];
    if (now.is_any && posted.before > before.enter.before) continue;  // not yet posted
    if (!was_later) {
      receives.names_sources |=
          now.sent.before < before.enter.before && before.sent.before > before.enter.before;
      continue;
    }
    const Ticks begin = std::max(before.enter.after, now.sent.after);
    if (begin >= before.leave.after) continue;
    ++receives.overtaken;
    receives.ticks += before.leave.after - begin + before.handled;
    receives.moves_work |= before.replies;
    receives.largest_share = std::max(receives.largest_share, now.leave.after - before.leave.after);
  }
}

// Ranks count in the order of the trace, although they would come in another one.
void CompletionOrder::count_work(Reordered& all) {
  std::ranges::stable_sort(counted_, {}, [](const Counted& one) { return one.at.before; });
  std::vector<Ticks> last(ranks_.size(), -1);
  Ticks latest = 0;
  TraceRank by = 0;
  for (const Counted& one : counted_) {
    all.counted += one.at.after < latest && one.rank != by;
    if (one.at.after >= latest) by = one.rank;
    latest = std::max(latest, one.at.after);
    if (last[one.rank] >= 0)
      all.largest_share = std::max(all.largest_share, one.at.after - last[one.rank]);
    last[one.rank] = one.at.after;
  }
}

Reordered CompletionOrder::finish() {
  Reordered all;
  const auto add = [&](const Receives& receives) {
    if (receives.names_sources || receives.overtaken == 0) return;
    all.overtaken += receives.overtaken;
    all.ticks += receives.ticks;
    all.moves_work |= receives.moves_work;
    all.largest_share = std::max(all.largest_share, receives.largest_share);
  };
  for (OfRank& rank : ranks_) {
    rank.any.names_sources = false;
    add(rank.any);
    for (const auto& [key, receives] : rank.receives) add(receives);
  }
  count_work(all);
  all.moves_work |= all.counted > 0;
  return all;
}

}  // namespace tutti::studies::replay
