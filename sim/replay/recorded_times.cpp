// SPDX-License-Identifier: BSD-3-Clause

#include "sim/base/common.hpp"
#include "sim/replay/call.hpp"
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

  // A send tells what sends cost; where that is not recorded, the call gets it.
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
  // Of what is not recorded, by what is known of others.
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

  // `latest`: of the messages that were sent last. Late, it is what the end came after; else the
  // end came after the event before, and what messages take is known from others.
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

  // What is not known of its size is taken to be as long as the receive.
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

}  // namespace tutti::studies::replay
