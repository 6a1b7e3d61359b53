// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/replay_core.hpp"

#include "sim/replay/call.hpp"
#include "sim/replay/call_cuts.hpp"
#include "sim/replay/latest_time.hpp"

namespace tutti::studies::replay {

using workloads::traces::RegionRole;
using workloads::traces::Trace;

namespace {

bool waits_at_end_by_name(const CallKind& kind) {
  return kind.probes || kind.role == RegionRole::device_wait;
}

bool needs_posts(const CallKind& kind) { return kind.probes || kind.send == SendMode::synchronous; }

}  // namespace

ReplayCore::ReplayCore(const Trace& trace, const ReplayArgs& args, ReplaySink* sink,
                       const Options& options)
    : trace_(trace),
      args_(args),
      sink_(sink),
      parts_(args.hypothesis, trace.definitions.regions),
      scanned_(options.scan
                   ? options.scan
                   : std::make_shared<const TraceScan>(replay::scan(trace, args.hypothesis))),
      scan_(*scanned_),
      targets_(balance_targets(scan_, args.hypothesis)),
      members_(trace.definitions),
      result_(trace.definitions.locations()),
      waits_(scan_.kinds, result_.before, result_.after),
      call_gap_(call_gap(trace, args)),
      options_(options),
      rules_(options.rules == nullptr ? WaitRules{} : *options.rules),
      kinds_(scan_.kinds),
      tracks_posts_(options.learner != nullptr ||
                    (options.rules != nullptr && (rules_.synchronous_bytes != UINT64_MAX ||
                                                  std::ranges::any_of(kinds_, needs_posts)))),
      call_times_(trace.definitions.regions.size()),
      world_(trace.definitions.world()),
      waits_without_record_(rules_.lock_waits || std::ranges::any_of(kinds_, waits_at_end_by_name)),
      resizes_(std::ranges::any_of(args.hypothesis.balances, &Balance::messages)),
      channels_(scan_.messages) {
  if (args.causes)
    causes_ =
        std::make_unique<BothCauses>(BothCauses{{trace.definitions.locations(), result_.before},
                                                {trace.definitions.locations(), result_.after}});
  if (options.learner != nullptr) observations_.emplace(*options.learner);
  // "before" includes the calls that are cut, and locks in the order of the trace
  if (!args.hypothesis.cuts.empty() ||
      (args.causes && !args.hypothesis.is_empty() && !scan_.locks.is_empty())) {
    as_recorded_ = replay(trace, {.causes = args.causes,
                                  .rules = std::make_shared<WaitRules>(rules_),
                                  .scan = options.uncut});
    result_.paths = as_recorded_->paths;
  }
  result_.costs = args.costs;
  if (!call_gap_.note.empty()) result_.notes.push_back(call_gap_.note);
  const PieceRule rule(trace.definitions, args.hypothesis);
  for (TraceRank rank = 0; rank < trace.definitions.locations(); ++rank)
    ranks_.push_back(std::make_unique<RankState>(
        trace, rank, parts_,
        Computation(args_.hypothesis, parts_, scan_, targets_, rank, rule, args_.cpu_factor)));
}

// Sums over all ranks must not overflow, either.
bool ReplayCore::is_beyond() const {
  double all = 0;
  bool is_beyond = false;
  for (const auto& rank : ranks_) {
    all += static_cast<double>(rank->last.after);
    is_beyond |= rank->computation.is_beyond() || rank->last.after >= most_end;
  }
  return is_beyond || all > static_cast<double>(latest_time);
}

ReplayResult ReplayCore::finish() {
  result_.is_beyond = is_beyond();
  TraceRank last_before = 0, last_after = 0;
  for (TraceRank rank = 0; rank < ranks(); ++rank) {
    const Times& last = ranks_[rank]->last;
    if (last.before > result_.end_before) last_before = rank;
    if (last.after > result_.end_after) last_after = rank;
    result_.end_before = std::max(result_.end_before, last.before);
    result_.end_after = std::max(result_.end_after, last.after);
  }
  const auto first_other = static_cast<TraceRank>(definitions().ranks.size());
  for (TraceRank rank = first_other; rank < ranks() && !is_on_platform(); ++rank)
    add_idle_end(rank);
  if (causes_) {
    causes_->before.finish(last_before);
    causes_->after.finish(last_after);
  }
  if (as_recorded_) {
    result_.before = std::move(as_recorded_->before);
    result_.violations = as_recorded_->violations;
    result_.messages = as_recorded_->messages;
    result_.collectives = as_recorded_->collectives;
  }
  result_.verdict =
      call_times_.verdict(result_.before.total()[static_cast<std::size_t>(Metric::time)]);
  result_.rules = rules_;
  result_.unmatched = unmatched_parts(scan_, args_.hypothesis, trace_.definitions);
  if (auto note = mismatches_.note()) result_.notes.push_back(*std::move(note));
  if (auto note = resized_note(result_.resized)) result_.notes.push_back(*std::move(note));
  for (auto& note : replay_notes(scan_, targets_, args_.hypothesis, trace_.definitions))
    result_.notes.push_back(std::move(note));
  return std::move(result_);
}

void ReplayCore::add_idle(TraceRank rank, const Times& from, const Times& to) {
  const auto add = [&](MetricTable& metrics, Ticks Times::*which) {
    metrics.add_wait(
        Metric::idle_threads,
        {.begin = from.*which, .ticks = to.*which - from.*which, .rank = rank, .path = root_path});
  };
  add(result_.before, &Times::before);
  add(result_.after, &Times::after);
}

// A thread is idle from its last event until the process ends.
void ReplayCore::add_idle_end(TraceRank rank) {
  if (definitions().is_stream(rank)) return;
  const Times& end = ranks_[definitions().rank_of(rank)]->last;
  const Times& last = ranks_[rank]->last;
  add_idle(rank, last, {std::max(last.before, end.before), std::max(last.after, end.after)});
}

// ---- progress of a rank ----

ReplayCore::Reached ReplayCore::go_on(TraceRank rank, int most) {
  RankState& me = *ranks_[rank];
  for (int i = 0; i < most; ++i) {
    const Event* event = me.events.next();
    if (event == nullptr) return Reached::end;
    if (!me.has_begun) me.first = {event->time, event->time};
    if (event->kind == EventKind::enter && kinds_[event->id].is_call &&
        definitions().is_call(rank, event->id)) {
      read_call(rank, *event);
      return Reached::call;
    }
    if (!trace_.definitions.others.empty() && is_meeting(rank, *event)) {
      me.meeting = *event;
      return Reached::meeting;
    }
    outside_calls(rank, *event);
  }
  return Reached::limit;
}

// Processes the piece of computation before an event. Returns the new time of the event. `call`:
// the MPI call that begins, if any. `added`: computation that is not in the trace.
Ticks ReplayCore::arrive(TraceRank rank, Ticks time, std::uint32_t call, Ticks added) {
  RankState& me = *ranks_[rank];
  const std::uint32_t after_call = std::exchange(me.after_call, workloads::traces::none);
  if (!me.has_begun) {  // each rank keeps its offset to the first one
    me.has_begun = true;
    me.last = {time, time};
    me.computation.enter(me.frames.top());
    return time;
  }
  const Ticks piece = time - me.last.before;
  Ticks now = me.computation.compensated(piece);
  if (me.cut_depth > 0) {
    now = 0;
  } else {
    const bool is_between_calls = parts_.has_pairs() && after_call != workloads::traces::none &&
                                  call != workloads::traces::none;
    now = is_between_calls ? changed_between(me, now, after_call, call)
                           : me.computation.changed(now, me.frames.top());
  }
  const Ticks omitted = std::min(me.gap_omitted, now);
  now += (me.cut_depth > 0 ? 0 : added) - omitted;
  now = std::min(now, latest_time - me.last.after);
  me.gap_omitted = 0;
  pass(rank, me.frames.top().path, {piece, now});
  me.last = {time, me.last.after + now};
  return me.last.after;
}

// The new time of a piece between two calls.
Ticks ReplayCore::changed_between(RankState& me, Ticks piece, std::uint32_t from,
                                  std::uint32_t to) {
  Frame between = me.frames.between(from, to);
  me.computation.enter(between);
  return me.computation.changed(piece, between.parts != 0 ? between : me.frames.top());
}

void ReplayCore::outside_calls(TraceRank rank, const Event& event) {
  RankState& me = *ranks_[rank];
  const Ticks after = arrive(rank, event.time);
  bool keeps = me.cut_depth == 0;
  if (event.kind == EventKind::enter) {
    keeps = enter(rank, event.id);
  } else if (event.kind == EventKind::leave && !me.frames.empty()) {
    leave(rank, event.id);
  }
  emit(rank, event.time, after, keeps);
}

void ReplayCore::leave(TraceRank rank, std::uint32_t region) {
  RankState& me = *ranks_[rank];
  me.frames.leave();
  if (me.cut_depth > 0) --me.cut_depth;
  me.open_parallels -= kinds_[region].role == RegionRole::parallel;
  if (!me.frames.empty()) return;
  me.computation.enter(me.frames.begin_outside());
  if (definitions().is_stream(rank)) end_operation(rank);
}

// False if the region is cut.
bool ReplayCore::enter(TraceRank rank, std::uint32_t region) {
  RankState& me = *ranks_[rank];
  Frame& frame = me.frames.enter(region, result_.paths.child(me.frames.top().path, region));
  me.computation.enter(frame);
  if (kinds_[region].role == RegionRole::parallel) me.parallels += me.open_parallels++ == 0;
  if (me.cut_depth > 0 || (frame.parts & parts_.cuts()) != 0) {
    ++me.cut_depth;
    return false;
  }
  result_.after.add(rank, frame.path, Metric::visits, 1);
  result_.before.add(rank, frame.path, Metric::visits, 1);
  return true;
}

void ReplayCore::emit(TraceRank rank, Ticks before, Ticks after, bool keeps) {
  ++result_.events;
  if (keeps)
    result_.largest_deviation = std::max(result_.largest_deviation, std::abs(after - before));
  else
    ++result_.cut_events;
  if (sink_ != nullptr) sink_->event(rank, after, keeps);
}

// ---- calls ----

void ReplayCore::read_call(TraceRank rank, const Event enter) {
  RankState& me = *ranks_[rank];
  Call& call = me.call;
  call.events.assign(1, enter);
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
  call.gives_up = call.is_released = false;
  call.gathered = 1;
  call.has_completed = false;
  read_events(me);
  call.cut.assign(call.events.size(), false);
  call.path = result_.paths.child(me.frames.top().path, enter.id);
  call.after.assign(call.events.size(), 0);
  if (scan_.has_nonblocking) begin_open_collectives(rank);
  if (me.cut_depth > 0 || cuts_here(rank, enter.id))
    call.cut.assign(call.events.size(), true);
  else
    mark_cuts(me, rank, scan_, trace_.definitions, channels_);
  call.after.front() =
      arrive(rank, enter.time, enter.id, is_made(enter, made::added) ? call_gap_.ticks : Ticks{0});
  me.frames.top().seen |= parts_[enter.id].is_inner;
  call.is_open = true;
  if (kinds_[enter.id].role == RegionRole::launch) launch(rank);
  if (kinds_[enter.id].role == RegionRole::thread_barrier || scan_.is_of_all[enter.id])
    set_implicit(rank);
  if (resizes_) resize_sends(rank);
  if (tracks_posts_) post_receives(rank);
}

void ReplayCore::add_event(Call& call, const Event& event) {
  call.events.push_back(event);
  call.kinds.add(event.kind);
  if (event.kind == EventKind::send || event.kind == EventKind::isend)
    call.sent_bytes += event.bytes;
}

// Reads the events until the leave. Tests without success that follow each other directly are one
// call: a loop that waits.
void ReplayCore::read_events(RankState& me) {
  constexpr std::size_t most_events = std::size_t{1} << 20;
  Call& call = me.call;
  call.polls = false;
  call.kinds = EventKinds();
  call.sent_bytes = 0;
  while (true) {
    bool succeeds = false;
    for (std::size_t depth = 1; depth > 0;) {
      const Event* event = me.events.next();
      if (event == nullptr) return;
      depth += event->kind == EventKind::enter;
      depth -= event->kind == EventKind::leave;
      succeeds |= completes(event->kind);
      add_event(call, *event);
    }
    const auto region = call.events.front().id;
    const Event* next = me.events.peek();
    if (!kinds_[region].tests || succeeds || next == nullptr || next->kind != EventKind::enter ||
        next->id != region || call.events.size() > most_events)
      return;
    call.polls = true;
    call.events.push_back(*me.events.next());
  }
}

// Calls without a record of the collective that they are.
void ReplayCore::set_implicit(TraceRank rank) {
  RankState& me = *ranks_[rank];
  Call& call = me.call;
  const auto region = call.events.front().id;
  const RegionRole role = kinds_[region].role;
  Event end;
  end.kind = EventKind::collective_end;
  end.time = call.leave_before();
  end.op = workloads::traces::CollectiveOp::other;
  if (role == RegionRole::thread_barrier && !me.teams.empty() && !is_of_nested_team(rank)) {
    end.op = workloads::traces::CollectiveOp::barrier;
    end.comm = me.teams.back();
  } else if (scan_.is_of_all[region] && world_ != workloads::traces::none &&
             rank < definitions().ranks.size() && call.events.size() == 2) {
    end.comm = world_;
  }
  if (end.comm != workloads::traces::none && !call.cut.front()) call.implicit = end;
}

void ReplayCore::resize_sends(TraceRank rank) {
  RankState& me = *ranks_[rank];
  me.call.resized.assign(me.call.events.size(), false);
  for (std::size_t i = 1; i < me.call.events.size(); ++i) {
    Event& event = me.call.events[i];
    if ((event.kind != EventKind::send && event.kind != EventKind::isend) || me.call.cut[i])
      continue;
    const std::uint64_t before = event.bytes;
    event.bytes = me.computation.message_bytes(before);
    me.call.resized[i] = event.bytes != before;
    result_.resized.messages += me.call.resized[i];
    result_.resized.bytes_before += before;
    result_.resized.bytes_after += event.bytes;
  }
}

bool ReplayCore::cuts_here(TraceRank rank, std::uint32_t region) {
  return (parts_[region].is_region & parts_.cuts() & ranks_[rank]->frames.around()) != 0;
}

// ---- the end of a call ----

void ReplayCore::leave_call(TraceRank rank) {
  RankState& me = *ranks_[rank];
  Call& call = me.call;
  const bool is_cut = call.cut.front();
  if (is_cut) {
    std::ranges::fill(call.after, call.after.front());
    me.gap_omitted = call_gap_.ticks;
  }
  if (call.after.back() > latest_time)
    for (Ticks& each : call.after) each = std::min(each, latest_time);
  me.last = {call.leave_before(), call.after.back()};
  me.after_call = call.events.front().id;
  if (me.frames.empty()) me.computation.enter(me.frames.begin_outside());
  if (!is_cut) {
    add_metrics(rank);
    add_to_verdict(rank);
    if (observations_) observe_sends(rank);
  }
  waits_.leave(me, rank);
  release_locks(rank);
  leave_collectives(rank);
  if (sink_ != nullptr) sink_->call(rank, call);
  for (std::size_t i = 0; i < call.events.size(); ++i) {
    emit(rank, call.events[i].time, call.after[i], !call.cut[i]);
    if (sink_ != nullptr && call.is_resized(i)) sink_->message_bytes(rank, call.events[i].bytes);
  }
  call.is_open = false;
}

void ReplayCore::add_metrics(TraceRank rank) {
  const Call& call = ranks_[rank]->call;
  Times took{call.leave_before() - call.enter_before(), call.after.back() - call.after.front()};
  std::uint64_t visits = 1;
  if (call.polls) {
    const Times inside = call.inside();
    const PathId around = ranks_[rank]->frames.top().path;
    result_.before.add(rank, around, Metric::time, took.before - inside.before);
    result_.after.add(rank, around, Metric::time, took.after - inside.after);
    took = inside;
    visits =
        static_cast<std::uint64_t>(std::ranges::count(call.events, EventKind::enter, &Event::kind));
  }
  result_.before.add(rank, call.path, Metric::time, took.before);
  result_.after.add(rank, call.path, Metric::time, took.after);
  if (call.awaited_by) add_window_wait(rank, *call.awaited_by);
  if (causes_) add_causes(rank);
  result_.before.add(rank, call.path, Metric::visits, static_cast<Ticks>(visits));
  result_.after.add(rank, call.path, Metric::visits, static_cast<Ticks>(visits));
  const auto add_wait = [&](Metric metric, MetricTable& to, Ticks begin, Ticks ticks) {
    to.add_wait(metric, {.begin = begin, .ticks = ticks, .rank = rank, .path = call.path});
  };
  const Times enter = call.enter(), waits = call.waits();
  add_wait(Metric::blocked, result_.before, enter.before, waits.before);
  add_wait(Metric::blocked, result_.after, enter.after, waits.after);
  add_wait(Metric::wait_and_transfer, result_.after, enter.after,
           std::clamp(call.latest_arrival, enter.after, call.leave().after) - enter.after);
}

// From the enter of the call to the latest of the events of other ranks that it waits for.
void ReplayCore::add_window_wait(TraceRank rank, Metric metric) {
  const Call& call = ranks_[rank]->call;
  const auto add = [&](MetricTable& metrics, Ticks Times::*which, const Span& span) {
    Ticks until = span.enter.*which;
    for (const auto& each : call.received)
      if (each.what == Received::What::epoch || each.what == Received::What::lock ||
          each.what == Received::What::operation)
        until = std::max(until, each.enter.*which);
    metrics.add_wait(metric, {.begin = span.enter.*which,
                              .ticks = std::min(until, span.leave.*which) - span.enter.*which,
                              .rank = rank,
                              .path = call.path});
  };
  const Span span{{call.enter_before(), call.after.front()},
                  {call.leave_before(), call.after.back()}};
  add(result_.before, &Times::before, span);
  add(result_.after, &Times::after, span);
}

// ---- causes ----

void ReplayCore::pass(TraceRank rank, PathId path, const Times& ticks) {
  result_.before.add(rank, path, Metric::time, ticks.before);
  result_.after.add(rank, path, Metric::time, ticks.after);
  if (!causes_) return;
  causes_->before.pass(rank, path, ticks.before);
  causes_->after.pass(rank, path, ticks.after);
}

// The place at which the waiting members of a collective meet; `a_pair` if not all members are
// there at the same time.
Causes::Place ReplayCore::place_of(const CollectiveInstance& instance, std::uint32_t comm,
                                   Causes::Place a_pair) const {
  if (waits_for(instance.op, false) != WaitsFor::all ||
      waits_for(instance.op, true) != WaitsFor::all ||
      instance.members.front().kind.is_neighborhood || instance.is_nonblocking)
    return a_pair;
  return instance.members.size() == ranks() ? Causes::everybody : Causes::communicator(comm);
}

// Of the rank's current state, at the time of its last event.
std::shared_ptr<const Marks> ReplayCore::marks(TraceRank rank, Causes::Place place) {
  const Times& now = ranks_[rank]->last;
  return std::make_shared<const Marks>(Marks{causes_->before.mark(rank, place, now.before),
                                             causes_->after.mark(rank, place, now.after)});
}

// Adds the waits of a call that has ended, and the ranks that it waited for.
void ReplayCore::add_causes(TraceRank rank) {
  const Call& call = ranks_[rank]->call;
  const Span span = {{call.enter_before(), call.after.front()},
                     {call.leave_before(), call.after.back()}};
  const auto add = [&](Causes& causes, Ticks Times::*which,
                       std::optional<Causes::Mark> Marks::*mark) {
    const Ticks leave = span.leave.*which;
    Ticks now = span.enter.*which;
    const auto meet = [&](Causes::Place place, const Causes::Mark& other) {
      now = causes.meet(rank, place, other, now, leave);
    };
    std::vector<const Causes::Mark*> in_order;
    for (const auto& each : call.received)
      if (each.marks && ((*each.marks).*mark)) in_order.push_back(&*((*each.marks).*mark));
    std::ranges::stable_sort(in_order, {}, &Causes::Mark::time);
    for (const auto* each : in_order) meet(Causes::pair_of(each->rank), *each);
    for (const CollectiveNumber& number : call.collectives) {
      const auto& instance = instances_.at(number);
      const auto last = instance.latest_member(members_.of(number.comm, rank), which);
      if (!last || !instance.members[*last].marks) continue;
      const auto& cause = instance.members[*last];
      meet(place_of(instance, number.comm, Causes::pair_of(cause.rank)), *((*cause.marks).*mark));
    }
    causes.pass(rank, call.path, leave - now);
  };
  add(causes_->before, &Times::before, &Marks::before);
  add(causes_->after, &Times::after, &Marks::after);
}

}  // namespace tutti::studies::replay
