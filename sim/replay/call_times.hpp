// SPDX-License-Identifier: BSD-3-Clause
// How long calls take in a replay without contention: the two models of replay.hpp.
#pragma once

#include "sim/base/common.hpp"
#include "sim/replay/call.hpp"
#include "sim/replay/messages.hpp"
#include "sim/replay/replay.hpp"

namespace tutti::studies::replay {

// Events of a call are taken in order, then the call is left. Each sets Call::after of its event,
// and what the call depended on: Call::latest_cause.
class CallTimes {
 public:
  virtual ~CallTimes() = default;
  // What goes on as long after the event before as it did.
  virtual void follow(Call& call, std::size_t index);
  // The first completion of a call with receives, all of whose messages are in Call::received. The
  // others follow it: what waits for several requests tells of all of them when it ends.
  virtual void receives(Call& call, std::size_t index) = 0;
  // `cause`: when the last one came that it waits for; INT64_MIN: it waits for nobody.
  virtual void collective(Call& call, std::size_t index, const Times& cause) = 0;
  // When a message leaves, and when the call of the send ends, if it does nothing but send.
  virtual Ticks sent(const Call& call, std::size_t index) const { return call.after[index]; }
  virtual Ticks leave_of_send(const Call& call, std::size_t index) const = 0;
  virtual void leave(Call& call) = 0;
};

// `costs`: what is known before, and more comes to it; outlives it.
std::unique_ptr<CallTimes> recorded_times(RecordedCosts& costs);
std::unique_ptr<CallTimes> loggp_times(const LogGP& loggp, double ticks_per_s);

}  // namespace tutti::studies::replay
