// SPDX-License-Identifier: BSD-3-Clause
// Sees every message and local operation of a job: traffic counts, the proof of the data flow.
#pragma once

#include <cstdint>

#include "platforms/message_protocol.hpp"
#include "sim/runtime/hardware_call.hpp"
#include "sim/runtime/types.hpp"

namespace tutti::runtime {

struct SentMessage {
  std::int64_t serial = 0;  // counts the job's messages from 1
  RankId source = 0;
  RankId destination = 0;
  std::int32_t tag = 0;
  Slice data;  // of the source's memory
  platforms::Protocol protocol = platforms::Protocol::eager;
  bool intra_node = false;
  Seconds sent_s = 0;  // the sender's clock
};

class DatedObserver;

class Observer {
 public:
  virtual ~Observer() = default;
  // Itself, if it is one: it is told of nothing below then.
  virtual DatedObserver* dated() { return nullptr; }
  // At the call of isend or send.
  virtual void on_send(const SentMessage& /*message*/) {}
  // When the receiver's wait returns: the data are in `into` from then on.
  virtual void on_receive(std::int64_t /*serial*/, RankId /*rank*/, Slice /*into*/) {}
  // A rank's part of the job's `index`-th hardware collective, and that its result is in `into`.
  virtual void on_hardware_join(std::uint32_t /*index*/, RankId /*rank*/,
                                const HardwareCall& /*call*/) {}
  virtual void on_hardware_result(std::uint32_t /*index*/, RankId /*rank*/, Slice /*into*/) {}
  virtual void on_copy(RankId /*rank*/, Slice /*into*/, Slice /*from*/) {}
  virtual void on_copy(RankId /*rank*/, const Strided& /*into*/, const Strided& /*from*/) {}
  virtual void on_clear(RankId /*rank*/, Slice /*into*/) {}
  // into := into op from, or from op into where `from` is the left operand.
  virtual void on_combine(RankId /*rank*/, Slice /*into*/, Slice /*from*/, Operand /*from_is*/) {}
};

}  // namespace tutti::runtime
