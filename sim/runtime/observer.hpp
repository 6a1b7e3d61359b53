// SPDX-License-Identifier: BSD-3-Clause
// Interface for observing every message and local operation of a job, for example to count traffic
// or to verify the data flow.
#pragma once

#include "platforms/message_protocol.hpp"
#include "sim/base/common.hpp"
#include "sim/runtime/pool.hpp"
#include "sim/runtime/transport.hpp"
#include "sim/runtime/types.hpp"

namespace tutti::runtime {

// A collective that the network executes, among all ranks of the job. A rank gets the result after
// all ranks that it depends on have called, and the network has finished.

struct HardwareCall {
  enum class Kind : std::uint8_t {
    barrier,    // all ranks wait for all others
    bcast,      // all ranks wait for the root, which continues immediately
    reduce,     // the root waits for all ranks, which continue immediately
    allreduce,  // all ranks wait for all others
  } kind = Kind::barrier;
  RankId root = 0;  // of bcast and reduce
  Slice send;       // the rank's contribution; of bcast the root's message
  Slice recv;       // the result
};

struct SentMessage {
  std::int64_t serial = 0;  // number of the message in the job, from 1
  RankId source = 0;
  RankId destination = 0;
  std::int32_t tag = 0;
  Slice data;  // in the source's memory
  platforms::Protocol protocol = platforms::Protocol::eager;
  bool intra_node = false;
  Seconds sent_s = 0;  // the sender's clock
};

// A call of isend or irecv.
struct RequestedMessage {
  std::uint32_t request = 0;  // valid until it is waited for
  bool is_send = false;
  SendKind kind = SendKind::immediate;  // of a send
  RankId peer = 0;                      // any_source in a receive
  std::int32_t tag = 0;
  Slice data;
};

class TimestampObserver;

class Observer {
 public:
  virtual ~Observer() = default;
  // Whether it must see every rank of the job, and not only those that represent others
  // (rank_classes.hpp).
  virtual bool needs_all_ranks() const { return true; }
  // Whether it must see every request, wait and receive, and not only sent messages. An exchange
  // with all ranks (exchange.hpp) is then simulated message by message.
  virtual bool needs_requests() const { return true; }
  // This object if it is a TimestampObserver; then the functions below are not called.
  virtual TimestampObserver* as_timestamp_observer() { return nullptr; }
  // At the call of isend or send.
  virtual void on_send(const SentMessage& /*message*/) {}
  // When the receiver's wait returns; the data are now in `into`.
  virtual void on_receive(std::int64_t /*serial*/, RankId /*rank*/, Slice /*into*/) {}
  // What a rank does, in the order of its program. A wait has the requests in the order in which
  // they are charged; `of_all`: that of their completion.
  virtual void on_request(RankId /*rank*/, const RequestedMessage& /*requested*/) {}
  virtual void on_wait(RankId /*rank*/, std::span<const Request> /*requests*/, bool /*of_all*/) {}
  virtual void on_compute(RankId /*rank*/, Seconds /*duration_s*/) {}
  virtual void on_allocate(RankId /*rank*/, Bytes /*bytes*/) {}
  // The time of the copy, operation or allocation that follows, without noise.
  virtual void on_local_work(RankId /*rank*/, Seconds /*duration_s*/) {}
  // A rank's call of the job's `index`-th hardware collective, and its result in `into`.
  virtual void on_hardware_join(std::uint32_t /*index*/, RankId /*rank*/,
                                const HardwareCall& /*call*/) {}
  virtual void on_hardware_result(std::uint32_t /*index*/, RankId /*rank*/, Slice /*into*/) {}
  virtual void on_copy(RankId /*rank*/, Slice /*into*/, Slice /*from*/) {}
  virtual void on_copy(RankId /*rank*/, const Strided& /*into*/, const Strided& /*from*/) {}
  virtual void on_clear(RankId /*rank*/, Slice /*into*/) {}
  // into := into op from, or from op into if `from` is the left operand.
  virtual void on_combine(RankId /*rank*/, Slice /*into*/, Slice /*from*/, Operand /*from_is*/) {}
};

// Observation of the times of all events, for the timed engines. Times are simulated seconds since
// the job's start. Those of a rank never decrease, but may be ahead of the times of flows (see
// ProtocolCore). Work and waits of completions cover a rank's time without gaps.

// Local activities of a rank.
enum class Work : std::uint8_t {
  send_overhead,
  recv_overhead,
  copy_out,
  compute,
  combine,
  copy,
  hardware  // waiting for a hardware collective
};
inline constexpr std::size_t work_kinds = 7;

struct TimedMessage {
  MessageId id = 0;  // valid until its receive completes, then reused
  std::int64_t serial = 0;
  RankId source = 0;
  RankId destination = 0;
  std::int32_t tag = 0;
  std::uint32_t send_request = 0;  // valid until it completes
  Bytes bytes = 0;
  double link_bytes = 0;  // by which it occupies links: 0 if it has no flow
  platforms::Protocol protocol = platforms::Protocol::eager;
  bool has_handshake = false;  // of a rendezvous
  bool intra_node = false;
  Seconds called_s = 0;      // before the overhead of the send
  Seconds sent_s = 0;        // after the overhead of the send
  Seconds latency_s = 0;     // of the data, with mpi/extra_latency
  Seconds ack_s = 0;         // rendezvous: from the end of the flow to that of the send
  double bandwidth_Bps = 0;  // rate of its flow if it shares no link
};

// A receive and its message are matched.
struct Match {
  MessageId message = 0;
  std::uint32_t request = 0;
  Seconds posted_s = 0;  // when the receive was posted
  Seconds known_s = 0;   // detached, rendezvous: when the receiver's node knows of the message
};

// The wait for a request ends; the request's number is reused afterwards.
struct Completion {
  RankId rank = 0;
  std::uint32_t request = 0;
  MessageId message = 0;  // of a receive; no_record for a send
  Seconds begin_s = 0;    // the rank's clock at the beginning of the wait
  Seconds end_s = 0;      // and at its end; equal if the rank did not wait
};

class TimestampObserver : public Observer {
 public:
  TimestampObserver* as_timestamp_observer() final { return this; }

  virtual void on_work(RankId /*rank*/, Work /*kind*/, Seconds /*begin_s*/, Seconds /*end_s*/) {}
  virtual void on_sent(const TimedMessage& /*message*/) {}
  // An eager message that waited for a buffer at its receiver gets one; its send completes.
  virtual void on_credit(MessageId /*message*/, Seconds /*date_s*/) {}
  // An eager message leaves its sender's NIC (or enters the memory bus); its latency begins.
  virtual void on_injected(MessageId /*message*/, Seconds /*date_s*/) {}
  virtual void on_receive_posted(RankId /*rank*/, std::uint32_t /*request*/, Seconds /*date_s*/) {}
  // The program sets its clock, perhaps back (Rank::set_clock).
  virtual void on_clock_set(RankId /*rank*/) {}
  virtual void on_match(const Match& /*match*/) {}
  virtual void on_flow_start(MessageId /*message*/, Seconds /*date_s*/) {}
  virtual void on_flow_end(MessageId /*message*/, Seconds /*date_s*/) {}
  virtual void on_completion(const Completion& /*completion*/) {}
};

}  // namespace tutti::runtime
