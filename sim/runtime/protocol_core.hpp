// SPDX-License-Identifier: BSD-3-Clause
// The message protocol that all engines share: matching, eager/rendezvous, overheads, gap, ties.
// It knows no engine: dates come from a Transport, flows are started through it.
//
// Every rank has its own clock, which may run ahead of the engine's: isend adds o_s, a completed
// receive makes it max(clock, arrival) + o_r (+ copy, if eager or up to the copy limit), compute
// adds its seconds.
//   eager       leaves the NIC at max(clock, NIC free); the NIC is busy for g, in order `fifo` for
//               max(g, bytes G); the flow starts L later, in order `shared` not before the end of
//               the eager message before it to the same rank. The send is done at once. (Inside a
//               node: the memory bus.)
//   detached    the flow starts at max(send, receive posted) + L. The send is done at once.
//   rendezvous  the request arrives at clock + L; the flow starts at max(request, receive posted)
//               + 2 L (+ rendezvous overhead, + preparation of the first fragment); send and
//               receive are done when it ends. Cut into fragments, it flows at their mean rate.
// Where a receiver keeps only so many buffers for the eager messages of one sender, the next one
// waits at the sender, and its send with it, for one to be free again: that is L after the receiver
// has taken a message out, which it does while it waits (as the sender does what it must for
// messages that wait): at the arrival, or when its next wait begins, + o_r (+ copy). So no two
// ranks can block each other. Named receives match by (source, tag) in the order of the sends.
// While a rank has a receive from any source pending, all its matching waits for arrivals; the
// earliest arrival decides the source, its oldest message with the tag is taken. Arrivals within
// `tie_window_s` are ordered by (source, tag), so that every engine gives the same answer.
#pragma once

#include <coroutine>

#include "platforms/machine.hpp"
#include "platforms/placement.hpp"
#include "sim/base/common.hpp"
#include "sim/runtime/arrivals.hpp"
#include "sim/runtime/count_messages.hpp"
#include "sim/runtime/eager_credits.hpp"
#include "sim/runtime/match_queues.hpp"
#include "sim/runtime/observer.hpp"
#include "sim/runtime/pool.hpp"
#include "sim/runtime/transport.hpp"
#include "sim/runtime/types.hpp"

namespace tutti::runtime {

class ProtocolCore {
 public:
  enum class Timing { simulated, none };  // `none`: all costs are zero; the eager limits still hold
  // `synchronous`: an isend that waits for its receive, however short the message.
  enum class SendKind { blocking, immediate, synchronous };

  ProtocolCore(const platforms::Machine& machine, const platforms::Placement& placement,
               Transport& transport, Timing timing = Timing::simulated);

  // The observers must outlive the core.
  void set_noise(const Noise& noise) { noise_ = noise; }
  // How many bytes all local work goes over again and again; a larger piece counts by itself.
  void set_working_set(Bytes bytes) { working_set_ = bytes; }
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
  // True if all are done already; else the rank is woken when they are.
  bool start_wait_all(RankId rank, std::span<const Request> requests);
  // Charges and frees them: receives in order of arrival.
  void finish_wait_all(RankId rank, std::span<const Request> requests);
  // Always false: which request is first is decided when the engine's time has come that far.
  bool start_wait_any(RankId rank, std::span<const Request> requests);
  std::size_t finish_wait_any(RankId rank, std::span<const Request> requests);
  // Before that: the number of the message that the first request, a receive, has got; 0: it is a
  // send.
  std::int64_t message_of_first(RankId rank, std::span<const Request> requests) const;
  void park(RankId rank, std::coroutine_handle<> coroutine) { ranks_[rank].parked = coroutine; }

  // --- for engines ---
  void on_event(Event event);
  void on_flow_done(MessageId message);
  // The parked coroutine of a woken rank.
  std::coroutine_handle<> take_parked(RankId rank) {
    return std::exchange(ranks_[rank].parked, nullptr);
  }
  platforms::HostId host_of(RankId rank) const { return placement_.host_of[rank]; }
  RankId source_of(MessageId message) const { return messages_[message].source; }
  RankId destination_of(MessageId message) const { return messages_[message].destination; }
  Bytes bytes_of(MessageId message) const { return messages_[message].bytes; }
  const MessageCounts& counts() const { return counts_; }

  // Hints that a rank will be resumed soon, and that a message's flow will start or end: thousands
  // of them in a row, each in memory of its own. `far` first, `near` some calls later.
  void prefetch_rank_far(RankId rank) const { __builtin_prefetch(&ranks_[rank], 1); }
  void prefetch_rank_near(RankId rank) const;
  void prefetch_message_far(MessageId id) const { __builtin_prefetch(&messages_[id], 1); }
  void prefetch_message_near(MessageId id) const;

  // Sentences about what is wrong once the job has ended or nothing moves any more: truncated
  // messages, ranks that wait for ever, messages never received, receives never matched, requests
  // never waited for. At most `limit` of each kind, then "and N more".
  std::vector<std::string> problems(std::size_t limit = 8) const;

 private:
  // Records fill a cache line each: a job of 250,000 ranks lives from few of them.
  struct alignas(64) Message {
    // Eager: how long it keeps the card busy, then the end of its flow; else: when the receiver
    // knows of it.
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
    bool follows : 1 = false;            // an eager message to the same rank that has not arrived
    bool due : 1 = false;                // follows, and its latency is over
    std::uint32_t follower = no_record;  // the message that follows this one

    MatchKey key() const { return {source, tag}; }
    std::int64_t order() const { return serial; }
    // The receiver knows when it arrives, or has arrived.
    bool is_known() const { return protocol != platforms::Protocol::eager || arrived; }
  };
  struct alignas(64) RequestRecord {
    Seconds time_s = 0;  // posted; once done: completed
    Slice data;
    RankId owner = 0;
    RankId peer = 0;  // any_source until matched
    std::int32_t tag = 0;
    std::uint32_t next = 0;  // in the owner's list of posted receives
    std::uint32_t generation = 0;
    MessageId message = 0;        // of a receive, once matched; lives until the receive is charged
    std::uint64_t post : 48 = 0;  // of a receive: counts the job's from 1
    bool is_send : 1 = false;
    bool done : 1 = false;
    bool waited : 1 = false;
    bool in_use : 1 = false;
    bool is_hardware : 1 = false;  // is_send as well; `message` is the meeting's index then

    MatchKey key() const { return {peer, tag}; }
    std::uint64_t order() const { return post; }
  };
  static_assert(sizeof(Message) == 64 && sizeof(RequestRecord) == 64);
  // Of all ranks' n-th hardware collectives.
  struct HardwareMeeting {
    RankId joined = 0;
    RankId left = 0;
    Seconds latest_s = 0;
    Seconds done_s = 0;
    bool is_over = false;
    std::vector<std::uint32_t> waiting;  // requests
  };
  enum class Waiting : std::uint8_t { no, for_all, for_any };
  struct alignas(64) RankState {
    Seconds clock_s = 0;
    Seconds nic_free_s = 0;  // eager messages to other nodes leave one after the other,
    Seconds bus_free_s = 0;  // and so do those over the memory bus
    std::coroutine_handle<> parked;
    MatchQueue posted;
    MatchQueue unexpected;
    std::uint32_t any_source_pending = 0;
    union {
      std::uint32_t missing = 0;  // wait_all: requests not done yet
      std::uint32_t chosen;       // wait_any: index of the request that came first
    };
    std::uint32_t works = 0;  // pieces of local work done, for the noise
    Waiting waiting = Waiting::no;
    bool choice_scheduled = false;
  };

  RequestRecord& record(Request request);
  Request new_request(RankId owner, RankId peer, std::int32_t tag, Slice data);
  void finish(Request request);

  const platforms::MessageProtocol& protocol(bool intra) const { return intra ? intra_ : inter_; }
  void count(const Message& message);
  void work(RankId rank, Work kind, Seconds duration_s);
  void pass(RankId rank, Work kind, Seconds duration_s);
  void charge_copy(RankId rank, Bytes bytes);
  Bytes working_set(Bytes piece) const { return std::max(working_set_, piece); }
  Seconds extra_latency(const Message& message) const;
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

  void offer(MessageId id);
  void pair(MessageId id, std::uint32_t request);
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
  void choose_completed(RankId rank);
  void charge(std::uint32_t request);
  Seconds hardware_time(const HardwareCall& call) const;
  void hardware_done(std::uint32_t index);
  void charge_hardware(const RequestRecord& request);

  std::string describe(const RequestRecord& request) const;
  std::string wait_of(RankId rank) const;

  const platforms::Machine& machine_;
  const platforms::Placement& placement_;
  Transport& transport_;
  bool timed_;
  bool has_bus_;  // for the messages inside a node
  Noise noise_;
  platforms::MessageProtocol inter_;
  platforms::MessageProtocol intra_;
  std::vector<Observer*> observers_;
  std::vector<TimestampObserver*> dated_;  // apart: a message has many dates
  std::vector<RankState> ranks_;
  std::unordered_map<RankId, std::span<const Request>> any_of_;  // of ranks in wait_any
  std::unordered_map<std::uint32_t, HardwareMeeting> hardware_;  // by how many went before
  std::vector<std::uint32_t> hardware_calls_;                    // by rank; empty before the first
  // The last eager message on its way from one rank to another that keeps the order of the sends.
  std::unordered_map<std::uint64_t, MessageId> last_to_;
  Pool<Message> messages_;
  Pool<RequestRecord> requests_;
  MatchQueues<RequestRecord> posted_{requests_};
  MatchQueues<Message> unexpected_{messages_};
  std::unordered_map<RankId, Arrivals> arrivals_;   // of ranks that have too many to look through
  std::unordered_map<RankId, Seconds> next_looks_;  // of ranks with receives from any source
  std::unique_ptr<EagerCredits> credits_;           // null: no receiver counts its buffers
  std::uint64_t receives_ = 0;
  MessageCounts counts_;
  Bytes working_set_ = 0;
  std::vector<std::string> truncated_;
};

}  // namespace tutti::runtime
