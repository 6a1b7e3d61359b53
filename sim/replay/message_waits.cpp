// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/message_waits.hpp"

#include "sim/base/common.hpp"

namespace tutti::studies::replay {

void MessageWaits::posted(RankState& sender, TraceRank rank, const SentMessage& message,
                          const Times& posted) {
  if (message.is_blocking) {
    if (message.leave.before >= 0)
      add_late_receiver(rank, message.path, {message.enter, message.leave}, posted);
    return;
  }
  auto* const pending = sender.sends.find(message.request);
  if (pending == nullptr) return;
  if (!pending->waited) {
    pending->posted = posted;
    return;
  }
  const auto& [enter, leave] = *pending->waited;
  add_late_receiver(rank, pending->path, {enter, leave}, posted);
  sender.sends.erase(message.request);
}

void MessageWaits::leave(RankState& me, TraceRank rank) {
  if (me.call.received.empty()) return end_sends(me, rank);
  add_late_receivers(me, rank);
  add_late_senders(me, rank, &Times::before);
  add_late_senders(me, rank, &Times::after);
  end_sends(me, rank);
}

// Of a call that only sends, and waits for its receive.
void MessageWaits::add_late_receivers(RankState& me, TraceRank rank) {
  const Call& call = me.call;
  if (!call.kinds.has(EventKind::send) ||
      std::ranges::any_of(
          call.received, [](const Received& each) { return each.what != Received::What::receive; }))
    return;
  for (const auto& each : call.received)
    add_late_receiver(rank, call.path, span_of(call), each.enter);
}

MessageWaits::Span MessageWaits::span_of(const Call& call) {
  return {{call.enter_before(), call.after.front()}, {call.leave_before(), call.after.back()}};
}

void MessageWaits::add_late_receiver(TraceRank sender, PathId path, const Span& call,
                                     const Times& posted) {
  for (const auto which : {&Times::before, &Times::after}) {
    auto& metrics = which == &Times::before ? before_ : after_;
    if (call.leave.*which >= posted.*which && posted.*which > call.enter.*which)
      metrics.add_wait(Metric::late_receiver, {.begin = call.enter.*which,
                                               .ticks = posted.*which - call.enter.*which,
                                               .rank = sender,
                                               .path = path});
  }
}

// Only the longest wait of a call is added.
void MessageWaits::add_late_senders(RankState& me, TraceRank rank, Ticks Times::*which) {
  const Call& call = me.call;
  const Span span = span_of(call);
  const auto waited = [&](const Received& each) {
    return std::min(each.enter.*which, span.leave.*which) - span.enter.*which;
  };
  auto& metrics = which == &Times::before ? before_ : after_;
  auto& late = which == &Times::before ? me.late_before : me.late_after;
  const bool tests = kind_of(call).tests;
  const Received* longest = nullptr;
  for (const auto& each : call.received)
    if (each.what == Received::What::message &&
        (longest == nullptr || waited(each) > waited(*longest)))
      longest = &each;
  for (const auto& each : call.received) {
    if (each.what != Received::What::message) continue;
    const Ticks ticks = &each == longest && !tests ? std::max<Ticks>(0, waited(each)) : 0;
    const WaitInstance wait{
        .begin = span.enter.*which, .ticks = ticks, .rank = rank, .path = call.path};
    metrics.add_wait(Metric::late_sender, wait);
    late.receive({each.source, each.enter.*which, wait}, metrics);
  }
}

// The wait state of an MPI_Wait depends on when the receive was posted, which may be unknown yet.
void MessageWaits::end_sends(RankState& me, TraceRank rank) {
  const Call& call = me.call;
  if (!call.kinds.has(EventKind::isend_complete)) return;
  for (std::size_t i = 1; i < call.events.size(); ++i) {
    if (call.events[i].kind != EventKind::isend_complete || call.cut[i]) continue;
    const std::uint64_t request = call.events[i].request;
    auto* const pending = me.sends.find(request);
    if (pending == nullptr) continue;
    const Span span = span_of(call);
    if (!kind_of(call).is_wait) {
      me.sends.erase(request);
    } else if (pending->posted) {
      add_late_receiver(rank, call.path, span, *pending->posted);
      me.sends.erase(request);
    } else {
      pending->waited = {span.enter, span.leave};
      pending->path = call.path;
    }
  }
}

}  // namespace tutti::studies::replay
