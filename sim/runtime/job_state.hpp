// SPDX-License-Identifier: BSD-3-Clause
// The records of a job's ranks, messages and requests, which all parts of the protocol core share.
// Each record fills one cache line, which limits the cache misses of jobs with 250,000 ranks.
#pragma once

#include <coroutine>

#include "platforms/machine.hpp"
#include "platforms/placement.hpp"
#include "sim/base/common.hpp"
#include "sim/base/large_pages.hpp"
#include "sim/runtime/match_queues.hpp"
#include "sim/runtime/message_pattern.hpp"
#include "sim/runtime/observer.hpp"
#include "sim/runtime/pool.hpp"
#include "sim/runtime/rank_classes.hpp"
#include "sim/runtime/transport.hpp"
#include "sim/runtime/types.hpp"

namespace tutti::runtime {

// A message from its send until its receive is charged.
struct alignas(64) MessageRecord {
  // Eager: the time for which it keeps the NIC busy, then the end of its flow. Else: the time at
  // which the receiver knows of it.
  Seconds time_s = 0;
  Seconds latency_s = 0;  // of the route
  Bytes bytes = 0;
  std::int64_t serial = 0;  // its number in the job, from 1
  RankId source = 0;
  RankId destination = 0;
  std::int32_t tag = 0;
  std::uint32_t next = 0;                  // in the destination's queue of unexpected messages
  std::uint32_t send_request = 0;          // no_record: nobody waits for the send
  std::uint32_t recv_request = no_record;  // no_record: it is not matched
  platforms::Protocol protocol = platforms::Protocol::eager;
  bool arrived : 1 = false;  // eager only
  bool intra_node : 1 = false;
  bool follows : 1 = false;            // it waits for the previous eager message to the same rank
  bool due : 1 = false;                // it follows one, and its latency has passed
  std::uint32_t follower = no_record;  // the message that waits for this one

  MatchKey key() const { return {source, tag}; }
  std::int64_t order() const { return serial; }
  // The receiver knows its time of arrival.
  bool is_known() const { return protocol != platforms::Protocol::eager || arrived; }
};

// In MessageRecord::recv_request: its receive is part of an exchange (whole_exchanges.hpp).
inline constexpr std::uint32_t of_exchange = no_record - 1;

// A request from its isend, irecv or hardware collective until it is waited for.
struct alignas(64) RequestRecord {
  Seconds time_s = 0;  // of posting; once done, of completion
  Slice data;
  RankId owner = 0;
  RankId peer = 0;  // any_source until matched
  std::int32_t tag = 0;
  std::uint32_t next = 0;  // in the owner's queue of posted receives
  std::uint32_t generation = 0;
  MessageId message = 0;        // of a matched receive; valid until the receive is charged
  std::uint64_t post : 48 = 0;  // of a receive: its number in the job, from 1
  bool is_send : 1 = false;
  bool done : 1 = false;
  bool waited : 1 = false;  // its rank waits for it
  bool in_use : 1 = false;
  bool watched : 1 = false;      // its completion is reported (Waits::watch)
  bool is_hardware : 1 = false;  // is_send is also true; `message` is the number of the collective

  MatchKey key() const { return {peer, tag}; }
  std::uint64_t order() const { return post; }
  bool has_wildcard() const { return peer == any_source || tag == any_tag; }
};
static_assert(sizeof(MessageRecord) == 64 && sizeof(RequestRecord) == 64);

// A simulated rank, from the start of the job to its end: with `JobState::classes`, the
// representative of a class.
struct alignas(64) RankState {
  enum class Waiting : std::uint8_t { no, for_all, for_any, for_watched };

  Seconds clock_s = 0;             // the rank's own clock, which may be ahead of the engine's time
  Seconds nic_free_s = 0;          // when the NIC can send the next eager message
  Seconds bus_free_s = 0;          // the same for the memory bus
  std::coroutine_handle<> parked;  // resumed when the rank is woken; null while the rank runs
  MatchQueue posted;               // receives that wait for their messages
  MatchQueue unexpected;           // messages that wait for their receives
  std::uint32_t wildcards_pending = 0;  // receives from any source or of any tag
  union {
    std::uint32_t missing = 0;  // wait_all: number of incomplete requests
    std::uint32_t chosen;       // wait_any: index of the first complete request
  };
  std::uint32_t works = 0;  // number of pieces of local work, for the noise
  Waiting waiting = Waiting::no;
  bool choice_scheduled = false;
};

enum class Timing { simulated, none };  // `none`: all costs are zero, but eager limits apply

// The state of one job, which ProtocolCore owns. The objects that it refers to must outlive it.
struct JobState {
  const platforms::Machine& machine;
  const platforms::Placement& placement;
  Transport& transport;
  const RankClasses* classes;  // null: every rank is simulated
  bool timed;
  MessagePattern* pattern = nullptr;  // not null: operations are recorded, and take no time
  std::vector<Observer*> observers;
  // These are not in `observers`, because their events are frequent.
  std::vector<TimestampObserver*> timestamp_observers;
  LargeVector<RankState> ranks;
  Pool<MessageRecord> messages;
  Pool<RequestRecord> requests;

  JobState(const platforms::Machine& on_machine, const platforms::Placement& placed,
           Transport& over_transport, const RankClasses* of_classes, Timing timing)
      : machine(on_machine),
        placement(placed),
        transport(over_transport),
        classes(of_classes),
        timed(timing == Timing::simulated),
        ranks(classes == nullptr ? placement.host_of.size() : classes->representatives.size()) {}

  RankId size() const { return static_cast<RankId>(ranks.size()); }
  platforms::HostId host(RankId rank) const { return placement.host_of[rank]; }
  void schedule(Seconds date_s, Event::Kind kind, RankId rank) {
    transport.at(date_s, {kind, static_cast<std::uint32_t>(rank)});
  }
  // Throws NotRecorded if operations are recorded, because what follows depends on times.
  void require_time() const {
    if (pattern != nullptr) throw NotRecorded{};
  }
};

}  // namespace tutti::runtime
