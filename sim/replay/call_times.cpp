// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/call_times.hpp"

#include "sim/replay/latest_time.hpp"

namespace tutti::studies::replay {
namespace {

class RecordedTimes : public CallTimes {
 public:
  explicit RecordedTimes(RecordedCosts& costs) : costs_(costs) {}

  void receives(Call& call, std::size_t index) override {
    if (is_made(call.events.front(), made::estimated) ||
        std::ranges::any_of(call.received, &Received::is_moved))
      return estimate(call, index);
    const Received* latest = nullptr;
    for (const auto& cause : call.received) {
      if (cause.sent.before > cause.ended) continue;
      call.depends_on(cause.sent);
      if (cause.sent.before <= call.events[index].time &&
          (latest == nullptr || cause.sent.before > latest->sent.before))
        latest = &cause;
    }
    call.after[index] =
        latest == nullptr ? follow_last(call, index) : end_of_receives(call, index, *latest);
  }

  void collective(Call& call, std::size_t index, const Times& cause) override {
    call.depends_on(cause);
    const Event& event = call.events[index];
    const Times last = known(call);
    if (cause.before > event.time) {
      call.after[index] = last.after + event.time - last.before;
      return;
    }
    const Ticks residual = event.time - std::max(last.before, cause.before);
    call.after[index] = std::max(last.after, cause.after) + residual;
  }

  Ticks leave_of_send(const Call& call, std::size_t index) const override {
    if (is_made(call.events.front(), made::estimated))
      return call.after.front() + costs_.estimated_send();
    return call.after[index] + call.leave_before() - call.events[index].time;
  }

  // A recorded send shows the cost of sends; a send that is not recorded takes that cost.
  void leave(Call& call) override {
    const bool is_estimated = is_made(call.events.front(), made::estimated);
    if (!is_estimated && call.events.size() > 2)
      costs_.call = std::min(costs_.call, call.leave_before() - call.enter_before());
    const bool sends = call.kinds.has_any(EventKinds(EventKind::send, EventKind::isend));
    const bool completes = !call.only_sends();
    if (is_estimated && !completes)
      call.after.back() = call.after.front() + costs_.estimated_send();
    else if (sends && !completes && !is_estimated && call.received.empty())
      costs_.send = std::min(costs_.send, call.leave_before() - call.enter_before());
  }

 private:
  // Estimates the time of a call that is not recorded from the recorded ones.
  void estimate(Call& call, std::size_t index) {
    const Ticks begin = call.after[call.known];
    Ticks end = begin;
    for (const auto& cause : call.received)
      end = std::max(end, begin + costs_of(cause).estimated_overhead(cause.bytes));
    for (const auto& cause : call.received) {
      call.depends_on(cause.sent);
      end = std::max(end, later(cause.sent.after, costs_of(cause).estimated_transfer(cause.bytes)));
    }
    call.after[index] = end;
  }

  TransferTimes& costs_of(const Received& cause) const {
    switch (cause.what) {
      case Received::What::message:
        return costs_.messages;
      case Received::What::receive:
        return costs_.receives;
      case Received::What::collective:
        return costs_.collectives[static_cast<std::size_t>(cause.op)];
      case Received::What::epoch:
        return costs_.epochs;
      case Received::What::lock:
      case Received::What::thread:
        return costs_.locks;
      case Received::What::operation:
        return costs_.operations;
      case Received::What::probe:
        return costs_.probes;
    }
    return costs_.messages;
  }

  static Ticks follow_last(const Call& call, std::size_t index) {
    return known(call).after + call.events[index].time - known(call).before;
  }

  // Whether a message that was sent before the begin of the call was still on its way, and so
  // decides when the call ends.
  bool is_on_its_way(const Received& early, const Times& begin) const {
    const Ticks transfer = costs_of(early).transfer(early.recorded_bytes);
    const Ticks overhead = costs_of(early).overhead(early.recorded_bytes);
    constexpr Ticks unknown = std::numeric_limits<Ticks>::max();
    return transfer != unknown && overhead != unknown &&
           early.sent.before + transfer > begin.before + overhead;
  }

  // `latest`: the message that was sent last. If it was late, the end depends on it; otherwise the
  // end depends on the previous event, and transfer times are known from other messages.
  Ticks end_of_receives(const Call& call, std::size_t index, const Received& latest) {
    const Ticks time = call.events[index].time;
    const Times last = known(call);
    const bool is_late = latest.sent.before > last.before;
    const bool decides_end = is_late || is_on_its_way(latest, last);
    const Ticks residual = time - std::max(latest.sent.before, last.before);
    Ticks end = last.after + residual;
    TransferTimes& costs = costs_of(latest);
    if (is_late) {
      costs.add_late(latest.recorded_bytes, residual);
    } else if (!decides_end) {
      costs.add_early(latest.recorded_bytes, residual);
    }
    if (decides_end) end = last.after + std::min(overhead_of(latest), residual);
    for (const auto& cause : call.received) {
      const Ticks since_sent = time - cause.sent.before;
      if (since_sent < 0) continue;
      const bool decides = decides_end && &cause == &latest;
      const Ticks longer = costs_of(cause).change(cause.recorded_bytes, cause.bytes);
      const Ticks taken =
          decides ? since_sent + longer : transfer(cause, residual + longer, since_sent + longer);
      end = std::max(end, later(cause.sent.after, std::clamp<Ticks>(taken, 0, latest_time)));
    }
    return end;
  }

  // What the call takes if nothing keeps it waiting. If the trace does not show it: transfers of
  // nonblocking operations proceed in the background, so the call takes no longer than others.
  Ticks overhead_of(const Received& latest) const {
    const TransferTimes& costs = costs_of(latest);
    const Ticks known = costs.overhead(latest.bytes);
    if (known != std::numeric_limits<Ticks>::max() || !latest.is_nonblocking) return known;
    const Ticks estimated = costs.estimated_overhead(latest.bytes);
    return estimated > 0 ? estimated : costs_.call;
  }

  // If no transfer time is known for its size, the time of the receive is used.
  Ticks transfer(const Received& message, Ticks residual, Ticks since_sent) const {
    const Ticks known = costs_of(message).transfer(message.bytes);
    return std::min(known == std::numeric_limits<Ticks>::max() ? residual : known, since_sent);
  }

  RecordedCosts& costs_;
};

class LogGPTimes : public CallTimes {
 public:
  LogGPTimes(const LogGP& loggp, double ticks_per_s)
      : latency_(nearest_ticks(loggp.L_s * ticks_per_s)),
        overhead_(nearest_ticks(loggp.o_s * ticks_per_s)),
        per_byte_(loggp.G_s_per_B * ticks_per_s) {
    for (std::size_t i = 0; i < collective_op_count; ++i)
      collective_[i] = nearest_ticks(loggp.collective_s[i] * ticks_per_s);
  }

  void receives(Call& call, std::size_t index) override {
    for (const auto& cause : call.received) {
      call.depends_on(cause.sent);
      call.latest_arrival = std::max(call.latest_arrival, arrival_of(call, cause));
    }
    call.after[index] = known(call).after;
  }

  void collective(Call& call, std::size_t index, const Times& cause) override {
    call.depends_on(cause);
    call.after[index] = known(call).after;
  }

  Ticks sent(const Call& call, std::size_t) const override { return call.after.front(); }
  Ticks leave_of_send(const Call& call, std::size_t) const override {
    return later(call.after.front(), overhead_);
  }

  // All completions occur at the end of the call.
  void leave(Call& call) override {
    const Ticks leave = end_of(call);
    for (std::size_t i = 1; i < call.events.size(); ++i)
      call.after[i] = is_at_end(call.events[i].kind) ? leave : call.after[i - 1];
    call.after.back() = leave;
  }

 private:
  static bool is_at_end(EventKind kind) {
    return kind == EventKind::recv || kind == EventKind::irecv ||
           kind == EventKind::irecv_request || kind == EventKind::isend_complete ||
           kind == EventKind::collective_end || kind == EventKind::icollective_end ||
           kind == EventKind::group_sync || kind == EventKind::lock_acquire ||
           kind == EventKind::lock_release;
  }

  // When what the call waits for has arrived.
  Ticks arrival_of(const Call& call, const Received& cause) const {
    switch (cause.what) {
      case Received::What::message:
        return arrival(cause.sent.after, cause);
      case Received::What::receive:
        return arrival(std::max(call.after.front(), cause.sent.after), cause) - overhead_;
      case Received::What::collective:
        return std::max(
            cause.sent.after,
            later(cause.sent.after, collective_[static_cast<std::size_t>(cause.op)]) - overhead_);
      default:
        return cause.sent.after;
    }
  }

  // The arrival of a message; one that waits for its receive leaves once that is posted.
  Ticks arrival(Ticks sent, const Received& message) const {
    if (message.posted) sent = std::max(sent, message.posted->after);
    const Ticks wire = nearest_ticks(per_byte_ * static_cast<double>(message.bytes));
    return later(later(later(sent, overhead_), latency_), wire);
  }

  // A call that neither sends nor waits keeps its recorded time.
  Ticks end_of(const Call& call) const {
    const Ticks enter = call.after.front();
    Ticks leave = enter + call.leave_before() - call.enter_before();
    for (std::size_t i = 1; i + 1 < call.events.size(); ++i) {
      if (call.cut[i]) continue;
      const Event& event = call.events[i];
      if (event.kind == EventKind::collective_end) return end_of_collective(call, event);
      if (event.kind != EventKind::other)
        leave = later(std::max({enter, call.latest_cause.after, call.latest_arrival}), overhead_);
    }
    return leave;
  }

  // A member that does not wait takes the overhead of a message.
  Ticks end_of_collective(const Call& call, const Event& event) const {
    const Ticks enter = call.after.front();
    if (call.latest_cause.after == INT64_MIN) return later(enter, overhead_);
    return later(std::max(enter, call.latest_cause.after),
                 collective_[static_cast<std::size_t>(event.op)]);
  }

  Ticks latency_;
  Ticks overhead_;
  double per_byte_;
  std::array<Ticks, collective_op_count> collective_ = {};
};

}  // namespace

void CallTimes::follow(Call& call, std::size_t index) {
  const bool after_cut = call.cut[call.known] && !call.cut.front();
  const bool is_unknown = is_made(call.events.front(), made::estimated);
  const Ticks piece = after_cut || is_unknown ? 0 : call.events[index].time - known(call).before;
  call.after[index] = known(call).after + piece;
}

void CallTimes::settle(Call& call, std::size_t index) {
  const Times from = known(call), to{call.events[index].time, call.after[index]};
  for (std::size_t i = call.known + 1; i < index; ++i) {
    const Ticks time = call.events[i].time;
    const Ticks since = time - from.before, until = to.before - time;
    if (until + since > to.after - from.after)  // less time than recorded: in proportion
      call.after[i] = from.after + nearest_ticks(static_cast<double>(since) *
                                                 static_cast<double>(to.after - from.after) /
                                                 static_cast<double>(until + since));
    else
      call.after[i] = until < since ? to.after - until : from.after + since;
  }
  call.known = index;
}

std::unique_ptr<CallTimes> recorded_times(RecordedCosts& costs) {
  return std::make_unique<RecordedTimes>(costs);
}

std::unique_ptr<CallTimes> loggp_times(const LogGP& loggp, double ticks_per_s) {
  return std::make_unique<LogGPTimes>(loggp, ticks_per_s);
}

}  // namespace tutti::studies::replay
