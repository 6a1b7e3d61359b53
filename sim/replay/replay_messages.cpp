// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/replay_messages.hpp"

#include "sim/replay/latest_time.hpp"

namespace tutti::studies::replay {
namespace {

bool needs_posts(const CallKind& kind) {
  return kind.probes || kind.peeks || kind.send == SendMode::synchronous;
}

void count_receive(RankState& me, Channel& channel, const Event& event) {
  channel.count_receive();
  ++me.messages.completions;
  if (event.kind == EventKind::recv) ++me.messages.posts;
  if (event.kind == EventKind::irecv) me.messages.posted.erase(event.request);
}

// Whether the event is cut; empty if it neither sends nor receives.
using MaybeCut = std::optional<bool>;

// Looks ahead at the cut events of a call, with counts of its own.
class CutsAhead {
 public:
  CutsAhead(const RankState& me, const TraceScan& scan,
            const workloads::traces::TraceDefinitions& definitions, Channels& channels)
      : me_(me),
        scan_(scan),
        definitions_(definitions),
        channels_(channels),
        posts_(me.messages.posts),
        completions_(me.messages.completions) {}

  MaybeCut is_cut(const Event& event) {
    switch (event.kind) {
      case EventKind::send:
      case EventKind::isend: {
        const auto key = key_of(me_.rank, event);
        return is_cut(MessageNumber{key, channels_.of(key).sent() + sent_[key]++});
      }
      case EventKind::recv:
        ++posts_;
        return is_receive_cut(event);
      case EventKind::irecv:
        return is_receive_cut(event);
      case EventKind::irecv_request:
        return scan_.ranks[me_.rank].cut_posts.contains(posts_++);
      case EventKind::isend_complete:
        return !me_.messages.sends.contains(event.request);
      case EventKind::collective_end:
      case EventKind::icollective_end:
        return scan_.cut_collectives.contains(me_.number_of(event, definitions_));
      case EventKind::collective_request: {
        const auto open = me_.collectives.open.find(event.request);
        return open != me_.collectives.open.end() &&
               scan_.cut_collectives.contains(me_.number_of(open->second.completion, definitions_));
      }
      default:
        return std::nullopt;
    }
  }

 private:
  bool is_cut(const MessageNumber& message) const { return scan_.cut_messages.contains(message); }
  bool is_receive_cut(const Event& event) {
    const auto key = key_of(me_.rank, event);
    const auto by_order = channels_.of(key).received() + received_[key]++;
    const auto& reordered = scan_.ranks[me_.rank].reordered;
    const auto entry = reordered.find(completions_++);
    return is_cut(MessageNumber{key, entry == reordered.end() ? by_order : entry->second});
  }

  const RankState& me_;
  const TraceScan& scan_;
  const workloads::traces::TraceDefinitions& definitions_;
  Channels& channels_;
  ByMessageKey<std::uint64_t> sent_, received_;
  std::uint64_t posts_;
  std::uint64_t completions_;
};

// The time at which the receive was posted.
Times post_time(const RankState& me, const Event& event) {
  if (event.kind == EventKind::irecv)
    if (const Times* times = me.messages.posted.find(event.request)) return *times;
  return me.call.enter();
}

}  // namespace

MessageReplay::MessageReplay(ReplayState& state)
    : state_(state),
      channels_(state.scan->messages),
      waits_(state.scan->kinds, state.result),
      tracks_posts_(
          state.learner != nullptr ||
          (!state.is_on_platform && (state.rules.synchronous_bytes != UINT64_MAX ||
                                     std::ranges::any_of(state.scan->kinds, needs_posts)))),
      resizes_(std::ranges::any_of(state.args.hypothesis.balances, &Balance::messages)) {
  if (state.learner != nullptr) observations_.emplace(*state.learner);
}

// ---- begin of a call ----

void MessageReplay::mark_cuts(RankState& me) {
  const TraceScan& scan = *state_.scan;
  if (scan.cut_messages.empty() && scan.cut_collectives.empty()) return;
  Call& call = me.call;
  CutsAhead ahead(me, scan, state_.definitions(), channels_);
  bool stays = false, any = false;
  for (std::size_t i = 1; i + 1 < call.events.size(); ++i) {
    const auto is_cut = ahead.is_cut(call.events[i]);
    call.cut[i] = is_cut.value_or(false);
    any |= is_cut.value_or(false);
    stays |= is_cut && !*is_cut;
  }
  if (any && !stays) call.cut.assign(call.events.size(), true);
}

std::uint64_t MessageReplay::next_number(const RankState& me, const Channel& channel) const {
  const auto& reordered = state_.scan->ranks[me.rank].reordered;
  if (reordered.empty()) return channel.received();
  const auto number = reordered.find(me.messages.completions);
  return number == reordered.end() ? channel.received() : number->second;
}

void MessageReplay::resize_sends(RankState& me) {
  if (!resizes_) return;
  me.call.resized.assign(me.call.events.size(), false);
  for (std::size_t i = 1; i < me.call.events.size(); ++i) {
    Event& event = me.call.events[i];
    if ((event.kind != EventKind::send && event.kind != EventKind::isend) || me.call.cut[i])
      continue;
    const std::uint64_t before = event.bytes;
    event.bytes = me.computation.message_bytes(before);
    me.call.resized[i] = event.bytes != before;
    auto& resized = state_.result.resized;
    resized.messages += me.call.resized[i];
    resized.bytes_before += before;
    resized.bytes_after += event.bytes;
  }
}

ReceivesAhead& MessageReplay::ahead(RankState& me) const {
  auto& ahead = me.messages.ahead;
  if (!ahead)
    ahead = std::make_unique<ReceivesAhead>(state_.trace, me.rank, ReceivesAhead::Which::all);
  return *ahead;
}

void MessageReplay::post_receives(RankState& me) {
  if (!tracks_posts_) return;
  for (std::size_t i = 1; i < me.call.events.size(); ++i) {
    const EventKind kind = me.call.events[i].kind;
    if (kind != EventKind::irecv_request && kind != EventKind::recv) continue;
    const auto receive = ahead(me).next();
    if (!receive || me.call.cut[i]) continue;
    const TraceRank sender = receive->key.from;
    if (observations_)
      observations_->posted({receive->key, receive->number}, me.call.enter_before());
    if (channels_.of(receive->key)
            .post(receive->number, {me.call.enter(), state_.marks(me, Causes::pair_of(sender))}))
      state_.wake(sender);
  }
}

// ---- events of a call ----

void MessageReplay::post(RankState& me, std::uint64_t request) {
  me.messages.posted[request] = me.call.enter();
  ++me.messages.posts;
}

void MessageReplay::cancel(RankState& me, std::uint64_t request) {
  me.messages.posted.erase(request);
  me.messages.sends.erase(request);
}

void MessageReplay::send(RankState& me, std::size_t index, const SendTimes& times) {
  Call& call = me.call;
  const Event& event = call.events[index];
  const MessageKey key = key_of(me.rank, event);
  Channel& channel = channels_.of(key);
  const SendMode mode = state_.kind_of(call).send;
  const bool waits =
      tracks_posts_ && channel.is_received(channel.sent()) &&
      (mode == SendMode::synchronous ||
       (mode == SendMode::standard && event.bytes >= state_.rules.synchronous_bytes));
  const WaitingSend mine{key, channel.sent(), event.bytes, event.kind == EventKind::isend};
  ++state_.result.messages;
  SentMessage message{.sent = {event.time, std::min(times.sent, latest_time)},
                      .enter = call.enter(),
                      .path = call.path,
                      .is_blocking = event.kind == EventKind::send,
                      .is_synchronous = waits,
                      .is_moved = is_made(call.events.front(), made::moved),
                      .request = event.request};
  message.marks = state_.marks(me, Causes::pair_of(key.to));
  if (call.only_sends() && !waits) message.leave = {call.leave_before(), times.leave};
  if (call.is_resized(index)) message.new_bytes = event.bytes;
  if (!message.is_blocking) {
    auto& pending = me.messages.sends[event.request];
    pending.path = call.path;
    if (waits) pending.receive = std::make_unique<PendingSend::Receive>(mine, std::nullopt);
  } else if (waits) {
    call.sends.push_back(mine);
  }
  if (observations_ && mode == SendMode::standard && channel.is_received(mine.number)) {
    const SendObservations::Message observed{{key, mine.number}, event.bytes};
    if (message.is_blocking)
      call.observed.push_back(observed);
    else
      me.messages.sends[event.request].receive =
          std::make_unique<PendingSend::Receive>(std::nullopt, observed);
  }
  if (channel.send(message, waits)) state_.wake(key.to);
}

void MessageReplay::forget(RankState& me, std::size_t index) {
  const Event& event = me.call.events[index];
  if (event.kind == EventKind::send || event.kind == EventKind::isend) {
    const MessageKey key = key_of(me.rank, event);
    Channel& channel = channels_.of(key);
    const std::uint64_t number = channel.sent();  // the cut message uses a number
    if (channel.send({})) state_.wake(key.to);
    if (channel.is_received(number)) channel.take(number);
  }
  if (event.kind == EventKind::irecv_request) ++me.messages.posts;
  if ((event.kind == EventKind::recv || event.kind == EventKind::irecv) &&
      me.call.gathered <= index) {
    me.call.gathered = index + 1;
    count_receive(me, channels_.of(key_of(me.rank, event)), event);
  }
}

bool MessageReplay::gather_message(RankState& me, std::size_t index) {
  const Event& event = me.call.events[index];
  Channel& channel = channels_.of(key_of(me.rank, event));
  const bool is_cut = me.call.cut[index];
  me.call.lacks_cause |= !is_cut && me.call.gives_up;
  if (!is_cut && !me.call.gives_up && !take_message(me, index, channel)) return false;
  count_receive(me, channel, event);
  return true;
}

bool MessageReplay::take_message(RankState& me, std::size_t index, Channel& channel) {
  Event& event = me.call.events[index];
  const std::uint64_t number = next_number(me, channel);
  if (!channel.is_sent(number)) {
    me.call.lacks_cause = true;
    return true;
  }
  const SentMessage* message = channel.find(number);
  if (message == nullptr) return false;
  const TraceRank source = event.id;
  state_.result.violations.look_at(message->sent.before, event.time, &Violations::receives);
  const std::uint64_t recorded_bytes = event.bytes;
  if (message->new_bytes) {
    me.call.resized[index] = true;
    event.bytes = *message->new_bytes;
  }
  const Times posted = post_time(me, event);
  me.call.received.push_back({.source = source,
                              .enter = message->enter,
                              .sent = message->sent,
                              .bytes = event.bytes,
                              .recorded_bytes = recorded_bytes,
                              .event = static_cast<std::uint32_t>(index),
                              .is_moved = message->is_moved,
                              .is_nonblocking = event.kind == EventKind::irecv,
                              .posted_at = posted,
                              .ended = event.time,
                              .marks = message->marks});
  if (message->is_synchronous) me.call.received.back().posted = posted;
  waits_.posted(*state_.ranks[source], *message, posted);
  channel.take(number);
  return true;
}

void MessageReplay::complete_send(RankState& me, const Event& event) {
  auto* const pending = me.messages.sends.find(event.request);
  if (pending != nullptr && pending->receive && pending->receive->waits)
    me.call.sends.push_back(*std::exchange(pending->receive->waits, std::nullopt));
}

bool MessageReplay::gather_posts(RankState& me) {
  Call& call = me.call;
  for (; call.met < call.sends.size(); ++call.met) {
    const WaitingSend& send = call.sends[call.met];
    Channel& channel = channels_.of(send.key);
    const Posted* posted = channel.posted(send.number);
    if (posted == nullptr && call.gives_up) continue;
    if (posted == nullptr) return false;
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
  }
  return true;
}

bool MessageReplay::gather_probe(RankState& me) {
  if (me.call.gives_up || !tracks_posts_) return true;
  const auto receive = ahead(me).peek();
  if (!receive || !channels_.of(receive->key).is_sent(receive->number)) return true;
  if (state_.scan->cut_messages.contains(MessageNumber{receive->key, receive->number})) return true;
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

void MessageReplay::send_does_not_wait(RankState& me) {
  const WaitingSend& send = me.call.sends[me.call.met++];
  channels_.of(send.key).forget_post(send.number);
}

// ---- end of a call ----

void MessageReplay::observe_sends(RankState& me) {
  if (!observations_) return;
  Call& call = me.call;
  for (const Event& event : call.events) {
    if (event.kind != EventKind::isend_complete) continue;
    auto* const pending = me.messages.sends.find(event.request);
    if (pending != nullptr && pending->receive && pending->receive->observed)
      call.observed.push_back(*pending->receive->observed);
  }
  const Ticks begin = std::max(call.enter_before(), call.latest_cause.before);
  observations_->ended(call.observed, begin, call.leave_before());
}

}  // namespace tutti::studies::replay
