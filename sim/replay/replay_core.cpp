// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/replay_core.hpp"

#include "sim/replay/call.hpp"
#include "sim/replay/latest_time.hpp"

namespace tutti::studies::replay {

using workloads::traces::RegionRole;
using workloads::traces::Trace;

namespace {

void add_event(Call& call, const Event& event) {
  call.events.push_back(event);
  call.kinds.add(event.kind);
  if (event.kind == EventKind::send || event.kind == EventKind::isend)
    call.sent_bytes += event.bytes;
}

// Reads the events until the leave.
void read_events(RankState& me) {
  for (std::size_t depth = 1; depth > 0;) {
    const Event* event = me.events.next();
    if (event == nullptr) return;
    depth += event->kind == EventKind::enter;
    depth -= event->kind == EventKind::leave;
    add_event(me.call, *event);
  }
}

// Reads the events of a loop until its end.
void read_loop(RankState& me, const PollingLoop& loop) {
  while (me.events.count() <= loop.last)
    if (const Event* event = me.events.next()) add_event(me.call, *event);
  me.call.polls = loop.has_several;
  me.call.probes = loop.ends == PollingLoop::Ends::message;
  me.call.may_work = loop.may_work;
  me.call.is_of_devices = loop.ends == PollingLoop::Ends::operation;
  me.call.divided = loop.divided;
}

WaitKind kind_of_wait(Received::What awaited) {
  switch (awaited) {
    case Received::What::message:
    case Received::What::probe:
      return WaitKind::late_sender;
    case Received::What::receive:
      return WaitKind::late_receiver;
    case Received::What::epoch:
    case Received::What::lock:
      return WaitKind::window;
    case Received::What::operation:
      return WaitKind::device;
    default:
      return WaitKind::other;
  }
}

// Empties the call for the next one, and keeps its memory.
void reset(Call& call, const Event& enter) {
  call.events.assign(1, enter);
  call.kinds = EventKinds();
  call.sent_bytes = 0;
  call.polls = call.probes = call.may_work = false;
  call.divided = 0;
  call.after.clear();
  call.next = 1;
  call.known = 0;
  call.latest_cause = {INT64_MIN, INT64_MIN};
  call.latest_arrival = INT64_MIN;
  call.received.clear();
  call.sends.clear();
  call.met = 0;
  call.collectives.clear();
  call.implicit.reset();
  call.awaited_by.reset();
  call.observed.clear();
  call.synchronized = 0;
  call.gives_up = call.lacks_cause = call.is_released = false;
  call.gathered = 1;
  call.has_completed = false;
  call.last_may_begin.reset();
  call.is_continued = false;
}

}  // namespace

ReplayCore::ReplayCore(const Trace& trace, const ReplayArgs& args, ReplaySink* sink,
                       const Options& options)
    : state_{.trace = trace,
             .args = args,
             .sink = sink,
             .scan = options.scan
                         ? options.scan
                         : std::make_shared<const TraceScan>(replay::scan(trace, args.hypothesis)),
             .rules = options.rules == nullptr ? WaitRules{} : *options.rules,
             .is_on_platform = options.rules == nullptr,
             .learner = options.learner,
             .result = ReplayResult(trace.definitions.locations()),
             .causes = {},
             .ranks = {},
             .woken = {}},
      regions_(state_),
      messages_(state_),
      collectives_(state_),
      windows_(state_),
      threads_(state_, regions_),
      thread_waits_(state_, regions_),
      tasks_(state_, regions_),
      streams_(state_, regions_),
      call_gap_(call_gap(trace, args)),
      call_times_(std::make_shared<CallTimeSums>(trace.definitions.regions.size())),
      order_(trace.definitions.locations(), !args.hypothesis.is_empty() || args.cpu_factor != 1),
      doubts_(state_, streams_, *call_times_),
      waits_without_record_(state_.rules.lock_waits ||
                            std::ranges::any_of(state_.scan->kinds, &CallKind::concerns_devices)) {
  ReplayResult& result = state_.result;
  if (args.causes) state_.causes = std::make_unique<BothCauses>(definitions(), result);
  // "before" includes the calls that are cut, and locks in the order of the trace
  if ((!args.hypothesis.cuts.empty() && args.limits.unmodeled == Unmodeled::recorded) ||
      (args.causes && !args.hypothesis.is_empty() && !scan().locks.is_empty())) {
    as_recorded_ = replay(trace, {.causes = args.causes,
                                  .rules = std::make_shared<WaitRules>(state_.rules),
                                  .scan = options.uncut});
    result.paths = as_recorded_->paths;
  }
  result.costs = args.costs;
  if (!call_gap_.note.empty()) result.notes.push_back(call_gap_.note);
}

ReplayResult ReplayCore::finish() {
  ReplayResult& result = state_.result;
  result.is_beyond = regions_.is_beyond();
  TraceRank last_before = 0, last_after = 0;
  for (const auto& rank : state_.ranks) {
    if (rank->last.before > result.end_before) last_before = rank->rank;
    if (rank->last.after > result.end_after) last_after = rank->rank;
    result.end_before = std::max(result.end_before, rank->last.before);
    result.end_after = std::max(result.end_after, rank->last.after);
  }
  if (!state_.is_on_platform) threads_.finish();
  if (state_.causes) state_.causes->finish(last_before, last_after);
  if (as_recorded_) {
    result.before = std::move(as_recorded_->before);
    result.violations = as_recorded_->violations;
    result.messages = as_recorded_->messages;
    result.collectives = as_recorded_->collectives;
  }
  result.verdict = call_times_->verdict(result.before.total()[Metric::time]);
  result.verdict.reordered = order_.finish();
  doubts_.add_to(result.verdict);
  result.verdict.of_devices = scan().devices.doubts.sum() + streams_.released();
  result.verdict.has_unknown |= result.verdict.of_devices > 0;
  thread_waits_.add_to(result.verdict);
  if (state_.is_on_platform && result.end_after > 0)
    result.verdict.fraction +=
        static_cast<double>(result.verdict.reordered.ticks) / static_cast<double>(result.end_after);
  result.call_times = call_times_;
  result.rules = state_.rules;
  const Hypothesis& hypothesis = state_.args.hypothesis;
  result.unmatched = unmatched_parts(scan(), hypothesis, definitions());
  if (auto note = collectives_.note()) result.notes.push_back(*std::move(note));
  if (auto note = resized_note(result.resized)) result.notes.push_back(*std::move(note));
  for (auto& note : replay_notes(scan(), regions_.targets(), hypothesis, definitions()))
    result.notes.push_back(std::move(note));
  return std::move(result);
}

// ---- progress of a rank ----

ReplayCore::Reached ReplayCore::advance(RankState& me, int most) {
  const bool has_others = !definitions().others.empty();
  Event copy;
  for (int i = 0; i < most; ++i) {
    const Event* event = me.events.next();
    if (event == nullptr) return Reached::end;
    if (has_others) {  // a look at the next event overwrites this one
      copy = *event;
      event = &copy;
    }
    if (!me.has_begun) me.first = {event->time, event->time};
    if (has_others && thread_waits_.is_next(me) && !state_.is_on_platform) {
      me.meeting = *event;
      return Reached::meeting;
    }
    if (has_others && pass_barrier(me, *event)) {
      if (me.call.is_open) return Reached::call;
      continue;
    }
    if (begins_call(me, *event)) {
      read_call(me, *event);
      return Reached::call;
    }
    if (has_others && is_meeting(me, *event)) {
      me.meeting = *event;
      return Reached::meeting;
    }
    pass(me, *event);
  }
  return Reached::limit;
}

bool ReplayCore::begins_call(const RankState& me, const Event& event) const {
  return event.kind == EventKind::enter &&
         is_call(state_.scan->kinds[event.id], definitions(), me.rank, event.id);
}

// Threads may run tasks in a barrier: those are computation, and only the rest is the call.
bool ReplayCore::pass_barrier(RankState& me, const Event& event) {
  if (event.kind != EventKind::enter && event.kind != EventKind::leave) return false;
  if (state_.scan->kinds[event.id].role != RegionRole::thread_barrier) return false;
  if (event.kind == EventKind::enter) {
    const Event enter = event;
    const Event* next = me.events.peek();
    if (!begins_call(me, enter) || next == nullptr || next->kind == EventKind::leave) return false;
    regions_.pass(me, enter);
    return true;
  }
  if (me.frames.empty() || me.frames.top().region != event.id || me.is_cut()) return false;
  me.frames.leave();
  continue_barrier(me, event);
  return true;
}

bool ReplayCore::is_meeting(const RankState& me, const Event& event) const {
  return streams_.is_meeting(me, event) || tasks_.is_meeting(me, event) ||
         threads_.is_meeting(me, event);
}

bool ReplayCore::meet(RankState& me) {
  const Event event = *me.meeting;
  const bool has_locks = !scan().thread_waits.is_empty();
  if (has_locks && !thread_waits_.before(me)) return false;
  if (!meet_others(me, event)) return false;
  if (has_locks) thread_waits_.after(me);
  me.meeting.reset();
  me.gives_up = false;
  return true;
}

bool ReplayCore::meet_others(RankState& me, const Event& event) {
  if (pass_barrier(me, event)) return true;
  if (begins_call(me, event)) {
    read_call(me, event);
    return true;
  }
  if (streams_.is_meeting(me, event)) return streams_.meet(me, event);
  if (tasks_.is_meeting(me, event)) return tasks_.meet(me, event);
  if (threads_.is_meeting(me, event)) return threads_.meet(me, event);
  pass(me, event);
  return true;
}

void ReplayCore::pass_meeting(RankState& me) {
  const Event event = *std::exchange(me.meeting, std::nullopt);
  pass(me, event);
}

void ReplayCore::pass(RankState& me, const Event& event) {
  const bool leaves = event.kind == EventKind::leave && !me.frames.empty();
  regions_.pass(me, event);
  if (leaves && me.frames.empty() && definitions().is_stream(me.rank)) streams_.end_operation(me);
}

// ---- the begin of a call ----

void ReplayCore::read_call(RankState& me, const Event& enter) {
  const std::uint32_t region = enter.id;
  const RegionRole role = state_.scan->kinds[region].role;
  Call& call = me.call;
  reset(call, enter);
  call.is_of_devices = state_.scan->kinds[region].concerns_devices();
  const auto& loops = state_.scan->ranks[me.rank].loops;
  if (me.loop < loops.size() && loops[me.loop].first + 1 == me.events.count()) [[unlikely]]
    read_loop(me, loops[me.loop++]);
  else
    read_events(me);
  call.probes |= state_.scan->kinds[region].probes;
  me.has_unrecorded |= state_.scan->kinds[region].starts_request && call.events.size() == 2;
  call.cut.assign(call.events.size(), false);
  call.path = state_.result.paths.child(me.frames.top().path, region);
  call.after.assign(call.events.size(), 0);
  collectives_.read_begins(me);
  if (regions_.cuts(me, region))
    call.cut.assign(call.events.size(), true);
  else
    messages_.mark_cuts(me);
  const Event& first = call.events.front();
  call.after.front() = regions_.arrive(me, first.time, region,
                                       is_made(first, made::added) ? call_gap_.ticks : Ticks{0});
  regions_.see_inner(me, region);
  call.is_open = true;
  if (call.is_of_devices) streams_.begin_call(me);
  if (role == RegionRole::thread_barrier && !definitions().others.empty()) tasks_.reach_barrier(me);
  if (role == RegionRole::thread_barrier || scan().is_of_all[region]) set_implicit(me);
  messages_.resize_sends(me);
  messages_.post_receives(me);
}

// The rest of a barrier, after the tasks that the thread has run in it.
void ReplayCore::continue_barrier(RankState& me, const Event& leave) {
  Event enter = leave;
  enter.kind = EventKind::enter;
  enter.time = me.last.before;
  Call& call = me.call;
  reset(call, enter);
  add_event(call, leave);
  call.cut.assign(2, false);
  call.path = state_.result.paths.child(me.frames.top().path, leave.id);
  call.after.assign(2, me.last.after);
  call.is_open = call.is_continued = true;
  tasks_.reach_barrier(me);
  set_implicit(me);
}

// Finds the collective that a call is without a record of it.
void ReplayCore::set_implicit(RankState& me) const {
  Call& call = me.call;
  Event end;
  end.kind = EventKind::collective_end;
  end.time = call.leave_before();
  end.op = workloads::traces::CollectiveOp::other;
  if (state_.kind_of(call).role == RegionRole::thread_barrier) {
    end.op = workloads::traces::CollectiveOp::barrier;
    end.comm = threads_.barrier_team(me);
  } else if (me.rank < definitions().ranks.size() &&
             !call.kinds.has_others(
                 EventKinds(EventKind::enter, EventKind::leave, EventKind::other))) {
    end.comm = definitions().world();
  }
  if (end.comm != workloads::traces::none && !call.cut.front()) call.implicit = end;
}

// ---- what a call waits for ----

bool ReplayCore::gather(RankState& me) {
  Call& call = me.call;
  if (call.probes) return messages_.gather_probe(me);
  if (call.is_of_devices) return streams_.gather_operations(me);
  for (std::size_t& i = call.gathered; i < call.events.size(); ++i)
    if (!gather_event(me, i)) return false;
  return messages_.gather_posts(me);
}

bool ReplayCore::gather_event(RankState& me, std::size_t index) {
  const Event& event = me.call.events[index];
  const bool is_cut = me.call.cut[index];
  switch (event.kind) {
    case EventKind::recv:
    case EventKind::irecv:
      return messages_.gather_message(me, index);
    case EventKind::isend_complete:
      if (!is_cut) MessageReplay::complete_send(me, event);
      return true;
    case EventKind::icollective_end:
      return is_cut || collectives_.gather(me, event);
    case EventKind::group_sync:
      return is_cut || windows_.gather_epoch(me, event);
    case EventKind::lock_request:
      return is_cut || !state_.rules.lock_waits || windows_.gather_lock(me, event);
    case EventKind::lock_acquire:
    case EventKind::lock_release:
      return is_cut || windows_.gather_lock(me, event);
    default:
      return true;
  }
}

bool ReplayCore::waits_at_end(const RankState& me) {
  const Call& call = me.call;
  if (call.has_completed || call.cut.front()) return false;
  if (call.probes || !call.sends.empty()) return true;
  return waits_without_record_ &&
         ((call.is_of_devices && streams_.awaits(me)) ||
          (state_.rules.lock_waits && call.kinds.has(EventKind::lock_request)));
}

void ReplayCore::forget(RankState& me, std::size_t index) {
  messages_.forget(me, index);
  CollectiveReplay::forget(me, me.call.events[index]);
}

// ---- the end of a call ----

void ReplayCore::leave_call(RankState& me) {
  Call& call = me.call;
  const bool is_cut = call.cut.front();
  if (is_cut) {
    std::ranges::fill(call.after, call.after.front());
    me.gap_omitted = call_gap_.ticks;
  }
  if (call.after.back() > latest_time)
    for (Ticks& time : call.after) time = std::min(time, latest_time);
  me.last = call.leave();
  me.after_call = call.events.front().id;
  regions_.begin_outside(me);
  if (!is_cut) {
    add_metrics(me);
    doubts_.count(me);
    order_.leave(me.rank, call, state_.kind_of(call));
    messages_.observe_sends(me);
  }
  messages_.leave_call(me);
  windows_.leave_call(me);
  collectives_.leave_call(me);
  ReplaySink* const sink = state_.sink;
  if (sink != nullptr && call.is_continued) sink->waits(me.rank, call.waits());
  if (sink != nullptr && !call.is_continued) sink->call(me.rank, call);
  for (std::size_t i = call.is_continued ? 1 : 0; i < call.events.size(); ++i) {
    regions_.emit(me, call.events[i].time, call.after[i], !call.cut[i]);
    if (sink != nullptr && call.is_resized(i)) sink->message_bytes(me.rank, call.events[i].bytes);
  }
  call.is_open = false;
}

void ReplayCore::add_metrics(RankState& me) {
  const Call& call = me.call;
  ReplayResult& result = state_.result;
  Times took = call.leave() - call.enter();
  Ticks visits = call.is_continued ? 0 : 1;
  if (call.polls) {
    const auto [inside, tests] = call.inside(scan().kinds);
    result.add(Metric::time, me.rank, me.frames.top().path, took - inside);
    took = inside;
    visits = tests;
  }
  result.add(Metric::time, me.rank, call.path, took);
  if (call.awaited_by) add_window_wait(me, *call.awaited_by);
  if (state_.causes) add_causes(me);
  result.add(Metric::visits, me.rank, call.path, {visits, visits});
  const Times enter = call.enter();
  result.add_wait(Metric::blocked, me.rank, call.path, enter, call.waits());
  const Ticks arrival = std::clamp(call.latest_arrival, enter.after, call.leave().after);
  result.after.add_wait(Metric::wait_and_transfer,
                        {enter.after, arrival - enter.after, me.rank, call.path});
}

// From the enter of the call to the latest of the events of other ranks that it waits for.
void ReplayCore::add_window_wait(const RankState& me, Metric metric) {
  const Call& call = me.call;
  Times until = call.enter(), accessed = until;
  for (const auto& cause : call.received)
    if (cause.what == Received::What::epoch || cause.what == Received::What::lock ||
        cause.what == Received::What::operation) {
      until = later_of(until, cause.enter);
      accessed = later_of(accessed, cause.posted_at);
    }
  until = earlier_of(until, call.leave());
  accessed = earlier_of(accessed, until);
  state_.result.add_wait(metric, me.rank, call.path, call.enter(), until - call.enter());
  if (metric == Metric::early_wait)
    state_.result.add_wait(Metric::late_complete, me.rank, call.path, accessed, until - accessed);
}

// Adds the waits of a call that has ended, and the ranks that it waited for.
void ReplayCore::add_causes(const RankState& me) {
  const Call& call = me.call;
  state_.causes->visit(
      [&](Causes& causes, Ticks Times::*time, std::optional<Causes::Mark> Marks::*mark) {
        const Ticks leave = call.leave().*time;
        Ticks now = call.enter().*time;
        const auto meet = [&](Causes::Place place, const Causes::Mark& other, WaitKind kind) {
          now = causes.meet({me.rank, call.path, kind, leave}, place, other, now);
        };
        std::vector<std::pair<const Causes::Mark*, WaitKind>> in_order;
        for (const auto& cause : call.received)
          if (cause.marks && ((*cause.marks).*mark))
            in_order.emplace_back(&*((*cause.marks).*mark), kind_of_wait(cause.what));
        std::ranges::stable_sort(in_order, {}, [](auto& each) { return each.first->time; });
        for (const auto& [other, kind] : in_order) meet(Causes::pair_of(other->rank), *other, kind);
        for (const CollectiveNumber& number : call.collectives)
          if (const auto cause = collectives_.last_cause(me, number, time))
            meet(cause->place, *((*cause->member.marks).*mark), cause->kind);
        causes.pass(me.rank, call.path, leave - now);
      });
}

}  // namespace tutti::studies::replay
