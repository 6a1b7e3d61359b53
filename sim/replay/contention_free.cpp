// SPDX-License-Identifier: BSD-3-Clause
// Replay without contention: the rank with the earliest time is advanced first, and a rank that
// waits for another one continues when that one has arrived.

#include <queue>

#include "sim/base/common.hpp"
#include "sim/replay/call_times.hpp"
#include "sim/replay/latest_time.hpp"
#include "sim/replay/replay_core.hpp"
#include "sim/replay/replay_notes.hpp"

namespace tutti::studies::replay {
namespace {

using workloads::traces::Trace;

Ticks call_gap_ticks(const workloads::traces::TraceDefinitions& definitions,
                     const ReplayArgs& args) {
  const double gap_s = args.loggp && args.loggp->call_gap_s > 0 ? args.loggp->call_gap_s
                                                                : args.hypothesis.call_gap_s;
  return nearest_ticks(gap_s * definitions.ticks_per_s);
}

class Replay {
 public:
  Replay(const Trace& trace, const ReplayArgs& args, ReplaySink* sink)
      : core_(trace, args, sink, call_gap_ticks(trace.definitions, args)),
        times_(args.loggp ? loggp_times(*args.loggp, trace.definitions.ticks_per_s)
                          : recorded_times(core_.result().costs)),
        has_costs_(args.loggp.has_value()) {}

  ReplayResult run() {
    for (TraceRank rank = 0; rank < core_.ranks(); ++rank) ready_.push({0, rank});
    do {
      run_ready();
    } while (release_blocked());
    const std::size_t in_vain = core_.result().in_vain.size();
    if (in_vain > most_in_vain)
      core_.result().notes.push_back(
          in_vain == most_in_vain + 1
              ? "and 1 more call waits in vain"
              : fmt::format("and {} more calls wait in vain", in_vain - most_in_vain));
    if (core_.result().resized.messages > 0 && !has_costs_)
      core_.result().notes.push_back(
          "sends keep their recorded times; the times of resized messages are interpolated between "
          "the shortest times of the trace's size classes");
    return core_.finish();
  }

 private:
  // ---- scheduling of ranks ----

  void run_ready() {
    constexpr int slice = 512;  // events
    while (!ready_.empty()) {
      const TraceRank rank = ready_.top().second;
      ready_.pop();
      if (advance(rank, slice)) wake(rank);
    }
  }

  void wake(TraceRank rank) { ready_.push({core_.rank(rank).last.after, rank}); }

  // False if the rank waits for another one or has ended.
  bool advance(TraceRank rank, int slice) {
    if (core_.rank(rank).call.is_open && !finish_call(rank)) return false;
    for (int calls = 0; calls < slice; ++calls) {
      const auto reached = core_.go_on(rank, slice);
      if (reached == ReplayCore::Reached::end) return false;
      if (reached == ReplayCore::Reached::limit) return true;
      if (!finish_call(rank)) return false;
    }
    return true;
  }

  // ---- calls ----

  // Continues the call; false if it waits for another rank.
  bool finish_call(TraceRank rank) {
    Call& call = core_.rank(rank).call;
    for (; call.next < call.events.size(); ++call.next)
      if (!take(rank, call.next)) return false;
    if (!call.cut.front()) times_->leave(call);
    core_.leave_call(rank);
    return true;
  }

  bool take(TraceRank rank, std::size_t index) {
    Call& call = core_.rank(rank).call;
    const Event& event = call.events[index];
    if (call.cut[index]) {
      if (const auto waiting = core_.forget(rank, index)) wake(*waiting);
      call.after[index] = call.after[index - 1];
      return true;
    }
    if (event.kind == EventKind::recv || event.kind == EventKind::irecv ||
        event.kind == EventKind::isend_complete)
      return complete(rank, index);
    if (event.kind == EventKind::collective_end) return collective(rank, index);
    times_->follow(call, index);
    if (event.kind == EventKind::send || event.kind == EventKind::isend) send(rank, index);
    if (event.kind == EventKind::irecv_request) core_.post(rank, event.request);
    if (event.kind == EventKind::request_cancelled) core_.cancel(rank, event.request);
    return true;
  }

  void send(TraceRank rank, std::size_t index) {
    const Call& call = core_.rank(rank).call;
    if (core_.send(rank, index, {times_->sent(call, index), times_->leave_of_send(call, index)}))
      wake(call.events[index].id);
  }

  // The first completion of a call comes after everything that its completions wait for.
  bool complete(TraceRank rank, std::size_t index) {
    Call& call = core_.rank(rank).call;
    if (!core_.gather(rank)) return false;
    const bool is_first = !std::exchange(call.has_completed, true);
    if (is_first && !call.received.empty())
      times_->receives(call, index);
    else
      times_->follow(call, index);
    return true;
  }

  bool collective(TraceRank rank, std::size_t index) {
    Call& call = core_.rank(rank).call;
    const Event& event = call.events[index];
    const auto [number, instance, member, is_new] = core_.enter_collective(rank, event);
    if (is_new)
      for (const TraceRank waiting : std::exchange(instance.waiting, {})) wake(waiting);
    auto cause = instance.latest_cause(member);
    if (!cause && abandoned_.contains(number)) cause = Times{INT64_MIN, INT64_MIN};
    if (!cause) {
      instance.waiting.push_back(rank);
      return false;
    }
    times_->collective(call, index, *cause);
    core_.count_collective(rank, event);
    return true;
  }

  // ---- broken traces ----

  // Ranks that wait for something that never comes continue without it. False if there are none.
  bool release_blocked() {
    bool released = false;
    for (TraceRank rank = 0; rank < core_.ranks(); ++rank) {
      const RankState& me = core_.rank(rank);
      const Call& call = me.call;
      if (!call.is_open) continue;
      const Event& event = call.awaited();
      const auto sentence = waits_in_vain(call, rank, core_.definitions(), core_.result().paths);
      core_.result().in_vain.push_back(sentence);
      if (core_.result().in_vain.size() <= most_in_vain)
        core_.result().notes.push_back(sentence + "; the replay continues without it");
      if (event.kind == EventKind::collective_end)
        abandoned_.insert(number_of(me, event, rank, core_.definitions()));
      else
        core_.channel(key_of(rank, event)).give_up();
      wake(rank);
      released = true;
    }
    return released;
  }

  ReplayCore core_;
  std::unique_ptr<CallTimes> times_;
  bool has_costs_;
  using Ready = std::pair<Ticks, TraceRank>;
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready_;
  std::set<CollectiveNumber> abandoned_;
  static constexpr std::size_t most_in_vain = 8;  // reported individually
};

}  // namespace

ReplayResult replay(const Trace& trace, const ReplayArgs& args, ReplaySink* sink) {
  return Replay(trace, args, sink).run();
}

}  // namespace tutti::studies::replay
