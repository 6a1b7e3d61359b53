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
    for (const auto& each : call.received) {
      if (each.sent.before > each.ended) continue;
      call.depends_on(each.sent);
      if (each.sent.before <= call.events[index].time &&
          (latest == nullptr || each.sent.before > latest->sent.before))
        latest = &each;
    }
    call.after[index] =
        latest == nullptr ? follow_last(call, index) : end_of_receives(call, index, *latest);
  }

  void collective(Call& call, std::size_t index, const Times& cause) override {
    call.depends_on(cause);
    const Event& event = call.events[index];
    const Times last{call.events[index - 1].time, call.after[index - 1]};
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
    bool sends = false, completes = false;
    for (std::size_t i = 1; i + 1 < call.events.size(); ++i) {
      const EventKind kind = call.events[i].kind;
      sends |= kind == EventKind::send || kind == EventKind::isend;
      completes |=
          kind == EventKind::recv || kind == EventKind::irecv || kind == EventKind::collective_end;
    }
    if (is_estimated && !completes)
      call.after.back() = call.after.front() + costs_.estimated_send();
    else if (sends && !completes && !is_estimated)
      costs_.send = std::min(costs_.send, call.leave_before() - call.enter_before());
  }

 private:
  // Estimates the time of a call that is not recorded from the recorded ones.
  void estimate(Call& call, std::size_t index) {
    Ticks end = call.after[index - 1];
    for (const auto& each : call.received)
      end = std::max(end, call.after[index - 1] + costs_.messages.estimated_overhead(each.bytes));
    for (const auto& each : call.received) {
      call.depends_on(each.sent);
      end = std::max(end, later(each.sent.after, costs_.messages.estimated_transfer(each.bytes)));
    }
    call.after[index] = end;
  }

  static Ticks follow_last(const Call& call, std::size_t index) {
    return call.after[index - 1] + call.events[index].time - call.events[index - 1].time;
  }

  // `latest`: the message that was sent last. If it was late, the end depends on it; otherwise the
  // end depends on the previous event, and transfer times are known from other messages.
  Ticks end_of_receives(const Call& call, std::size_t index, const Received& latest) {
    const Ticks time = call.events[index].time;
    const Times last{call.events[index - 1].time, call.after[index - 1]};
    const bool is_late = latest.sent.before > last.before;
    const Ticks residual = time - std::max(latest.sent.before, last.before);
    Ticks end = last.after + residual;
    if (is_late) {
      costs_.messages.add_late(latest.recorded_bytes, residual);
      end = last.after + std::min(costs_.messages.overhead(latest.bytes), residual);
    } else {
      costs_.messages.add_early(latest.recorded_bytes, residual);
    }
    for (const auto& each : call.received) {
      const Ticks since_sent = time - each.sent.before;
      if (since_sent < 0) continue;
      const bool decides = is_late && &each == &latest;
      const Ticks longer = costs_.messages.change(each.recorded_bytes, each.bytes);
      const Ticks taken =
          decides ? since_sent + longer : transfer(each, residual + longer, since_sent + longer);
      end = std::max(end, later(each.sent.after, std::clamp<Ticks>(taken, 0, latest_time)));
    }
    return end;
  }

  // If no transfer time is known for its size, the time of the receive is used.
  Ticks transfer(const Received& message, Ticks residual, Ticks since_sent) const {
    const Ticks known = costs_.messages.transfer(message.bytes);
    return std::min(known == std::numeric_limits<Ticks>::max() ? residual : known, since_sent);
  }

  RecordedCosts& costs_;
};

}  // namespace

void CallTimes::follow(Call& call, std::size_t index) {
  const bool after_cut = call.cut[index - 1] && !call.cut.front();
  const bool is_unknown = is_made(call.events.front(), made::estimated);
  const Ticks piece =
      after_cut || is_unknown ? 0 : call.events[index].time - call.events[index - 1].time;
  call.after[index] = call.after[index - 1] + piece;
}

std::unique_ptr<CallTimes> recorded_times(RecordedCosts& costs) {
  return std::make_unique<RecordedTimes>(costs);
}

namespace {

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
    for (const auto& each : call.received) {
      const Ticks wire = nearest_ticks(per_byte_ * static_cast<double>(each.bytes));
      call.depends_on(
          {each.sent.before, later(later(later(each.sent.after, overhead_), latency_), wire)});
    }
    call.after[index] = call.after[index - 1];
  }

  void collective(Call& call, std::size_t index, const Times& cause) override {
    call.depends_on(cause);
    call.after[index] = call.after[index - 1];
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
           kind == EventKind::collective_end;
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
        leave = later(std::max(enter, call.latest_cause.after), overhead_);
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

std::unique_ptr<CallTimes> loggp_times(const LogGP& loggp, double ticks_per_s) {
  return std::make_unique<LogGPTimes>(loggp, ticks_per_s);
}

}  // namespace tutti::studies::replay
