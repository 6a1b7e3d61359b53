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

class Replay {
 public:
  // `most_events`: the replay ends after this number of events.
  Replay(const Trace& trace, const ReplayArgs& args, ReplaySink* sink, ReplayCore::Options options,
         std::uint64_t most_events = UINT64_MAX)
      : core_(trace, args, sink, options),
        most_events_(most_events),
        times_(args.loggp ? loggp_times(*args.loggp, trace.definitions.ticks_per_s)
                          : recorded_times(core_.result().costs)),
        has_costs_(args.loggp.has_value()),
        args_(args),
        previous_(is_longest() ? core_.ranks() : 0) {}

  ReplayResult run() {
    for (TraceRank rank = 0; rank < core_.ranks(); ++rank) ready_.push({0, rank});
    do {
      run_ready();
    } while (core_.result().events < most_events_ && release_blocked());
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
    const int slice = is_longest() ? 1 : 512;  // events
    while (!ready_.empty() && core_.result().events < most_events_) {
      const TraceRank rank = ready_.top().second;
      ready_.pop();
      if (advance(core_.rank(rank), slice)) wake(rank);
      wake_others();
    }
  }

  void wake(TraceRank rank) {
    const Times& last = core_.rank(rank).last;
    ready_.push({is_longest() ? last.before : last.after, rank});
  }
  void wake_others() {
    core_.visit_woken([this](TraceRank rank) { wake(rank); });
  }

  // False if the rank waits for another one or has ended.
  bool advance(RankState& me, int slice) {
    if (is_longest()) previous_[me.rank] = me.last;
    if (!me.has_begun && args_.limits.begins_late && !begin_late(me)) return false;
    if (me.call.is_open && !finish_call(me)) return false;
    if (me.meeting && !meet(me)) return false;
    for (int calls = 0; calls < slice; ++calls) {
      switch (core_.advance(me, slice)) {
        case ReplayCore::Reached::end:
          return false;
        case ReplayCore::Reached::limit:
          return true;
        case ReplayCore::Reached::call:
          if (!finish_call(me)) return false;
          break;
        case ReplayCore::Reached::meeting:
          if (!meet(me)) return false;
      }
    }
    return true;
  }

  // Locks are granted in the order of the requests. With the longest waits, a meeting comes as late
  // as anything that it may wait for.
  bool meet(RankState& me) {
    ThreadWaitReplay& locks = core_.thread_waits();
    if (const auto request = locks.next_request(me)) {
      wake_others();
      if (!is_turn(me.rank, is_longest() ? request->before : request->after)) return false;
      locks.request(me, *request);
    }
    if (is_longest()) {
      const auto until = core_.is_doubtful(me) ? me.meeting->time : locks.may_wait_until(me);
      if (until && !is_turn(me.rank, *until)) return false;
      if (until) me.not_before = latest(*until);
    }
    if (!core_.meet(me)) return false;
    me.not_before = INT64_MIN;
    return !me.call.is_open || finish_call(me);
  }

  // ---- calls ----

  // Continues the call; false if it waits for another rank.
  bool finish_call(RankState& me) {
    Call& call = me.call;
    for (; call.next < call.events.size(); ++call.next) {
      if (!call.cut[call.next] && is_passive(call, call.next)) continue;
      if (!take(me, call.next)) return false;
      CallTimes::settle(call, call.next);
    }
    wake_others();
    if (!call.cut.front()) times_->leave(call);
    if (args_.limits.unmodeled != Unmodeled::recorded && !call.cut.front() && !limit(me))
      return false;
    core_.leave_call(me);
    return true;
  }

  // ---- limits of what is not modeled ----

  bool is_longest() const { return args_.limits.unmodeled == Unmodeled::longest; }

  // Moves the end of a call to its limit; false if other ranks are behind it in the trace.
  bool limit(RankState& me) {
    Call& call = me.call;
    if (call.last_may_begin) limit_barrier(call);
    const auto doubt = core_.doubt(me);
    if (doubt == Doubt::nothing) return true;
    const bool waits = doubt == Doubt::everything;
    const Ticks recorded = call.leave_before() - call.enter_before();
    if (args_.limits.unmodeled == Unmodeled::shortest) {
      const bool is_excess = doubt == Doubt::excess;
      const Ticks least =
          is_excess ? args_.limits.sends->least_local(call.events.front().id, call.sent_bytes)
                    : Ticks{0};
      if (doubt == Doubt::work) return true;
      const Ticks most = doubt == Doubt::test ? recorded : std::min(least, recorded);
      for (Ticks& time : call.after) time = std::min(time, call.after.front() + most);
      return true;
    }
    if (waits && !is_turn(me.rank, call.leave_before())) return false;
    const Ticks own = later(call.after.front(), recorded);
    call.after.back() = std::max({call.after.back(), own, waits ? latest(call.leave_before()) : 0});
    return true;
  }

  // The threads of a team have shared out their work before the barrier as well, or as badly, as
  // they may.
  void limit_barrier(Call& call) const {
    const Ticks residual =
        call.leave_before() - std::max(call.enter_before(), call.latest_cause.before);
    const auto [earliest, latest] = *call.last_may_begin;
    if (is_longest())
      call.after.back() = std::max(call.after.back(), later(latest, residual));
    else
      for (Ticks& time : call.after) time = std::min(time, later(earliest, residual));
  }

  // Whether no other rank is behind this time, which is that of the trace with `longest`; otherwise
  // the rank continues later.
  bool is_turn(TraceRank rank, Ticks time) {
    if (ready_.empty() || ready_.top() >= Ready{time, rank}) return true;
    ready_.push({time, rank});
    return false;
  }

  // The new time at which everything has happened that came before this time of the trace.
  Ticks latest(Ticks before) {
    Ticks shift = 0;
    for (TraceRank rank = 0; rank < core_.ranks(); ++rank) {
      const RankState& other = core_.rank(rank);
      if (!other.has_begun) continue;
      const Times& last = other.last.before <= before ? other.last : previous_[rank];
      shift = std::max(shift, last.after - last.before);
      if (other.call.is_open && other.call.enter_before() <= before)
        shift = std::max(shift, other.call.after.front() - other.call.enter_before());
    }
    return later(before, shift);
  }

  // A process that another one starts begins at another time if that one does.
  bool begin_late(RankState& me) {
    const Event* first = me.events.peek();
    if (first == nullptr || first->time == 0 || me.rank >= core_.definitions().ranks.size())
      return true;
    if (args_.limits.unmodeled == Unmodeled::shortest) me.delay = -first->time;
    if (!is_longest()) return true;
    if (!is_turn(me.rank, first->time)) return false;
    me.delay = latest(first->time) - first->time;
    return true;
  }

  bool take(RankState& me, std::size_t index) {
    Call& call = me.call;
    const Event& event = call.events[index];
    if (call.cut[index]) {
      core_.forget(me, index);
      call.after[index] = call.after[call.known];
      return true;
    }
    if (completes(event.kind)) return complete(me, index);
    if (event.kind == EventKind::collective_end) return collective(me, index, event);
    if (index + 1 == call.events.size()) {
      if (call.implicit) return collective(me, index, *call.implicit);
      if (core_.waits_at_end(me)) return complete(me, index);
    }
    // Locks are granted in the order of the requests.
    if (event.kind == EventKind::lock_request &&
        !is_turn(me.rank, is_longest() ? call.enter_before() : call.after.front()))
      return false;
    times_->follow(call, index);
    act(me, index, event);
    return true;
  }

  // Whether an event inside a call neither acts on other ranks nor depends on them.
  static bool is_passive(const Call& call, std::size_t index) {
    const EventKind kind = call.events[index].kind;
    if (kind == EventKind::enter || kind == EventKind::leave)
      return call.polls && index + 1 < call.events.size();
    return kind == EventKind::other || kind == EventKind::collective_begin ||
           kind == EventKind::request_test;
  }

  // Other ranks may depend on these events.
  void act(RankState& me, std::size_t index, const Event& event) {
    const Call& call = me.call;
    switch (event.kind) {
      case EventKind::send:
      case EventKind::isend:
        return core_.messages().send(
            me, index, {times_->sent(call, index), times_->leave_of_send(call, index)});
      case EventKind::irecv_request:
        return MessageReplay::post(me, event.request);
      case EventKind::request_cancelled:
        return MessageReplay::cancel(me, event.request);
      case EventKind::collective_request:
        return core_.collectives().begin(me, event);
      case EventKind::lock_request:
        return core_.windows().request_lock(me, event);
      default:
        return;
    }
  }

  // The first completion of a call comes after everything that its completions wait for.
  bool complete(RankState& me, std::size_t index) {
    Call& call = me.call;
    if (!core_.gather(me)) return false;
    const bool is_first = !std::exchange(call.has_completed, true);
    if (is_first && !call.received.empty())
      times_->receives(call, index);
    else
      times_->follow(call, index);
    return true;
  }

  bool collective(RankState& me, std::size_t index, const Event& event) {
    Call& call = me.call;
    const auto [number, instance, member] = core_.collectives().enter(me, event);
    auto cause = instance.latest_cause(member);
    if (!cause && (instance.is_abandoned || call.gives_up)) {
      cause = Times{INT64_MIN, INT64_MIN};
      call.lacks_cause = true;
    }
    if (!cause) {
      instance.waiting.push_back(me.rank);
      return false;
    }
    if (instance.of == workloads::traces::TraceCommunicator::Kind::team &&
        instance.entered == instance.members.size())
      call.last_may_begin = instance.range_of_last();
    times_->collective(call, index, *cause);
    CollectiveReplay::count(me, event);
    return true;
  }

  // ---- broken traces ----

  // Ranks that wait for something that never comes continue without it. False if there are none.
  bool release_blocked() {
    if (release_send()) return true;
    bool released = false;
    for (TraceRank rank = 0; rank < core_.ranks(); ++rank) {
      RankState& me = core_.rank(rank);
      Call& call = me.call;
      if (me.meeting) {
        me.gives_up = released = true;
        wake(rank);
      }
      if (!call.is_open) continue;
      const bool is_implicit = call.implicit && call.next + 1 == call.events.size();
      const Event& event = is_implicit ? *call.implicit : call.awaited();
      call.gives_up |= std::exchange(call.is_released, true);
      const auto sentence = waits_in_vain(call, rank, core_.definitions(), core_.result().paths);
      core_.result().in_vain.push_back(sentence);
      if (core_.result().in_vain.size() <= most_in_vain)
        core_.result().notes.push_back(sentence + "; the replay continues without it");
      if (Call::ends_collective(event.kind))
        core_.collectives().abandon(me.number_of(event, core_.definitions()));
      else if (event.kind == EventKind::recv || event.kind == EventKind::irecv)
        core_.messages().channel(key_of(rank, event)).give_up();
      else
        call.gives_up = true;
      wake(rank);
      released = true;
    }
    return released;
  }

  // If the first of all blocked calls to end in the trace waits for its receive, that was posted
  // later, so the send did not wait for it. False if it waits for something else.
  bool release_send() {
    RankState* first = nullptr;
    for (TraceRank rank = 0; rank < core_.ranks(); ++rank) {
      RankState& me = core_.rank(rank);
      if (me.call.is_open &&
          (first == nullptr || first->call.leave_before() > me.call.leave_before()))
        first = &me;
    }
    if (first == nullptr || !first->call.awaits_receive()) return false;
    core_.messages().send_does_not_wait(*first);
    wake(first->rank);
    return true;
  }

  ReplayCore core_;
  std::uint64_t most_events_;
  std::unique_ptr<CallTimes> times_;
  bool has_costs_;
  const ReplayArgs& args_;
  std::vector<Times> previous_;  // by rank, only with `longest`: RankState::last one step ago
  using Ready = std::pair<Ticks, TraceRank>;
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready_;
  static constexpr std::size_t most_in_vain = 8;  // reported individually
};

struct Learned {
  WaitRules rules;
  RecordedCosts costs;
};

// A sample, which takes a few percent of the time of the replay, shows the rules of long traces,
// and the costs of its calls before the first one is replayed.
Learned learn(const Trace& trace, std::shared_ptr<const TraceScan> scan) {
  const std::uint64_t most_events = std::max<std::uint64_t>(1 << 19, trace.events.count() / 80);
  WaitLearner learner;
  const WaitRules by_definition;
  const ReplayArgs unchanged;
  const auto result =
      Replay(trace, unchanged, nullptr,
             {.rules = &by_definition, .learner = &learner, .scan = std::move(scan)}, most_events)
          .run();
  return {learner.rules(), result.costs};
}

// The computation of a rank, in the mean.
Ticks mean_work(const ReplayResult& result,
                const workloads::traces::TraceDefinitions& definitions) {
  Ticks sum = 0;
  for (PathId path = 0; path < result.paths.size(); ++path) {
    const auto region = result.paths.region(path);
    if (region != workloads::traces::none && definitions.regions[region].is_call()) continue;
    for (TraceRank rank = 0; rank < definitions.ranks.size(); ++rank)
      sum += result.after.of(rank, path)[Metric::time];
  }
  return sum / static_cast<Ticks>(std::max<std::size_t>(1, definitions.ranks.size()));
}

std::shared_ptr<const TraceScan> scanned(const Trace& trace, const Hypothesis& hypothesis) {
  return std::make_shared<const TraceScan>(scan(trace, hypothesis));
}

}  // namespace

namespace {

// Sets the bound of the verdict from replays with the limits of what is not modeled.
void bound(const Trace& trace, ReplayArgs args, const ReplayCore::Options& options,
           ReplayResult& result) {
  Verdict& verdict = result.verdict;
  args.causes = false;
  args.limits.sends = result.call_times.get();
  for (PathId path = 1; path < result.paths.size(); ++path)
    args.limits.begins_late |= options.scan->kinds[result.paths.region(path)].starts_processes;
  Ticks ends[] = {result.end_after, result.end_after};
  Ticks excess = 0;
  for (const auto& of : verdict.regions) excess += of.ticks;
  // No path is shorter by more than all of it.
  constexpr Ticks small = 1000;  // times the end
  const bool has_doubtful_locks = verdict.locks.acquisitions + verdict.conditions > 0;
  if (!verdict.has_limits() && !has_doubtful_locks && !args.limits.begins_late &&
      excess < result.end_after / small) {
    ends[0] -= excess;
  } else {
    for (const auto how : {Unmodeled::shortest, Unmodeled::longest}) {
      args.limits.unmodeled = how;
      args.limits.has_free_locks = how == Unmodeled::shortest && has_doubtful_locks;
      ends[how == Unmodeled::longest] = Replay(trace, args, nullptr, options).run().end_after;
    }
  }
  args.limits = {};
  if (const auto others = options.rules->with_doubtful()) {
    ReplayCore::Options with_others = options;
    with_others.rules = &*others;
    args.costs = Replay(trace, {}, nullptr, {.rules = &*others, .scan = options.uncut}).run().costs;
    const Ticks end = Replay(trace, args, nullptr, with_others).run().end_after;
    verdict.has_doubtful_waits = std::abs(end - result.end_after) > result.end_after / small;
    ends[0] = std::min(ends[0], end);
    ends[1] = std::max(ends[1], end);
  }
  // Whatever the order of a lock's owners is, no path waits longer for it than they have it.
  ends[1] = std::max(ends[1], result.end_after) + verdict.locks.ticks;
  const Reordered& reordered = verdict.reordered;
  Ticks earliest = std::min(ends[0], result.end_after) - reordered.ticks;
  Ticks latest = std::max(ends[1], result.end_after) + reordered.ticks;
  if (reordered.moves_work) {
    earliest = std::min(earliest, mean_work(result, trace.definitions));
    latest += reordered.largest_share;
  }
  verdict.set_bound(result.end_after, earliest, latest);
}

}  // namespace

ReplayResult replay(const Trace& trace, const ReplayArgs& args, ReplaySink* sink) {
  const auto scan = args.scan ? args.scan : scanned(trace, args.hypothesis);
  const auto uncut = args.hypothesis.cuts.empty() ? scan : scanned(trace, {});
  ReplayArgs informed = args;
  if (!args.rules) {
    const Learned learned = learn(trace, uncut);
    informed.rules = std::make_shared<const WaitRules>(learned.rules);
    if (args.costs.is_empty()) informed.costs = learned.costs;
  }
  const ReplayCore::Options options{.rules = informed.rules.get(), .scan = scan, .uncut = uncut};
  auto result = Replay(trace, informed, sink, options).run();
  if (!args.hypothesis.is_empty() || args.cpu_factor != 1) bound(trace, informed, options, result);
  return result;
}

}  // namespace tutti::studies::replay
