// SPDX-License-Identifier: BSD-3-Clause
// The interface between the protocol core and an engine. The core calls Transport; the engine calls
// the functions of ProtocolCore "for engines".
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/runtime/types.hpp"

namespace tutti::runtime {

using MessageId = std::uint32_t;

// The path of a message between two ranks, and the engine's handle for it, which only the engine
// interprets.
struct Way {
  platforms::Path path;
  std::uint32_t handle = 0;
};

// An event that the core schedules; the engine stores it and passes it back at its time.
struct Event {
  enum class Kind : std::uint32_t {
    start_flow,        // the latency of message `subject` is over, its bytes begin to move
    match_arrivals,    // rank `subject` has a receive from any source, and messages have arrived
    choose_completed,  // rank `subject` is in wait_any, and one of its requests is complete
    hardware_done,     // the network has finished the job's `subject`-th hardware collective
    look,              // rank `subject` looks for completed requests (DoneRequests)
    credit,            // credit `subject` has returned to the sender of eager messages
    send_next          // rank `subject` sends the next messages of its exchange
  };
  Kind kind = Kind::start_flow;
  std::uint32_t subject = 0;
};

// Each engine implements it (FlowEngine in sim/engines/flow/flow_engine.cpp, for example). Times
// are simulated seconds since the job's start.
class Transport {
 public:
  virtual ~Transport() = default;
  // Whether on_event may send messages, outside of the sender's context.
  virtual bool sends_in_events() const { return false; }
  virtual Seconds now() const = 0;
  // Schedules ProtocolCore::on_event(event) at `date_s` (immediately if that is past), in order of
  // times and, for equal times, of calls.
  virtual void at(Seconds date_s, Event event) = 0;
  // Returns the path of a message that is being sent; called once per message. The handle is valid
  // until the next call.
  virtual Way find_way(RankId source, RankId destination, Bytes bytes) = 0;
  // Announces a message of more than 0 bytes that will flow later, at most at `rate_limit_Bps`
  // (infinity: only links limit it). Called in the sender's context, immediately after `find_way`.
  virtual void prepare(MessageId message, const Way& way, double rate_limit_Bps) = 0;
  // Starts the flow of the message; the engine calls ProtocolCore::on_flow_done(message) at its
  // end.
  virtual void flow(MessageId message) = 0;
  // Ends the rank's wait: the engine resumes the rank later, outside of this call.
  virtual void wake(RankId rank) = 0;
};

}  // namespace tutti::runtime
