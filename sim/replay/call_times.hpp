// SPDX-License-Identifier: BSD-3-Clause
// The times of calls in a replay without contention: the two models of replay.hpp.
#pragma once

#include "sim/base/common.hpp"
#include "sim/replay/call.hpp"
#include "sim/replay/messages.hpp"
#include "sim/replay/replay.hpp"

namespace tutti::studies::replay {

// Called for the events of a call in order, then for its end. Each function sets Call::after of its
// event and updates Call::latest_cause.
class CallTimes {
 public:
  virtual ~CallTimes() = default;
  // An event that keeps its distance to the last known one.
  virtual void follow(Call& call, std::size_t index);
  // The first completion of a call with receives. Requires all messages in Call::received. The
  // other completions follow it: a call that waits for several requests reports them all at its
  // end.
  virtual void receives(Call& call, std::size_t index) = 0;
  // `cause` is the time at which the last rank that the call waits for enters, INT64_MIN if the
  // call does not wait.
  virtual void collective(Call& call, std::size_t index, const Times& cause) = 0;
  // The time at which a message leaves, and the end of the send's call if it only sends.
  virtual Ticks sent(const Call& call, std::size_t index) const { return call.after[index]; }
  virtual Ticks leave_of_send(const Call& call, std::size_t index) const = 0;
  virtual void leave(Call& call) = 0;

  // Sets the times of the events between the last known one and this one, which is known now.
  static void settle(Call& call, std::size_t index);

 protected:
  static Times known(const Call& call) {
    return {call.events[call.known].time, call.after[call.known]};
  }
};

// `costs` are the costs known so far. The replay extends them, and they must outlive the result.
std::unique_ptr<CallTimes> recorded_times(RecordedCosts& costs);
std::unique_ptr<CallTimes> loggp_times(const LogGP& loggp, double ticks_per_s);

}  // namespace tutti::studies::replay
