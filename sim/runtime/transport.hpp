// SPDX-License-Identifier: BSD-3-Clause
// What an engine offers the protocol core, and what the core asks to be called back with.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/runtime/types.hpp"

namespace tutti::runtime {

using MessageId = std::uint32_t;

// How a message gets from one rank to another, and the engine's own name of that.
struct Way {
  platforms::Path path;
  std::uint32_t handle = 0;
};

// Something that the core wants to be told about at a date; the engine stores it and hands it back.
struct Event {
  enum class Kind : std::uint32_t {
    start_flow,        // of message `subject`: its latency is over, its bytes begin to move
    match_arrivals,    // rank `subject` has a receive from any source and messages that arrived
    choose_completed,  // rank `subject` is in wait_any and a request of it is done
    hardware_done,     // the network has done the job's `subject`-th hardware collective
    credit             // number `subject` is back at the sender of eager messages
  };
  Kind kind = Kind::start_flow;
  std::uint32_t subject = 0;
};

// Implemented by each engine. Dates are simulated seconds since the job's start.
class Transport {
 public:
  virtual ~Transport() = default;
  virtual Seconds now() const = 0;
  // Calls ProtocolCore::on_event(event) at `date_s` (at once if that is past), in order of dates
  // and, for one date, of calls.
  virtual void at(Seconds date_s, Event event) = 0;
  // Asked once per message, when it is sent.
  virtual Way way(RankId source, RankId destination) = 0;
  // A message of more than 0 bytes will flow later, at `rate_limit_Bps` at most (infinity: only
  // links limit it). Called in the sender's context, right after `way`.
  virtual void prepare(MessageId message, const Way& way, double rate_limit_Bps) = 0;
  // Its bytes move from now on; ProtocolCore::on_flow_done(message) at the end.
  virtual void flow(MessageId message) = 0;
  // The rank's wait is over: call ProtocolCore's user back to resume it, outside of this call.
  virtual void wake(RankId rank) = 0;
};

}  // namespace tutti::runtime
