// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <limits>

#include "sim/studies/replay/call_times.hpp"
#include "sim/studies/replay/sizes.hpp"

namespace tutti::studies::replay {
namespace {

class RecordedTimes : public CallTimes {
 public:
  explicit RecordedTimes(Violations& violations) : violations_(violations) {}

  void receive(Call& call, std::size_t index, const Times& sent) override {
    call.depends_on(sent);
    call.after[index] = end_of_receive(call, index, sent);
  }

  void collective(Call& call, std::size_t index, const Times& cause) override {
    call.depends_on(cause);
    const Event& event = call.events[index];
    const Times last{call.events[index - 1].time, call.after[index - 1]};
    if (cause.before > event.time) {
      count_violation(violations_.collectives, cause.before - event.time);
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
  Ticks end_of_receive(const Call& call, std::size_t index, const Times& sent) {
    const Event& event = call.events[index];
    const Times last{call.events[index - 1].time, call.after[index - 1]};
    const Ticks own = event.time - last.before;
    const Ticks since_sent = event.time - sent.before;
    if (since_sent < 0) {
      count_violation(violations_.receives, -since_sent);
      return last.after + own;
    }
    if (sent.before > last.before) {
      sizes_.add_late(event.bytes, since_sent);
      const Ticks overhead = std::min(sizes_.overhead(event.bytes), since_sent);
      return std::max(last.after + overhead, sent.after + since_sent);
    }
    sizes_.add_early(event.bytes, own);
    const bool is_known = sizes_.transfer(event.bytes) != std::numeric_limits<Ticks>::max();
    const Ticks transfer = is_known ? std::min(sizes_.transfer(event.bytes), since_sent) : own;
    return std::max(last.after + own, sent.after + transfer);
  }

  void count_violation(std::uint64_t& count, Ticks by) {
    ++count;
    violations_.worst = std::max(violations_.worst, by);
  }

  Violations& violations_;
  TransferTimes sizes_;
};

}  // namespace

void CallTimes::follow(Call& call, std::size_t index) {
  const bool after_cut = call.cut[index - 1] && !call.cut.front();
  const Ticks piece = after_cut ? 0 : call.events[index].time - call.events[index - 1].time;
  call.after[index] = call.after[index - 1] + piece;
}

std::unique_ptr<CallTimes> recorded_times(Violations& violations) {
  return std::make_unique<RecordedTimes>(violations);
}

}  // namespace tutti::studies::replay
