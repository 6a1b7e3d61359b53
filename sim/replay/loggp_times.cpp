// SPDX-License-Identifier: BSD-3-Clause

#include "sim/base/common.hpp"
#include "sim/replay/call_times.hpp"
#include "sim/replay/latest_time.hpp"

namespace tutti::studies::replay {
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

  // All that completes does so when the call ends.
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

  // A call that neither sends nor waits takes what it took.
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

  // Those that wait for nobody pay as for a message.
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
