// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/replay_streams.hpp"

#include "sim/replay/latest_time.hpp"

namespace tutti::studies::replay {

bool StreamReplay::begin_operation(RankState& me, const Event& event) {
  const auto& launches = state_.scan->devices.launches[me.rank];
  const std::uint32_t number = ranks_[me.rank].begun;
  const auto launch = number < launches.size() ? launches[number] : std::nullopt;
  const Received* cause = nullptr;
  if (launch) {
    cause = ranks_[launch->location].launches.find(launch->number);
    if (cause == nullptr && !me.gives_up) {
      ranks_[launch->location].awaiting_launch[launch->number] = me.rank;
      return false;
    }
  }
  ++ranks_[me.rank].begun;
  if (cause == nullptr) {
    regions_.arrive(me, event.time);
    regions_.emit_last(me);
    regions_.enter(me, event.id);
    return true;
  }
  // The idle time of a stream before an operation is not computation.
  const Times from =
      me.has_begun ? me.last : state_.ranks[state_.definitions().rank_of(me.rank)]->first;
  if (!me.has_begun) me.last = cause->sent;
  me.has_begun = true;
  const Times now{event.time, std::min(operation_begin(me.last, *cause, event.time), latest_time)};
  if (cause->marks) state_.causes->wait(me.rank, root_path, *cause->marks, from, now);
  me.last = now;
  ranks_[launch->location].launches.erase(launch->number);
  const bool keeps = regions_.enter(me, event.id);
  regions_.emit(me, event.time, now.after, keeps);
  return true;
}

// As the end of a receive: the launch is the message, the end of the operation before the begin.
Ticks StreamReplay::operation_begin(const Times& last, const Received& launch, Ticks recorded) {
  TransferTimes& costs = state_.result.costs.launches;
  const Ticks since_launch = recorded - launch.sent.before, since_last = recorded - last.before;
  if (since_launch < 0) return last.after + since_last;
  if (launch.sent.before > last.before) {
    costs.add_late(0, since_launch);
    const Ticks gap = std::min(costs.overhead(0), since_launch);
    return std::max(last.after + gap, later(launch.sent.after, since_launch));
  }
  costs.add_early(0, since_last);
  const Ticks latency = std::min(costs.transfer(0), since_launch);
  return std::max(last.after + since_last, later(launch.sent.after, std::min(latency, since_last)));
}

void StreamReplay::end_operation(const RankState& me) {
  OfLocation& mine = ranks_[me.rank];
  const std::uint32_t number = mine.ended++;
  if (state_.scan->devices.is_awaited[me.rank][number])
    mine.ends[number] =
        state_.last_event(me, Causes::pair_of(state_.definitions().rank_of(me.rank)));
  state_.wake(std::exchange(mine.awaiting_end, {}));
}

void StreamReplay::launch(const RankState& me) {
  OfLocation& mine = ranks_[me.rank];
  const std::uint32_t number = mine.launched++;
  if (state_.scan->devices.launches.empty()) return;
  mine.launches[number] = state_.last_event(me, Causes::unknown);
  const auto waiting = mine.awaiting_launch.extract(number);
  if (!waiting.empty()) state_.wake(waiting.mapped());
}

bool StreamReplay::gather_operations(RankState& me) {
  if (state_.scan->devices.awaited.empty()) return true;
  const auto& waits = state_.scan->devices.awaited[me.rank];
  OfLocation& mine = ranks_[me.rank];
  if (mine.waits >= waits.size()) return true;
  const auto& awaited = waits[mine.waits];
  for (const DeviceEvent& operation : awaited)
    if (ranks_[operation.location].ended <= operation.number && !me.call.gives_up) {
      ranks_[operation.location].awaiting_end.push_back(me.rank);
      return false;
    }
  for (const DeviceEvent& operation : awaited) {
    if (ranks_[operation.location].ended <= operation.number) continue;
    me.call.received.push_back(ranks_[operation.location].ends.at(operation.number));
    me.call.received.back().what = Received::What::operation;
    me.call.received.back().ended = me.call.leave_before();
    me.call.awaited_by = Metric::late_kernel;
  }
  ++mine.waits;
  return true;
}

}  // namespace tutti::studies::replay
