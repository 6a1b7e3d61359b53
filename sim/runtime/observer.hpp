// SPDX-License-Identifier: BSD-3-Clause
// Sees every message and local operation of a job: traffic counts, the proof of the data flow.
#pragma once

#include "platforms/message_protocol.hpp"
#include "sim/base/common.hpp"
#include "sim/runtime/pool.hpp"
#include "sim/runtime/transport.hpp"
#include "sim/runtime/types.hpp"

namespace tutti::runtime {

// A collective that the network does by itself, among all ranks of the job: each rank hands its
// part in, and gets the result when those that it depends on have come and the network has done its
// work.

struct HardwareCall {
  enum class Kind : std::uint8_t {
    barrier,    // everyone waits for everyone
    bcast,      // everyone waits for the root, who goes on at once
    reduce,     // the root waits for everyone, who go on at once
    allreduce,  // everyone waits for everyone
  } kind = Kind::barrier;
  RankId root = 0;  // of bcast and reduce
  Slice send;       // what the rank hands in: of bcast the root's message
  Slice recv;       // where the result comes
};

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

class TimestampObserver;

class Observer {
 public:
  virtual ~Observer() = default;
  // Itself, if it is one: it is told of nothing below then.
  virtual TimestampObserver* dated() { return nullptr; }
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

// Sees when everything of a job happens. Dates are simulated seconds since the job's start; a
// rank's own dates never go back, but may be ahead of the flows' (see ProtocolCore). What a rank
// does tiles its time without a gap: work, and waits of completions. For the timed engines.

// What a rank does by itself.
enum class Work : std::uint8_t {
  send_overhead,
  recv_overhead,
  copy_out,
  compute,
  combine,
  copy,
  hardware  // waits for the network to do a collective
};
inline constexpr std::size_t work_kinds = 7;

struct TimedMessage {
  MessageId id = 0;  // until its receive's completion, then free for another message
  std::int64_t serial = 0;
  RankId source = 0;
  RankId destination = 0;
  std::int32_t tag = 0;
  std::uint32_t send_request = 0;  // until that one's completion
  Bytes bytes = 0;
  platforms::Protocol protocol = platforms::Protocol::eager;
  bool intra_node = false;
  Seconds called_s = 0;      // before the overhead of the send
  Seconds sent_s = 0;        // after it
  Seconds latency_s = 0;     // of one way
  double bandwidth_Bps = 0;  // what its flow gets if it shares no link
};

// A receive gets its message.
struct Match {
  MessageId message = 0;
  std::uint32_t request = 0;
  Seconds posted_s = 0;  // the receive
  Seconds known_s = 0;   // detached, rendezvous: when the receiver's node knows of the message
};

// The wait for a request ends; the request's number is free afterwards.
struct Completion {
  RankId rank = 0;
  std::uint32_t request = 0;
  MessageId message = 0;  // of a receive; no_record for a send
  Seconds begin_s = 0;    // where the rank's clock stood
  Seconds end_s = 0;      // where it stands then: the same if there was nothing to wait for
};

class TimestampObserver : public Observer {
 public:
  TimestampObserver* dated() final { return this; }

  virtual void on_work(RankId /*rank*/, Work /*kind*/, Seconds /*begin_s*/, Seconds /*end_s*/) {}
  virtual void on_sent(const TimedMessage& /*message*/) {}
  // An eager message has waited for a buffer at its receiver until then: its send is done.
  virtual void on_credit(MessageId /*message*/, Seconds /*date_s*/) {}
  // An eager message leaves its sender's card (or enters the memory bus); its latency begins.
  virtual void on_injected(MessageId /*message*/, Seconds /*date_s*/) {}
  virtual void on_receive_posted(RankId /*rank*/, std::uint32_t /*request*/) {}
  virtual void on_match(const Match& /*match*/) {}
  virtual void on_flow_start(MessageId /*message*/, Seconds /*date_s*/) {}
  virtual void on_flow_end(MessageId /*message*/, Seconds /*date_s*/) {}
  virtual void on_completion(const Completion& /*completion*/) {}
};

}  // namespace tutti::runtime
