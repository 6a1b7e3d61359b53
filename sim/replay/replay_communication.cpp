// SPDX-License-Identifier: BSD-3-Clause
// Messages, collectives and synchronization of windows: the parts of ReplayCore that relate the
// calls of different ranks.
#include "sim/replay/call_cuts.hpp"
#include "sim/replay/replay_core.hpp"

namespace tutti::studies::replay {

using workloads::traces::RegionRole;

namespace {

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
  return me.call.enter();
}

void count_violations(const CollectiveInstance& instance, Violations& violations) {
  if (instance.is_implicit) return;
  for (std::uint32_t i = 0; i < instance.members.size(); ++i)
    if (const auto cause = instance.latest_cause(i))
      violations.look_at(cause->before, instance.members[i].ended, &Violations::collectives);
}

}  // namespace

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
  if (event.kind == EventKind::icollective_end) me.open_collectives.erase(event.tag);
  return waiting;
}

// ---- messages ----

void ReplayCore::post(TraceRank rank, std::uint64_t request) {
  RankState& me = *ranks_[rank];
  me.posted[request] = me.call.enter();
  ++me.posts;
}

// The posts of the call, for the sends that wait for them.
void ReplayCore::post_receives(TraceRank rank) {
  RankState& me = *ranks_[rank];
  if (!me.receives_ahead)
    me.receives_ahead = std::make_unique<ReceivesAhead>(trace_, rank, ReceivesAhead::Which::all);
  for (std::size_t i = 1; i < me.call.events.size(); ++i) {
    const EventKind kind = me.call.events[i].kind;
    if (kind != EventKind::irecv_request && kind != EventKind::recv) continue;
    const auto receive = me.receives_ahead->next();
    if (!receive || me.call.cut[i]) continue;
    const TraceRank sender = receive->key.from;
    if (observations_)
      observations_->posted({receive->key, receive->number}, me.call.enter_before());
    if (channels_.of(receive->key)
            .post(receive->number,
                  {me.call.enter(), marks_if_needed(rank, Causes::pair_of(sender))}))
      wake(sender);
  }
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
  Channel& channel = channels_.of(key);
  const SendMode mode = kind_of_call(call).send;
  const bool waits = tracks_posts_ && channel.is_received(channel.sent()) &&
                     (mode == SendMode::synchronous ||
                      (mode == SendMode::standard && event.bytes >= rules_.synchronous_bytes));
  const WaitingSend mine{key, channel.sent(), event.bytes, event.kind == EventKind::isend};
  ++result_.messages;
  SentMessage message{.sent = {event.time, std::min(times.sent_after, latest_time)},
                      .enter = call.enter(),
                      .path = call.path,
                      .is_blocking = event.kind == EventKind::send,
                      .is_synchronous = waits,
                      .is_moved = is_made(call.events.front(), made::moved),
                      .request = event.request};
  message.marks = marks_if_needed(rank, Causes::pair_of(key.to));
  if (call.only_sends() && !waits) message.leave = {call.leave_before(), times.leave_after};
  if (call.is_resized(index)) message.new_bytes = event.bytes;
  if (!message.is_blocking) {
    auto& pending = me.sends[event.request];
    pending.path = call.path;
    if (waits) pending.receive = std::make_unique<RankState::Pending::Receive>(mine, std::nullopt);
  } else if (waits) {
    call.sends.push_back(mine);
  }
  if (observations_ && mode == SendMode::standard && channel.is_received(mine.number)) {
    const SendObservations::Message observed{{key, mine.number}, event.bytes};
    if (message.is_blocking)
      call.observed.push_back(observed);
    else
      me.sends[event.request].receive =
          std::make_unique<RankState::Pending::Receive>(std::nullopt, observed);
  }
  return channel.send(message, waits);
}

// ---- what the completions of a call wait for ----

bool ReplayCore::gather(TraceRank rank) {
  Call& call = ranks_[rank]->call;
  if (kind_of_call(call).probes) return gather_probe(rank);
  if (kind_of_call(call).role == RegionRole::device_wait)
    return scan_.devices.awaited.empty() || gather_operations(rank);
  for (std::size_t& i = call.gathered; i < call.events.size(); ++i)
    if (!gather_event(rank, i)) return false;
  for (; call.met < call.sends.size(); ++call.met)
    if (!gather_receive(rank, call.sends[call.met])) return false;
  return true;
}

bool ReplayCore::gather_event(TraceRank rank, std::size_t index) {
  RankState& me = *ranks_[rank];
  Call& call = me.call;
  const Event& event = call.events[index];
  const bool is_cut = call.cut[index];
  switch (event.kind) {
    case EventKind::recv:
    case EventKind::irecv: {
      Channel& channel = channels_.of(key_of(rank, event));
      if (!is_cut && !call.gives_up && !take_message(rank, index, channel)) return false;
      count_receive(me, channel, event);
      return true;
    }
    case EventKind::isend_complete: {
      auto* const pending = me.sends.find(event.request);
      if (pending != nullptr && !is_cut && pending->receive && pending->receive->waits)
        call.sends.push_back(*std::exchange(pending->receive->waits, std::nullopt));
      return true;
    }
    case EventKind::icollective_end:
      return is_cut || gather_collective(rank, event);
    case EventKind::group_sync:
      return is_cut || gather_epoch(rank, event);
    case EventKind::lock_request:
      return is_cut || !rules_.lock_waits || gather_lock(rank, event);
    case EventKind::lock_acquire:
    case EventKind::lock_release:
      return is_cut || gather_lock(rank, event);
    default:
      return true;
  }
}

bool ReplayCore::waits_at_end(TraceRank rank) const {
  const Call& call = ranks_[rank]->call;
  if (call.has_completed || call.cut.front()) return false;
  if (!waits_without_record_ && call.sends.empty()) return false;
  return !call.sends.empty() || kind_of_call(call).probes ||
         kind_of_call(call).role == RegionRole::device_wait ||
         (rules_.lock_waits && call.kinds.has(EventKind::lock_request));
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
  const Times post = posted(me, event);
  me.call.received.push_back({.source = source,
                              .enter = message->enter,
                              .sent = message->sent,
                              .bytes = event.bytes,
                              .recorded_bytes = recorded_bytes,
                              .event = static_cast<std::uint32_t>(index),
                              .is_moved = message->is_moved,
                              .is_nonblocking = event.kind == EventKind::irecv,
                              .ended = event.time,
                              .marks = message->marks});
  if (message->is_synchronous) me.call.received.back().posted = post;
  waits_.posted(*ranks_[source], source, *message, post);
  channel.take(number);
  return true;
}

bool ReplayCore::gather_receive(TraceRank rank, const WaitingSend& send) {
  Call& call = ranks_[rank]->call;
  Channel& channel = channels_.of(send.key);
  const Posted* posted = channel.posted(send.number);
  if (posted == nullptr) return call.gives_up;
  call.received.push_back({.source = send.key.to,
                           .enter = posted->at,
                           .sent = posted->at,
                           .bytes = send.bytes,
                           .recorded_bytes = send.bytes,
                           .is_nonblocking = send.is_nonblocking,
                           .what = Received::What::receive,
                           .ended = call.leave_before(),
                           .marks = posted->marks});
  channel.forget_post(send.number);
  return true;
}

// A probe waits for the message that the rank receives next.
bool ReplayCore::gather_probe(TraceRank rank) {
  RankState& me = *ranks_[rank];
  if (me.call.gives_up || !tracks_posts_) return true;
  if (!me.receives_ahead)
    me.receives_ahead = std::make_unique<ReceivesAhead>(trace_, rank, ReceivesAhead::Which::all);
  const auto receive = me.receives_ahead->peek();
  if (!receive || !channels_.of(receive->key).is_sent(receive->number)) return true;
  const SentMessage* message = channels_.of(receive->key).find(receive->number);
  if (message == nullptr) return false;
  if (message->sent.before > me.call.leave_before()) return true;
  me.call.received.push_back({.source = receive->key.from,
                              .enter = message->enter,
                              .sent = message->sent,
                              .bytes = receive->bytes,
                              .recorded_bytes = receive->bytes,
                              .what = Received::What::probe,
                              .ended = me.call.leave_before(),
                              .marks = message->marks});
  return true;
}

void ReplayCore::send_does_not_wait(TraceRank rank) {
  Call& call = ranks_[rank]->call;
  const WaitingSend& send = call.sends[call.met++];
  channels_.of(send.key).forget_post(send.number);
}

void ReplayCore::observe_sends(TraceRank rank) {
  RankState& me = *ranks_[rank];
  Call& call = me.call;
  for (const Event& event : call.events) {
    if (event.kind != EventKind::isend_complete) continue;
    auto* const pending = me.sends.find(event.request);
    if (pending != nullptr && pending->receive && pending->receive->observed)
      call.observed.push_back(*pending->receive->observed);
  }
  const Ticks begin = std::max(call.enter_before(), call.latest_cause.before);
  observations_->ended(call.observed, begin, call.leave_before());
}

// ---- collectives ----

CollectiveInstance& ReplayCore::instance_of(const CollectiveNumber& number, TraceRank rank,
                                            const Event& event) {
  auto& instance = instances_[number];
  if (instance.members.empty()) {
    const bool is_abandoned = instance.is_abandoned;
    const CollectiveKind kind = kind_of(event, false, region_name(ranks_[rank]->call));
    instance = members_.instance(rank, event, rules_, kind.is_neighborhood);
    instance.is_abandoned = is_abandoned;
  }
  return instance;
}

// Determines which collectives the call begins.
void ReplayCore::begin_open_collectives(TraceRank rank) {
  RankState& me = *ranks_[rank];
  for (const Event& event : me.call.events) {
    if (event.kind != EventKind::collective_request) continue;
    if (!me.collectives_ahead)
      me.collectives_ahead = std::make_unique<CollectivesAhead>(trace_, rank);
    if (const auto completion = me.collectives_ahead->completion(event.request))
      me.open_collectives[event.request] = {*completion, me.collectives[completion->comm]++};
  }
}

void ReplayCore::begin_collective(TraceRank rank, const Event& request) {
  RankState& me = *ranks_[rank];
  const auto open = me.open_collectives.find(request.request);
  if (open == me.open_collectives.end()) return;
  enter_collective(rank, open->second.completion);
}

ReplayCore::Member ReplayCore::enter_collective(TraceRank rank, const Event& event) {
  RankState& me = *ranks_[rank];
  const Call& call = me.call;
  const CollectiveNumber number = number_of(me, event, rank, trace_.definitions);
  auto& instance = instance_of(number, rank, event);
  const std::uint32_t member = members_.of(event.comm, rank);
  auto& mine = instance.members[member];
  if (mine.has_entered) return {number, instance, member, false};
  mismatches_.look_at(number, instance, rank, event, trace_.definitions);
  mine.kind = kind_of(event, member == instance.root, region_name(call));
  mine.waits = options_.rules == nullptr ? waits_for(event.op, member == instance.root)
                                         : rules_.of(mine.kind);
  mine.enter = call.enter();
  mine.path = call.path;
  mine.ended = event.time;
  mine.sent_bytes = event.sent_bytes;
  mine.received_bytes = event.bytes;
  mine.marks = marks_if_needed(rank, place_of(instance, event.comm, Causes::unknown));
  instance.is_implicit = call.implicit.has_value();
  instance.enter(member, mine.enter);
  ++result_.collectives;
  if (event.kind == EventKind::collective_end) me.call.collectives.push_back(number);
  // Those that wait for all are woken by the last one.
  const bool is_complete = instance.entered == instance.members.size();
  std::erase_if(instance.waiting, [&](TraceRank waiting) {
    const auto other = members_.of(event.comm, waiting);
    if (!is_complete && instance.members[other].waits == WaitsFor::all) return false;
    wake(waiting);
    return true;
  });
  return {number, instance, member, true};
}

bool ReplayCore::gather_collective(TraceRank rank, const Event& event) {
  RankState& me = *ranks_[rank];
  const auto open = me.open_collectives.find(event.tag);
  if (open == me.open_collectives.end()) return true;
  const CollectiveNumber number = number_of(me, event, rank, trace_.definitions);
  auto& instance = instance_of(number, rank, event);
  const std::uint32_t member = members_.of(event.comm, rank);
  if (!instance.members[member].has_entered) enter_collective(rank, event);  // in the same call
  const auto cause = instance.latest_cause(member);
  if (!cause && !instance.is_abandoned && !me.call.gives_up) {
    instance.waiting.push_back(rank);
    return false;
  }
  auto& mine = instance.members[member];
  mine.enter = me.call.enter();
  mine.is_tested = kind_of_call(me.call).tests;
  mine.path = me.call.path;
  me.call.collectives.push_back(number);
  me.open_collectives.erase(open);
  if (!cause || cause->before == INT64_MIN) return true;
  me.call.received.push_back({.source = rank,
                              .enter = *cause,
                              .sent = *cause,
                              .bytes = std::max(event.bytes, event.sent_bytes),
                              .recorded_bytes = std::max(event.bytes, event.sent_bytes),
                              .is_nonblocking = true,
                              .what = Received::What::collective,
                              .op = event.op,
                              .ended = event.time});
  return true;
}

void ReplayCore::leave_collectives(TraceRank rank) {
  const Call& call = ranks_[rank]->call;
  for (const CollectiveNumber& number : call.collectives) {
    const auto found = instances_.find(number);
    auto& instance = found->second;
    instance.members[members_.of(number.comm, rank)].leave = {call.leave_before(),
                                                              call.after.back()};
    if (++instance.left < instance.members.size()) continue;
    count_violations(instance, result_.violations);
    if (options_.learner != nullptr) options_.learner->collective(instance, number.comm);
    add_wait_states(instance, result_.before, result_.after);
    instances_.erase(found);
  }
}

// ---- verdict ----

void ReplayCore::add_to_verdict(TraceRank rank) {
  const Call& call = ranks_[rank]->call;
  // Members of a collective that wait for nobody only send.
  if (!call.received.empty() || call.latest_cause.before != INT64_MIN) return;
  const auto region = call.events.front().id;
  const Ticks ticks = call.leave_before() - call.enter_before();
  constexpr EventKinds unknown(EventKind::enter, EventKind::leave, EventKind::other);
  if (is_on_platform() && call.kinds.has_any(message_kinds)) return;
  const bool is_known = call.kinds.has_others(unknown) && !is_on_platform();
  if (is_known || kind_of_call(call).is_local)
    call_times_.add_local(region, call.sent_bytes, ticks);
  else
    call_times_.add_unmodeled(region, ticks);
}

}  // namespace tutti::studies::replay
