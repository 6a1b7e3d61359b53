// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <limits>

#include "sim/studies/replay/call_times.hpp"
#include "sim/studies/replay/sizes.hpp"

namespace tutti::studies::replay {
namespace {

class RecordedTimes : public CallTimes {
 public:
  void receives(Call& call, std::size_t index) override {
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
    return call.after[index] + call.leave_before() - call.events[index].time;
  }

  void leave(Call&) override {}

 private:
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
      sizes_.add_late(latest.recorded_bytes, residual);
      end = last.after + std::min(sizes_.overhead(latest.bytes), residual);
    } else {
      sizes_.add_early(latest.recorded_bytes, residual);
    }
    for (const auto& each : call.received) {
      const Ticks since_sent = time - each.sent.before;
      if (since_sent < 0) continue;
      const bool decides = is_late && &each == &latest;
      const Ticks longer = sizes_.change(each.recorded_bytes, each.bytes);
      const Ticks taken =
          decides ? since_sent + longer : transfer(each, residual + longer, since_sent + longer);
      end = std::max(end, each.sent.after + std::max<Ticks>(0, taken));
    }
    return end;
  }

  // What is not known of its size is taken to be as long as the receive.
  Ticks transfer(const Received& message, Ticks residual, Ticks since_sent) const {
    const Ticks known = sizes_.transfer(message.bytes);
    return std::min(known == std::numeric_limits<Ticks>::max() ? residual : known, since_sent);
  }

  TransferTimes sizes_;
};

}  // namespace

void CallTimes::follow(Call& call, std::size_t index) {
  const bool after_cut = call.cut[index - 1] && !call.cut.front();
  const Ticks piece = after_cut ? 0 : call.events[index].time - call.events[index - 1].time;
  call.after[index] = call.after[index - 1] + piece;
}

std::unique_ptr<CallTimes> recorded_times() { return std::make_unique<RecordedTimes>(); }

}  // namespace tutti::studies::replay
