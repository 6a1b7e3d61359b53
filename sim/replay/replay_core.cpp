// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/replay_core.hpp"

#include "sim/replay/call.hpp"
#include "sim/replay/call_cuts.hpp"
#include "sim/replay/latest_time.hpp"

namespace tutti::studies::replay {

using workloads::traces::Trace;

namespace {

bool only_sends(const Call& call) {
  return std::ranges::none_of(call.events, [](const Event& each) {
    return each.kind == EventKind::recv || each.kind == EventKind::irecv ||
           each.kind == EventKind::collective_end;
  });
}

void count_receive(RankState& me, Channel& channel, const Event& event) {
  channel.count_receive();
  ++me.completions;
  if (event.kind == EventKind::recv) ++me.posts;
  if (event.kind == EventKind::irecv) me.posted.erase(event.request);
}

// The time at which the receive was posted.
Times posted(const RankState& me, const Event& event) {
  if (event.kind == EventKind::irecv)
    if (const Times* times = me.posted.find(event.request)) return *times;
  return {me.call.enter_before(), me.call.after.front()};
}

void count_violations(const CollectiveInstance& instance, Violations& violations) {
  for (std::uint32_t i = 0; i < instance.members.size(); ++i)
    violations.look_at(instance.latest_cause(i)->before, instance.members[i].ended,
                       &Violations::collectives);
}

}  // namespace

ReplayCore::ReplayCore(const Trace& trace, const ReplayArgs& args, ReplaySink* sink, Ticks call_gap)
    : trace_(trace),
      args_(args),
      sink_(sink),
      parts_(args.hypothesis, trace.definitions.regions),
      scan_(replay::scan(trace, args.hypothesis)),
      targets_(balance_targets(scan_, args.hypothesis)),
      members_(trace.definitions),
      result_(trace.definitions.ranks.size()),
      waits_(trace.definitions, result_.before, result_.after),
      call_gap_(call_gap),
      resizes_(std::ranges::any_of(args.hypothesis.balances, &Balance::messages)),
      channels_(scan_.messages) {
  if (args.causes)
    causes_ =
        std::make_unique<BothCauses>(BothCauses{{trace.definitions.ranks.size(), result_.before},
                                                {trace.definitions.ranks.size(), result_.after}});
  if (!args.hypothesis.cuts.empty()) {  // "before" includes the calls that are cut
    as_recorded_ = replay(trace, {.causes = args.causes});
    result_.paths = as_recorded_->paths;
  }
  result_.costs = args.costs;
  const PieceRule rule(trace.definitions, args.hypothesis);
  for (TraceRank rank = 0; rank < trace.definitions.ranks.size(); ++rank)
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
  if (auto note = mismatches_.note()) result_.notes.push_back(*std::move(note));
  if (auto note = resized_note(result_.resized)) result_.notes.push_back(*std::move(note));
  for (auto& note : replay_notes(scan_, targets_, args_.hypothesis, trace_.definitions))
    result_.notes.push_back(std::move(note));
  return std::move(result_);
}

// ---- progress of a rank ----

ReplayCore::Reached ReplayCore::go_on(TraceRank rank, int most) {
  RankState& me = *ranks_[rank];
  for (int i = 0; i < most; ++i) {
    const Event* event = me.events.next();
    if (event == nullptr) return Reached::end;
    if (event->kind == EventKind::enter && trace_.definitions.regions[event->id].is_mpi) {
      read_call(rank, *event);
      return Reached::call;
    }
    outside_calls(rank, *event);
  }
  return Reached::limit;
}

// Processes the piece of computation before an event. Returns the new time of the event. `added`:
// computation that is not in the trace.
Ticks ReplayCore::arrive(TraceRank rank, Ticks time, Ticks added) {
  RankState& me = *ranks_[rank];
  if (!me.has_begun) {  // each rank keeps its offset to the first one
    me.has_begun = true;
    me.last = {time, time};
    return time;
  }
  const Ticks piece = time - me.last.before;
  Ticks now = me.computation.compensated(piece);
  if (me.cut_depth > 0)
    now = 0;
  else if (!me.frames.empty())
    now = me.computation.changed(now, me.frames.top());
  const Ticks omitted = std::min(me.gap_omitted, now);
  now += (me.cut_depth > 0 ? 0 : added) - omitted;
  now = std::min(now, latest_time - me.last.after);
  me.gap_omitted = 0;
  const PathId path = me.frames.empty() ? root_path : me.frames.top().path;
  pass(rank, path, {piece, now});
  me.last = {time, me.last.after + now};
  return me.last.after;
}

void ReplayCore::outside_calls(TraceRank rank, const Event& event) {
  RankState& me = *ranks_[rank];
  const Ticks after = arrive(rank, event.time);
  bool keeps = me.cut_depth == 0;
  if (event.kind == EventKind::enter) {
    keeps = enter(rank, event.id);
  } else if (event.kind == EventKind::leave && !me.frames.empty()) {
    me.frames.leave();
    if (me.cut_depth > 0) --me.cut_depth;
  }
  emit(rank, event.time, after, keeps);
}

// False if the region is cut.
bool ReplayCore::enter(TraceRank rank, std::uint32_t region) {
  RankState& me = *ranks_[rank];
  const PathId around = me.frames.empty() ? root_path : me.frames.top().path;
  Frame& frame = me.frames.enter(region, result_.paths.child(around, region));
  me.computation.enter(frame);
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
  call.latest_cause = {INT64_MIN, INT64_MIN};
  call.received.clear();
  call.collectives.clear();
  call.gathered = 1;
  call.has_completed = false;
  std::size_t depth = 1;
  while (depth > 0) {
    const Event* event = me.events.next();
    if (event == nullptr) break;
    depth += event->kind == EventKind::enter;
    depth -= event->kind == EventKind::leave;
    call.events.push_back(*event);
  }
  call.cut.assign(call.events.size(), false);
  const PathId around = me.frames.empty() ? root_path : me.frames.top().path;
  call.path = result_.paths.child(around, enter.id);
  call.after.assign(call.events.size(), 0);
  if (me.cut_depth > 0 || cuts_here(rank, enter.id))
    call.cut.assign(call.events.size(), true);
  else
    mark_cuts(me, rank, scan_, trace_.definitions, channels_);
  call.after.front() = arrive(rank, enter.time, is_made(enter, made::added) ? call_gap_ : Ticks{0});
  if (!me.frames.empty()) me.frames.top().seen |= parts_[enter.id].is_inner;
  call.is_open = true;
  if (resizes_) resize_sends(rank);
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

std::optional<TraceRank> ReplayCore::forget(TraceRank rank, std::size_t index) {
  RankState& me = *ranks_[rank];
  const Event& event = me.call.events[index];
  std::optional<TraceRank> waiting;
  if (event.kind == EventKind::send || event.kind == EventKind::isend) {
    const MessageKey key = key_of(rank, event);
    Channel& channel = channels_.of(key);
    const std::uint64_t number = channel.sent();  // the cut message uses a number
    if (channel.send({})) waiting = key.to;
    if (channel.is_received(number)) channel.take(number);
  }
  if (event.kind == EventKind::irecv_request) ++me.posts;
  if ((event.kind == EventKind::recv || event.kind == EventKind::irecv) &&
      me.call.gathered <= index) {
    me.call.gathered = index + 1;
    count_receive(me, channels_.of(key_of(rank, event)), event);
  }
  if (event.kind == EventKind::collective_end) ++me.collectives[event.comm];
  return waiting;
}

// ---- messages ----

void ReplayCore::post(TraceRank rank, std::uint64_t request) {
  RankState& me = *ranks_[rank];
  me.posted[request] = {me.call.enter_before(), me.call.after.front()};
  ++me.posts;
}

void ReplayCore::cancel(TraceRank rank, std::uint64_t request) {
  ranks_[rank]->posted.erase(request);
  ranks_[rank]->sends.erase(request);
}

bool ReplayCore::send(TraceRank rank, std::size_t index, const Sending& times) {
  RankState& me = *ranks_[rank];
  Call& call = me.call;
  const Event& event = call.events[index];
  const MessageKey key = key_of(rank, event);
  ++result_.messages;
  SentMessage message{.sent = {event.time, std::min(times.sent_after, latest_time)},
                      .enter = {call.enter_before(), call.after.front()},
                      .path = call.path,
                      .is_blocking = event.kind == EventKind::send,
                      .is_moved = is_made(call.events.front(), made::moved),
                      .request = event.request};
  if (causes_) message.marks = marks(rank, Causes::pair_of(key.to));
  if (only_sends(call)) message.leave = {call.leave_before(), times.leave_after};
  if (call.is_resized(index)) message.new_bytes = event.bytes;
  if (!message.is_blocking) me.sends[event.request].path = call.path;
  return channels_.of(key).send(message);
}

bool ReplayCore::gather(TraceRank rank) {
  RankState& me = *ranks_[rank];
  Call& call = me.call;
  for (std::size_t& i = call.gathered; i < call.events.size(); ++i) {
    const Event& event = call.events[i];
    if (event.kind != EventKind::recv && event.kind != EventKind::irecv) continue;
    Channel& channel = channels_.of(key_of(rank, event));
    if (!call.cut[i] && !take_message(rank, i, channel)) return false;
    count_receive(me, channel, event);
  }
  return true;
}

bool ReplayCore::take_message(TraceRank rank, std::size_t index, Channel& channel) {
  RankState& me = *ranks_[rank];
  Event& event = me.call.events[index];
  const std::uint64_t number = message_number(me, scan_.ranks[rank], channel);
  if (!channel.is_sent(number)) return true;  // it is never sent
  const SentMessage* message = channel.find(number);
  if (message == nullptr) return false;
  const TraceRank source = event.id;
  result_.violations.look_at(message->sent.before, event.time, &Violations::receives);
  const std::uint64_t recorded_bytes = event.bytes;
  if (message->new_bytes) {
    me.call.resized[index] = true;
    event.bytes = *message->new_bytes;
  }
  me.call.received.push_back({.source = source,
                              .enter = message->enter,
                              .sent = message->sent,
                              .bytes = event.bytes,
                              .recorded_bytes = recorded_bytes,
                              .is_moved = message->is_moved,
                              .ended = event.time,
                              .marks = message->marks});
  waits_.posted(*ranks_[source], source, *message, posted(me, event));
  channel.take(number);
  return true;
}

// ---- collectives ----

ReplayCore::Member ReplayCore::enter_collective(TraceRank rank, const Event& event) {
  RankState& me = *ranks_[rank];
  const Call& call = me.call;
  const CollectiveNumber number = number_of(me, event, rank, trace_.definitions);
  auto& instance = instances_[number];
  if (instance.members.empty()) instance = members_.instance(rank, event);
  const std::uint32_t member = members_.of(event.comm, rank);
  auto& mine = instance.members[member];
  if (mine.has_entered) return {number, instance, member, false};
  mismatches_.look_at(number, instance, rank, event, trace_.definitions);
  mine.has_entered = true;
  mine.enter = {call.enter_before(), call.after.front()};
  mine.path = call.path;
  mine.ended = event.time;
  mine.sent_bytes = event.sent_bytes;
  mine.received_bytes = event.bytes;
  if (causes_) mine.marks = marks(rank, place_of(instance, event.comm, Causes::unknown));
  if (mine.enter.before > instance.last_enter.before) instance.last_before = member;
  if (mine.enter.after > instance.last_enter.after) instance.last_after = member;
  instance.last_enter.before = std::max(instance.last_enter.before, mine.enter.before);
  instance.last_enter.after = std::max(instance.last_enter.after, mine.enter.after);
  ++instance.entered;
  ++result_.collectives;
  me.call.collectives.push_back(number);
  return {number, instance, member, true};
}

// ---- the end of a call ----

void ReplayCore::leave_call(TraceRank rank) {
  RankState& me = *ranks_[rank];
  Call& call = me.call;
  const bool is_cut = call.cut.front();
  if (is_cut) {
    std::ranges::fill(call.after, call.after.front());
    me.gap_omitted = call_gap_;
  }
  if (call.after.back() > latest_time)
    for (Ticks& each : call.after) each = std::min(each, latest_time);
  me.last = {call.leave_before(), call.after.back()};
  if (!is_cut) add_metrics(rank);
  waits_.leave(me, rank);
  leave_collectives(rank);
  for (std::size_t i = 0; i < call.events.size(); ++i) {
    emit(rank, call.events[i].time, call.after[i], !call.cut[i]);
    if (sink_ != nullptr && call.is_resized(i)) sink_->message_bytes(rank, call.events[i].bytes);
  }
  call.is_open = false;
}

void ReplayCore::add_metrics(TraceRank rank) {
  const Call& call = ranks_[rank]->call;
  const Times took{call.leave_before() - call.enter_before(),
                   call.after.back() - call.after.front()};
  result_.before.add(rank, call.path, Metric::time, took.before);
  result_.after.add(rank, call.path, Metric::time, took.after);
  if (causes_) add_causes(rank);
  result_.before.add(rank, call.path, Metric::visits, 1);
  result_.after.add(rank, call.path, Metric::visits, 1);
  const auto blocked = [](Ticks cause, Ticks enter, Ticks leave) {
    return std::clamp<Ticks>(std::min(cause, leave) - enter, 0, leave - enter);
  };
  if (call.latest_cause.before != INT64_MIN)
    result_.before.add(rank, call.path, Metric::blocked,
                       blocked(call.latest_cause.before, call.enter_before(), call.leave_before()));
  if (call.latest_cause.after != INT64_MIN)
    result_.after.add(rank, call.path, Metric::blocked,
                      blocked(call.latest_cause.after, call.after.front(), call.after.back()));
}

// ---- causes ----

void ReplayCore::pass(TraceRank rank, PathId path, const Times& ticks) {
  result_.before.add(rank, path, Metric::time, ticks.before);
  result_.after.add(rank, path, Metric::time, ticks.after);
  if (!causes_) return;
  causes_->before.pass(rank, path, ticks.before);
  causes_->after.pass(rank, path, ticks.after);
}

// The place at which the waiting members of a collective meet; `a_pair` if not all members meet.
Causes::Place ReplayCore::place_of(const CollectiveInstance& instance, std::uint32_t comm,
                                   Causes::Place a_pair) const {
  if (waits_for(instance.op, false) != WaitsFor::all ||
      waits_for(instance.op, true) != WaitsFor::all)
    return a_pair;
  return instance.members.size() == ranks() ? Causes::everybody : Causes::communicator(comm);
}

std::shared_ptr<const Marks> ReplayCore::marks(TraceRank rank, Causes::Place place) {
  return std::make_shared<const Marks>(
      Marks{causes_->before.mark(rank, place), causes_->after.mark(rank, place)});
}

// Adds the waits of a call that has ended, and the ranks that it waited for.
void ReplayCore::add_causes(TraceRank rank) {
  const Call& call = ranks_[rank]->call;
  const auto add = [&](Causes& causes, Ticks Times::*which, Causes::Mark Marks::*mark) {
    const Times enter{call.enter_before(), call.after.front()};
    const Times leave{call.leave_before(), call.after.back()};
    Ticks waited = 0;
    const auto meet = [&](Causes::Place place, const Marks& other, Ticks came) {
      const bool waits = came > enter.*which + waited && came <= leave.*which;
      const Ticks more = waits ? came - enter.*which - waited : 0;
      causes.meet(rank, place, other.*mark, more);
      waited += more;
    };
    std::vector<const Received*> in_order;  // by arrival
    for (const auto& each : call.received) in_order.push_back(&each);
    std::ranges::stable_sort(in_order, {},
                             [&](const Received* each) { return each->enter.*which; });
    for (const auto* each : in_order)
      meet(Causes::pair_of(each->source), *each->marks, each->enter.*which);
    for (const CollectiveNumber& number : call.collectives) {
      const auto& instance = instances_.at(number);
      const auto last = instance.latest_member(members_.of(number.comm, rank), which);
      if (!last || !instance.members[*last].marks) continue;
      const auto& cause = instance.members[*last];
      meet(place_of(instance, number.comm, Causes::pair_of(cause.rank)), *cause.marks,
           cause.enter.*which);
    }
    causes.pass(rank, call.path, leave.*which - enter.*which - waited);
  };
  add(causes_->before, &Times::before, &Marks::before);
  add(causes_->after, &Times::after, &Marks::after);
}

// ---- completed collectives ----

void ReplayCore::leave_collectives(TraceRank rank) {
  const Call& call = ranks_[rank]->call;
  for (const CollectiveNumber& number : call.collectives) {
    const auto found = instances_.find(number);
    auto& instance = found->second;
    instance.members[members_.of(number.comm, rank)].leave = {call.leave_before(),
                                                              call.after.back()};
    if (++instance.left < instance.members.size()) continue;
    count_violations(instance, result_.violations);
    add_wait_states(instance, result_.before, result_.after);
    instances_.erase(found);
  }
}

}  // namespace tutti::studies::replay
