// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/replay_windows.hpp"

namespace tutti::studies::replay {

bool WindowReplay::gather_epoch(RankState& me, const Event& event) {
  using workloads::traces::RmaEpoch;
  switch (static_cast<RmaEpoch>(event.tag)) {
    case RmaEpoch::post:
      send_epochs(me, event, Epochs::Kind::post);
      return true;
    case RmaEpoch::start:
      if (state_.rules.start_waits) return take_epochs(me, event, Epochs::Kind::post);
      ranks_[me.rank].starts[event.comm] = {me.call.enter_before(), me.call.leave_before()};
      return true;
    case RmaEpoch::complete:
      if (!state_.rules.start_waits && !take_epochs(me, event, Epochs::Kind::post)) return false;
      send_epochs(me, event, Epochs::Kind::complete);
      return true;
    case RmaEpoch::wait:
      return take_epochs(me, event, Epochs::Kind::complete);
    default:
      return true;
  }
}

// A call takes effect once everything that it waits for has happened.
void WindowReplay::send_epochs(RankState& me, const Event& event, Epochs::Kind kind) {
  const Call& call = me.call;
  Times effect = call.enter();
  Marks late;  // the marks of what it waits for
  for (const auto& cause : call.received) {
    const Times sent{std::min(cause.sent.before, call.leave_before()), cause.sent.after};
    if (sent.before > effect.before && cause.marks) late.before = cause.marks->before;
    if (sent.after > effect.after && cause.marks) late.after = cause.marks->after;
    effect = later_of(effect, sent);
  }
  for (const TraceRank other : state_.definitions().groups[event.id]) {
    if (other == me.rank) continue;
    Received token{.source = me.rank,
                   .enter = call.enter(),
                   .sent = effect,
                   .what = Received::What::epoch,
                   .posted_at = take_access(me.rank, event.comm, other, kind),
                   .marks = state_.marks(me, Causes::pair_of(other))};
    if (late.before || late.after)
      token.marks =
          std::make_shared<const Marks>(Marks{late.before ? late.before : token.marks->before,
                                              late.after ? late.after : token.marks->after});
    if (epochs_.send(Epochs::key(me.rank, other, event.comm, kind), token)) state_.wake(other);
  }
}

// The end of the last access to a target in the epoch that MPI_Win_complete ends.
Times WindowReplay::take_access(TraceRank rank, std::uint32_t window, TraceRank target,
                                Epochs::Kind kind) {
  if (kind != Epochs::Kind::complete) return {};
  const auto access = ranks_[rank].accesses.extract({window, target});
  return access.empty() ? Times{} : access.mapped();
}

bool WindowReplay::take_epochs(RankState& me, const Event& event, Epochs::Kind kind) {
  const auto& others = state_.definitions().groups[event.id];
  for (std::size_t& i = me.call.synchronized; i < others.size(); ++i) {
    if (others[i] == me.rank) continue;
    auto token = epochs_.take(Epochs::key(others[i], me.rank, event.comm, kind));
    if (!token && me.call.gives_up) continue;
    if (!token) return false;
    token->ended = me.call.leave_before();
    if (kind == Epochs::Kind::post && state_.learner != nullptr) {
      const auto& [begin, end] = ranks_[me.rank].starts[event.comm];
      state_.learner->start(begin, end, token->enter.before);
    }
    const Metric metric = kind == Epochs::Kind::post ? Metric::late_post : Metric::early_wait;
    if (!state_.kind_of(me.call).tests) me.call.awaited_by = metric;
    me.call.received.push_back(*std::move(token));
  }
  return true;
}

void WindowReplay::request_lock(const RankState& me, const Event& event) {
  OfRank& mine = ranks_[me.rank];
  const auto key = LockKey::of(event);
  locks_.request(key, me.rank, event.tag != 0);
  mine.locks[key] = {me.call.enter_before(), me.call.leave_before(), false, mine.lock_count++};
}

bool WindowReplay::gather_lock(RankState& me, const Event& event) {
  auto& held = ranks_[me.rank].locks;
  const auto key = LockKey::of(event);
  const auto mine = held.find(key);
  if (mine == held.end() || mine->second.is_granted) return true;
  const Received* after = locks_.granted(key, me.rank);
  if (after == nullptr) return me.call.gives_up;
  mine->second.is_granted = true;
  // The ranks may get the lock in another order than in the trace.
  Received release = *after;
  const Ticks before = state_.scan->locks.before(me.rank, mine->second.number);
  if (release.marks && release.sent.before != before)
    release.marks = std::make_shared<const Marks>(Marks{std::nullopt, release.marks->after});
  release.sent.before = release.enter.before = before;
  release.ended = me.call.leave_before();
  if (before != LockOrder::never && state_.learner != nullptr &&
      event.kind == EventKind::lock_release)
    state_.learner->lock(mine->second.begin, mine->second.end, before);
  if (before == LockOrder::never && release.sent.after == INT64_MIN) return true;
  me.call.awaited_by = Metric::lock_contention;
  me.call.received.push_back(std::move(release));
  return true;
}

void WindowReplay::leave_call(RankState& me) {
  if (me.call.kinds.has(EventKind::other))
    for (const Event& event : me.call.events)
      if (event.kind == EventKind::other && event.comm != workloads::traces::none)
        ranks_[me.rank].accesses[{event.comm, event.id}] = me.call.leave();
  auto& held = ranks_[me.rank].locks;
  if (held.empty()) return;
  for (const Event& event : me.call.events) {
    if (event.kind != EventKind::lock_release) continue;
    const auto key = LockKey::of(event);
    if (held.erase(key) == 0) continue;
    const Received by{.source = me.rank,
                      .enter = me.call.leave(),
                      .sent = me.call.leave(),
                      .what = Received::What::lock,
                      .marks = state_.marks(me, Causes::unknown)};
    state_.wake(locks_.release(key, me.rank, by));
  }
}

}  // namespace tutti::studies::replay
