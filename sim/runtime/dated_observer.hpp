// SPDX-License-Identifier: BSD-3-Clause
// Sees when everything of a job happens. Dates are simulated seconds since the job's start; a
// rank's own dates never go back, but may be ahead of the flows' (see ProtocolCore). What a rank
// does tiles its time without a gap: work, and waits of completions. For the timed engines.
#pragma once

#include "platforms/message_protocol.hpp"
#include "sim/runtime/observer.hpp"
#include "sim/runtime/pool.hpp"
#include "sim/runtime/transport.hpp"

namespace tutti::runtime {

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

struct DatedMessage {
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

class DatedObserver : public Observer {
 public:
  DatedObserver* dated() final { return this; }

  virtual void on_work(RankId /*rank*/, Work /*kind*/, Seconds /*begin_s*/, Seconds /*end_s*/) {}
  virtual void on_sent(const DatedMessage& /*message*/) {}
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
