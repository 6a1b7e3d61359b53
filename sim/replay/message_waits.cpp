// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/message_waits.hpp"

#include "sim/base/common.hpp"

namespace tutti::studies::replay {

void MessageWaits::posted(RankState& sender, const SentMessage& message, const Times& posted) {
  if (message.is_blocking) {
    if (message.leave.before >= 0)
      add_late_receiver(sender.rank, message.path, message.enter, message.leave, posted);
    return;
  }
  auto* const pending = sender.messages.sends.find(message.request);
  if (pending == nullptr) return;
  if (!pending->waited) {
    pending->posted = posted;
    return;
  }
  const auto& [enter, leave] = *pending->waited;
  add_late_receiver(sender.rank, pending->path, enter, leave, posted);
  sender.messages.sends.erase(message.request);
}

void MessageWaits::leave(RankState& me) {
  if (!me.call.received.empty()) {
    add_late_receivers(me);
    add_late_senders(me, &Times::before);
    add_late_senders(me, &Times::after);
  }
  end_sends(me);
}

// Of a call that only sends, and waits for its receive.
void MessageWaits::add_late_receivers(const RankState& me) {
  const Call& call = me.call;
  if (!call.kinds.has(EventKind::send) ||
      std::ranges::any_of(call.received, [](const Received& cause) {
        return cause.what != Received::What::receive;
      }))
    return;
  for (const auto& receive : call.received)
    add_late_receiver(me.rank, call.path, call.enter(), call.leave(), receive.enter);
}

void MessageWaits::add_late_receiver(TraceRank sender, PathId path, const Times& enter,
                                     const Times& leave, const Times& posted) {
  const auto wait = [](Ticks begin, Ticks end, Ticks post) {
    return end >= post && post > begin ? post - begin : 0;
  };
  result_.add_wait(Metric::late_receiver, sender, path, enter,
                   {wait(enter.before, leave.before, posted.before),
                    wait(enter.after, leave.after, posted.after)});
}

// Only the longest wait of a call is added.
void MessageWaits::add_late_senders(RankState& me, Ticks Times::*time) {
  const Call& call = me.call;
  const Ticks enter = call.enter().*time, leave = call.leave().*time;
  const auto waited = [&](const Received& message) {
    return std::min(message.enter.*time, leave) - enter;
  };
  const bool is_before = time == &Times::before;
  auto& metrics = is_before ? result_.before : result_.after;
  auto& late = is_before ? me.messages.late_before : me.messages.late_after;
  const bool tests = kind_of(call).tests;
  const Received* longest = nullptr;
  for (const auto& message : call.received)
    if (message.what == Received::What::message &&
        (longest == nullptr || waited(message) > waited(*longest)))
      longest = &message;
  for (const auto& message : call.received) {
    if (message.what != Received::What::message) continue;
    const Ticks ticks = &message == longest && !tests ? std::max<Ticks>(0, waited(message)) : 0;
    const WaitInstance wait{.begin = enter, .ticks = ticks, .rank = me.rank, .path = call.path};
    metrics.add_wait(Metric::late_sender, wait);
    late.receive({message.source, message.enter.*time, wait}, metrics);
  }
}

// The wait state of an MPI_Wait depends on when the receive was posted, which may be unknown yet.
void MessageWaits::end_sends(RankState& me) {
  const Call& call = me.call;
  if (!call.kinds.has(EventKind::isend_complete)) return;
  auto& sends = me.messages.sends;
  for (std::size_t i = 1; i < call.events.size(); ++i) {
    if (call.events[i].kind != EventKind::isend_complete || call.cut[i]) continue;
    const std::uint64_t request = call.events[i].request;
    auto* const pending = sends.find(request);
    if (pending == nullptr) continue;
    if (!kind_of(call).is_wait) {
      sends.erase(request);
    } else if (pending->posted) {
      add_late_receiver(me.rank, call.path, call.enter(), call.leave(), *pending->posted);
      sends.erase(request);
    } else {
      pending->waited = {call.enter(), call.leave()};
      pending->path = call.path;
    }
  }
}

}  // namespace tutti::studies::replay
