// SPDX-License-Identifier: BSD-3-Clause
// The message protocol that all engines share: matching, eager/rendezvous, overheads, gap, ties.
// It is independent of the engine: it gets times from a Transport, and starts flows through it.
//
// Every rank has its own clock, which may run ahead of the engine's: isend adds o_s, a completed
// receive sets it to max(clock, arrival) + o_r (+ copy, if eager or up to the copy limit), compute
// adds its duration.
//   eager       leaves the NIC at max(clock, NIC free); the NIC is busy for g, in order `fifo` for
//               max(g, bytes G); the flow starts L later, in order `shared` not before the end of
//               the previous eager message to the same rank. The send completes immediately.
//               (Inside a node, the memory bus replaces the NIC.)
//   detached    the flow starts at max(send, receive posted) + L. The send completes immediately.
//   rendezvous  the request arrives at clock + L; the flow starts at max(request, receive posted)
//               + 2 L (+ rendezvous overhead, + preparation of the first fragment); send and
//               receive complete when it ends. With fragments it flows at their mean rate. If it is
//               `direct`, the flow starts as that of a detached message.
// If a receiver has a limited number of buffers for the eager messages of one sender, further
// messages and their sends wait for a free buffer. A buffer is free L after the receiver has copied
// a message out, which it does while it waits: at the arrival, or when its next wait begins, + o_r
// (+ copy). A sender, too, starts waiting messages while it waits, so two ranks cannot block each
// other. Receives from a named source match by (source, tag) in the order of the sends. While a
// rank has a pending receive from any source or of any tag, all its matching is delayed until
// arrivals: the earliest arrival determines the source, and its oldest message with the tag is
// matched. Arrivals within `tie_window_s` are ordered by (source, tag), so that every engine gives
// the same result.
#pragma once

#include <coroutine>

#include "platforms/machine.hpp"
#include "platforms/placement.hpp"
#include "sim/base/common.hpp"
#include "sim/base/large_pages.hpp"
#include "sim/runtime/arrivals.hpp"
#include "sim/runtime/count_messages.hpp"
#include "sim/runtime/done_requests.hpp"
#include "sim/runtime/eager_credits.hpp"
#include "sim/runtime/exchange.hpp"
#include "sim/runtime/match_queues.hpp"
#include "sim/runtime/message_pattern.hpp"
#include "sim/runtime/observer.hpp"
#include "sim/runtime/pair_index.hpp"
#include "sim/runtime/pool.hpp"
#include "sim/runtime/rank_classes.hpp"
#include "sim/runtime/transport.hpp"
#include "sim/runtime/types.hpp"

namespace tutti::runtime {

class ProtocolCore {
 public:
  enum class Timing { simulated, none };  // `none`: all costs are zero, but eager limits apply
  using SendKind = runtime::SendKind;

  ProtocolCore(const platforms::Machine& machine, const platforms::Placement& placement,
               Transport& transport, Timing timing = Timing::simulated);
  // Simulates only the representative of each class, as the rank with the number of the class.
  // `classes` must outlive the core.
  ProtocolCore(const platforms::Machine& machine, const platforms::Placement& placement,
               Transport& transport, const RankClasses& classes);

  // Programs run without waiting, and their operations are recorded. `pattern` must outlive the
  // core.
  void record(MessagePattern& pattern) { pattern_ = &pattern; }
  void set_noise(const Noise& noise) { noise_ = noise; }
  void set_working_set(WorkingSet set) { working_set_ = std::move(set); }
  // Number of messages in flight above which an exchange throws an error of kind run; 0: none.
  void limit_messages(std::int64_t most) { most_messages_ = most; }
  // The observer must outlive the core.
  void add_observer(Observer& observer) {
    if (TimestampObserver* dated = observer.dated())
      dated_.push_back(dated);
    else
      observers_.push_back(&observer);
  }

  // --- for rank programs (through Rank) ---
  RankId size() const { return static_cast<RankId>(ranks_.size()); }
  Seconds clock(RankId rank) const { return ranks_[rank].clock_s; }
  Request isend(RankId rank, RankId to, std::int32_t tag, Slice data, SendKind kind);
  Request irecv(RankId rank, RankId from, std::int32_t tag, Slice data);
  void compute(RankId rank, Seconds duration_s);
  void sleep(RankId rank, Seconds duration_s);
  void allocate(RankId rank, Bytes bytes);
  void copy(RankId rank, Slice into, Slice from);
  void copy(RankId rank, const Strided& into, const Strided& from);
  void clear(RankId rank, Slice into);
  void combine(RankId rank, Slice into, Slice from, Operand from_is);
  Request join_hardware(RankId rank, const HardwareCall& call);

  // --- for awaiters ---
  // Begins an exchange that is simulated as a whole, and wakes the rank at its end. False if that
  // is impossible (protocol_exchange.cpp): the caller posts each message then. `args` must outlive
  // the wait.
  bool start_exchange(RankId rank, const ExchangeArgs& args);
  void finish_exchange(RankId rank);
  // True if all requests are complete; else the rank is woken when they are.
  bool start_wait_all(RankId rank, std::span<const Request> requests);
  // Charges and frees the requests, receives in order of arrival.
  void finish_wait_all(RankId rank, std::span<const Request> requests);
  // Always false: the first request is chosen when the engine's time has advanced far enough.
  bool start_wait_any(RankId rank, std::span<const Request> requests);
  std::size_t finish_wait_any(RankId rank, std::span<const Request> requests);
  // Ends a wait of start_wait_any without charging a request: the caller is one of several programs
  // of the rank (concurrent.hpp).
  void end_wait_any(RankId rank);
  bool is_done(Request request) {
    needs_time();
    return record(request).done;
  }
  // Chooses among these requests, one of which is done, for finish_wait_any.
  void choose_first(RankId rank, std::span<const Request> requests);
  // The core adds the request to `into` when it completes (at once if it is done); `into` belongs
  // to the request's rank and outlives it.
  void watch(Request request, DoneRequests& into);
  // The rank is woken when a watched request has completed, or at `deadline_s`; perhaps earlier.
  // Always false.
  bool start_look(RankId rank, DoneRequests& at, Seconds deadline_s);
  // Charges and frees a completed request.
  void finish_watched(RankId rank, Request request);
  // The engine's time, which the rank's clock may be ahead of.
  Seconds date() const {
    needs_time();
    return transport_.now();
  }
  // The program reads its clock.
  Seconds read_clock(RankId rank) const {
    needs_time();
    return ranks_[rank].clock_s;
  }
  // For ranks with several CPUs, whose clocks differ.
  void set_clock(RankId rank, Seconds clock_s) {
    needs_time();
    ranks_[rank].clock_s = clock_s;
    for (TimestampObserver* observer : dated_) observer->on_clock_set(rank);
  }
  // To be called before finish_wait_any: the number of the message that the first request, a
  // receive, has matched; 0 if it is a send.
  std::int64_t message_of_first(RankId rank, std::span<const Request> requests) const;
  void park(RankId rank, std::coroutine_handle<> coroutine) { ranks_[rank].parked = coroutine; }

  // --- for engines ---
  void on_event(Event event);
  void on_flow_done(MessageId message);
  // Returns the parked coroutine of a woken rank.
  std::coroutine_handle<> take_parked(RankId rank) {
    return std::exchange(ranks_[rank].parked, nullptr);
  }
  platforms::HostId host_of(RankId rank) const { return placement_.host_of[rank]; }
  RankId source_of(MessageId message) const { return messages_[message].source; }
  RankId destination_of(MessageId message) const { return messages_[message].destination; }
  // The bytes that the flow of a message moves: its data and their envelope.
  Bytes carried_bytes_of(MessageId id) const {
    const Message& message = messages_[id];
    return message.bytes + protocol(message.intra_node).envelope;
  }
  // The bytes of which each moves per byte of the links' bandwidth that the flow uses.
  double efficiency_of(MessageId id) const { return efficiency_of(messages_[id]); }
  // The quotient of the two.
  double link_bytes_of(MessageId id) const {
    const Message& message = messages_[id];
    return protocol(message.intra_node).link_bytes(message.bytes);
  }
  const MessageCounts& counts() const { return counts_; }
  // The largest numbers of messages and of requests that existed at once, added.
  std::int64_t most_records() const {
    return std::int64_t{messages_.size()} + std::int64_t{requests_.size()};
  }

  // Prefetches for loops over thousands of ranks that will be resumed, or messages whose flows will
  // start or end, each with its own memory. Call `far` first, `near` some iterations later.
  void prefetch_rank_far(RankId rank) const { __builtin_prefetch(&ranks_[rank], 1); }
  void prefetch_rank_near(RankId rank) const;
  void prefetch_message_far(MessageId id) const { __builtin_prefetch(&messages_[id], 1); }
  void prefetch_message_near(MessageId id) const;

  // Messages that nobody has received, of the lowest ranks first, at most `limit`.
  struct Leftover {
    RankId source = 0;
    RankId destination = 0;
    std::int32_t tag = 0;
    Bytes bytes = 0;
  };
  std::vector<Leftover> leftovers(std::size_t limit) const;
  // Sentences about problems at the end of the job, or when nothing can proceed: truncated
  // messages, deadlocked ranks, messages never received, receives never matched, requests never
  // waited for. At most `limit` of each kind, then "and N more".
  std::vector<std::string> problems(std::size_t limit = 8) const;

 private:
  // Each record fills one cache line, which limits the cache misses of jobs with 250,000 ranks.
  struct alignas(64) Message {
    // Eager: the time for which it keeps the NIC busy, then the end of its flow. Else: the time at
    // which the receiver knows of it.
    Seconds time_s = 0;
    Seconds latency_s = 0;
    Bytes bytes = 0;
    std::int64_t serial = 0;
    RankId source = 0;
    RankId destination = 0;
    std::int32_t tag = 0;
    std::uint32_t next = 0;  // in the destination's list of unexpected messages
    std::uint32_t send_request = 0;
    std::uint32_t recv_request = 0;
    platforms::Protocol protocol = platforms::Protocol::eager;
    bool arrived : 1 = false;  // eager only
    bool intra_node : 1 = false;
    bool follows : 1 = false;            // waits for the previous eager message to the same rank
    bool due : 1 = false;                // it follows one, and its latency has passed
    std::uint32_t follower = no_record;  // the message that waits for this one

    MatchKey key() const { return {source, tag}; }
    std::int64_t order() const { return serial; }
    // The receiver knows its time of arrival.
    bool is_known() const { return protocol != platforms::Protocol::eager || arrived; }
  };
  struct alignas(64) RequestRecord {
    Seconds time_s = 0;  // of posting; once done, of completion
    Slice data;
    RankId owner = 0;
    RankId peer = 0;  // any_source until matched
    std::int32_t tag = 0;
    std::uint32_t next = 0;  // in the owner's list of posted receives
    std::uint32_t generation = 0;
    MessageId message = 0;        // of a matched receive; valid until the receive is charged
    std::uint64_t post : 48 = 0;  // of a receive: its number in the job, from 1
    bool is_send : 1 = false;
    bool done : 1 = false;
    bool waited : 1 = false;
    bool in_use : 1 = false;
    bool watched : 1 = false;
    bool is_hardware : 1 = false;  // is_send is also true; `message` is the index of the meeting

    MatchKey key() const { return {peer, tag}; }
    std::uint64_t order() const { return post; }
    bool has_wildcard() const { return peer == any_source || tag == any_tag; }
  };
  // In Message::recv_request: its receive is part of an exchange.
  static constexpr std::uint32_t of_exchange = no_record - 1;
  static_assert(sizeof(Message) == 64 && sizeof(RequestRecord) == 64);
  // The state of all ranks' n-th hardware collective.
  struct HardwareMeeting {
    RankId joined = 0;
    RankId left = 0;
    Seconds latest_s = 0;
    Seconds done_s = 0;
    bool is_over = false;
    std::vector<std::uint32_t> waiting;  // requests
  };
  enum class Waiting : std::uint8_t { no, for_all, for_any, for_watched };
  struct alignas(64) RankState {
    Seconds clock_s = 0;
    Seconds nic_free_s = 0;  // when the NIC can send the next eager message
    Seconds bus_free_s = 0;  // the same for the memory bus
    std::coroutine_handle<> parked;
    MatchQueue posted;
    MatchQueue unexpected;
    std::uint32_t wildcards_pending = 0;  // receives from any source or of any tag
    union {
      std::uint32_t missing = 0;  // wait_all: number of incomplete requests
      std::uint32_t chosen;       // wait_any: index of the first complete request
    };
    std::uint32_t works = 0;  // number of pieces of local work, for the noise
    Waiting waiting = Waiting::no;
    bool choice_scheduled = false;
  };

  RequestRecord& record(Request request);
  Request new_request(RankId owner, RankId peer, std::int32_t tag, Slice data);
  void finish(Request request);
  // `data` of a message: what isend got. `request` is no_record for a send that nobody waits for.
  struct NewMessage {
    RankId source = 0;
    RankId destination = 0;
    std::int32_t tag = 0;
    Slice data;
    SendKind kind = SendKind::immediate;
    std::uint32_t request = no_record;
    Seconds called_s = 0;
  };
  void send_message(const NewMessage& sent, const Way& way);
  void complete_send(const Message& message, Seconds time_s) {
    if (message.send_request != no_record) complete(message.send_request, time_s);
  }

  const platforms::MessageProtocol& protocol(bool intra) const { return intra ? intra_ : inter_; }
  void needs_time() const {
    if (pattern_ != nullptr) throw NotRecorded{};
  }
  void count(const Message& message);
  std::uint64_t pair_of_ranks(const Message& message) const;
  void work(RankId rank, Work kind, Seconds duration_s);
  void local_work(RankId rank, Work kind, Seconds duration_s);
  void pass(RankId rank, Work kind, Seconds duration_s);
  void charge_copy(RankId rank, Bytes bytes);
  Bytes working_set(RankId rank, Bytes piece) const {
    const auto& each = working_set_.of_ranks;
    return std::max(each.empty() ? working_set_.of_all : each[static_cast<std::size_t>(rank)],
                    piece);
  }
  double efficiency_of(const Message& message) const {
    const platforms::MessageProtocol& costs = protocol(message.intra_node);
    return costs.efficiency(message.bytes + costs.envelope);
  }
  bool is_direct(const Message& message) const {
    return protocol(message.intra_node).rendezvous == platforms::Rendezvous::direct;
  }
  Seconds receive_overhead(const Message& message) const {
    if (message.protocol == platforms::Protocol::rendezvous && is_direct(message)) return 0;
    return protocol(message.intra_node).recv_overhead(message.bytes);
  }
  Seconds extra_latency(const Message& message) const;
  Seconds ack_time(const Message& message) const;
  void report_sent(MessageId id, const platforms::Path& path, Seconds called_s) const;
  double rate_limit_Bps(const Message& message, const platforms::Path& path) const;
  Seconds nic_time(const Message& message, const platforms::Path& path) const;
  void launch_eager(MessageId id, Seconds ready_s);
  bool keeps_order(const Message& message) const;
  void join_order(MessageId id);
  void leave_order(MessageId id);
  std::optional<Bytes> copied_out(const Message& message) const;

  bool takes_credit(MessageId id);
  void release_credit(const Message& message);
  void credit_returned(std::uint32_t index);

  bool is_in_fragments(const Message& message) const;
  Bytes last_fragment(const Message& message) const;
  Seconds preparation(bool intra_node, Bytes bytes) const;
  double fragments_Bps(const Message& message, double path_Bps) const;

  bool has_any_tag(RankId rank) const { return !any_tags_.empty() && any_tags_.contains(rank); }
  std::uint32_t find_posted(RankId rank, MatchKey key);
  std::uint32_t take_posted(RankId rank, MatchKey key);
  MatchKey oldest_of_source(RankId rank, MatchKey arrived) const;
  void offer(MessageId id);
  void pair(MessageId id, std::uint32_t request);
  void check_room(const Message& message, Bytes room);
  void flow_when_matched(MessageId id, Seconds posted_s);
  void add_unexpected(MessageId id);
  MessageId take_unexpected(RankId rank, MatchKey key);
  Arrivals* arrivals_of(RankId rank);
  Arrivals::Arrival arrival_of(MessageId id) const;
  void report_arrivals(MessageId id);
  void pair_when_arrived(RankId rank, MatchKey key);
  void match_arrivals(RankId rank);
  void match_named_receives(RankId rank);
  std::vector<MatchKey> keys_that_may_meet(RankState& receiver);
  void match_after(RankId rank, Seconds known_s);
  Seconds earliest_for(RankId rank, MatchKey posted);
  Seconds earliest_to_come(RankId rank);
  std::optional<MatchKey> first_arrival(RankId rank);
  bool has_arrived(const Message& message) const;
  void start_flow(MessageId id);
  void end_of_message(MessageId id);
  void complete(std::uint32_t request, Seconds time_s);
  void schedule_choice(RankId rank, Seconds not_before_s);
  void schedule_look(RankId rank, Seconds date_s);
  void look(RankId rank);
  void add_completion(std::uint32_t index);
  void choose_completed(RankId rank);
  void charge(std::uint32_t request);
  bool can_exchange(RankId rank, const ExchangeArgs& args) const;
  std::optional<Seconds> clock_after_sends(RankId rank, const ExchangeArgs& args) const;
  void match_early_messages(RankId rank);
  void send_next(RankId rank);
  void send_in_exchange(RankId rank, RankId to);
  std::uint32_t position_in_exchange(RankId rank, RankId source) const;
  RankId first_missing_source(RankId rank) const;
  bool exchange_accepts(const Message& message) const;
  void match_in_exchange(MessageId id);
  void receive_in_exchange(MessageId id);
  void end_if_complete(RankId rank);
  Seconds hardware_time(const HardwareCall& call) const;
  void hardware_done(std::uint32_t index);
  void charge_hardware(const RequestRecord& request);

  std::string describe(const RequestRecord& request) const;
  std::string wait_of(RankId rank) const;

  const platforms::Machine& machine_;
  const platforms::Placement& placement_;
  Transport& transport_;
  MessagePattern* pattern_ = nullptr;     // not null: records
  const RankClasses* classes_ = nullptr;  // null: every rank is simulated
  // By class: its next send and its next receive.
  std::vector<std::uint32_t> next_sends_, next_receives_;
  bool timed_;
  bool has_bus_;  // messages inside a node use the memory bus
  Noise noise_;
  platforms::MessageProtocol inter_;
  platforms::MessageProtocol intra_;
  std::vector<Observer*> observers_;
  std::vector<TimestampObserver*> dated_;  // separate, because timestamps are frequent
  LargeVector<RankState> ranks_;
  std::unordered_map<RankId, std::span<const Request>> any_of_;  // of ranks in wait_any
  struct Watching {
    DoneRequests* into = nullptr;
    Seconds look_s = never;  // the next scheduled wake-up
  };
  std::vector<Watching> watching_;          // by rank; empty before the first
  std::vector<RunningExchange> exchanges_;  // the same
  std::int64_t most_messages_ = 0;
  std::unordered_map<std::uint32_t, HardwareMeeting> hardware_;  // by index of the collective
  std::vector<std::uint32_t> hardware_calls_;                    // by rank; empty before the first
  // The last eager message in flight from one rank to another, if their order matters.
  PairIndex last_to_;
  Pool<Message> messages_;
  Pool<RequestRecord> requests_;
  MatchQueues<RequestRecord> posted_{requests_};
  MatchQueues<Message> unexpected_{messages_};
  std::unordered_map<RankId, Arrivals> arrivals_;   // of ranks with many unexpected messages
  std::unordered_map<RankId, Seconds> next_looks_;  // of ranks with pending wildcards
  // Number of pending receives of any tag; those ranks have no Arrivals.
  std::unordered_map<RankId, std::uint32_t> any_tags_;
  std::unique_ptr<EagerCredits> credits_;  // null: buffers are unlimited
  std::vector<Request> in_order_;          // scratch memory of finish_wait_all
  std::uint64_t receives_ = 0;
  MessageCounts counts_;
  WorkingSet working_set_;
  std::vector<std::string> truncated_;
};

}  // namespace tutti::runtime
