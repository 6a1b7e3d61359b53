// SPDX-License-Identifier: BSD-3-Clause
// Synchronization of windows of one-sided communication: a part of ReplayCore.
#include "sim/replay/replay_core.hpp"

namespace tutti::studies::replay {

bool ReplayCore::gather_epoch(TraceRank rank, const Event& event) {
  RankState& me = *ranks_[rank];
  switch (static_cast<workloads::traces::RmaEpoch>(event.tag)) {
    case workloads::traces::RmaEpoch::post:
      send_epochs(rank, event, Epochs::Kind::post);
      return true;
    case workloads::traces::RmaEpoch::start:
      if (rules_.start_waits) return take_epochs(rank, event.comm, event.id, Epochs::Kind::post);
      me.starts[event.comm] = {me.call.enter_before(), me.call.leave_before()};
      return true;
    case workloads::traces::RmaEpoch::complete:
      if (!rules_.start_waits && !take_epochs(rank, event.comm, event.id, Epochs::Kind::post))
        return false;
      send_epochs(rank, event, Epochs::Kind::complete);
      return true;
    case workloads::traces::RmaEpoch::wait:
      return take_epochs(rank, event.comm, event.id, Epochs::Kind::complete);
    default:
      return true;
  }
}

// A call takes effect once everything that it waits for has happened.
void ReplayCore::send_epochs(TraceRank rank, const Event& event, Epochs::Kind kind) {
  const Call& call = ranks_[rank]->call;
  Times effect = call.enter();
  Marks late;  // of what it waits for
  for (const auto& each : call.received) {
    const Times sent{std::min(each.sent.before, call.leave_before()), each.sent.after};
    if (sent.before > effect.before && each.marks) late.before = each.marks->before;
    if (sent.after > effect.after && each.marks) late.after = each.marks->after;
    effect.before = std::max(effect.before, sent.before);
    effect.after = std::max(effect.after, sent.after);
  }
  for (const TraceRank other : trace_.definitions.groups[event.id]) {
    if (other == rank) continue;
    Received token{.source = rank,
                   .enter = call.enter(),
                   .sent = effect,
                   .what = Received::What::epoch,
                   .marks = marks_if_needed(rank, Causes::pair_of(other))};
    if (late.before || late.after)
      token.marks =
          std::make_shared<const Marks>(Marks{late.before ? late.before : token.marks->before,
                                              late.after ? late.after : token.marks->after});
    if (epochs_.send(Epochs::key(rank, other, event.comm, kind), token)) wake(other);
  }
}

bool ReplayCore::take_epochs(TraceRank rank, std::uint32_t window, std::uint32_t group,
                             Epochs::Kind kind) {
  RankState& me = *ranks_[rank];
  const auto& others = trace_.definitions.groups[group];
  for (std::size_t& i = me.call.synchronized; i < others.size(); ++i) {
    if (others[i] == rank) continue;
    auto token = epochs_.take(Epochs::key(others[i], rank, window, kind));
    if (!token && me.call.gives_up) continue;
    if (!token) return false;
    token->ended = me.call.leave_before();
    if (kind == Epochs::Kind::post && options_.learner != nullptr) {
      const auto& [begin, end] = me.starts[window];
      options_.learner->start(begin, end, token->enter.before);
    }
    const Metric metric = kind == Epochs::Kind::post ? Metric::late_post : Metric::early_wait;
    if (!kind_of_call(me.call).tests) me.call.awaited_by = metric;
    me.call.received.push_back(*std::move(token));
  }
  return true;
}

void ReplayCore::request_lock(TraceRank rank, const Event& event) {
  RankState& me = *ranks_[rank];
  const auto key = LockKey::of(event);
  locks_.request(key, rank, event.tag != 0);
  me.locks[key] = {me.call.enter_before(), me.call.leave_before(), false, me.lock_count++};
}

// The lock is granted where it is acquired, or where it is released at the latest.
bool ReplayCore::gather_lock(TraceRank rank, const Event& event) {
  RankState& me = *ranks_[rank];
  const auto key = LockKey::of(event);
  const auto mine = me.locks.find(key);
  if (mine == me.locks.end() || mine->second.is_granted) return true;
  const Received* after = locks_.granted(key, rank);
  if (after == nullptr) return me.call.gives_up;
  mine->second.is_granted = true;
  // The ranks may get the lock in another order than in the trace.
  Received release = *after;
  if (release.marks && release.sent.before != scan_.locks.before(rank, mine->second.number))
    release.marks = std::make_shared<const Marks>(Marks{std::nullopt, release.marks->after});
  release.sent.before = release.enter.before = scan_.locks.before(rank, mine->second.number);
  release.ended = me.call.leave_before();
  if (release.sent.before != LockOrder::never && options_.learner != nullptr &&
      event.kind == EventKind::lock_release)
    options_.learner->lock(mine->second.begin, mine->second.end, release.sent.before);
  if (release.sent.before == LockOrder::never && release.sent.after == INT64_MIN) return true;
  me.call.awaited_by = Metric::lock_contention;
  me.call.received.push_back(std::move(release));
  return true;
}

void ReplayCore::release_locks(TraceRank rank) {
  RankState& me = *ranks_[rank];
  if (me.locks.empty()) return;
  const Call& call = me.call;
  for (const Event& event : call.events) {
    if (event.kind != EventKind::lock_release) continue;
    const auto key = LockKey::of(event);
    if (me.locks.erase(key) == 0) continue;
    const Times leave{call.leave_before(), call.after.back()};
    const Received by{.source = rank,
                      .enter = leave,
                      .sent = leave,
                      .what = Received::What::lock,
                      .marks = marks_if_needed(rank, Causes::unknown)};
    for (const TraceRank waiting : locks_.release(key, rank, by)) wake(waiting);
  }
}

}  // namespace tutti::studies::replay
