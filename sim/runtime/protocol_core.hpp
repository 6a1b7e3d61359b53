// SPDX-License-Identifier: BSD-3-Clause
// The message protocol that all engines share: eager, detached and rendezvous messages, and the
// calls of rank programs. It is independent of the engine: it gets times from a Transport, and
// starts flows through it.
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
// other.
//
// A message passes through these parts, which share the records of job_state.hpp:
//   LocalWork       advances the sender's clock by its overhead, and the receiver's at the end
//   MessageCosts    computes overheads, latencies and rates
//   EagerSends      delays an eager message until the NIC is free
//   Matching        finds its receive
//   WholeExchanges  receives it if its destination is in an exchange with all ranks
//   Waits           completes its requests and wakes ranks that wait for them
//
// The course of a message through the functions of ProtocolCore (P) and the engine's Transport (T):
//   P::isend              calls T::find_way, charges the sender's overhead, calls send_message
//   P::send_message       creates the record, calls T::prepare; for an eager message, EagerSends
//                         schedules the event start_flow
//   P::offer              pairs it with a posted receive, or queues it until P::irecv pairs it
//   P::flow_when_matched  schedules start_flow of a detached or rendezvous message
//   P::on_event           calls T::flow at the event start_flow
//   P::on_flow_done       is called by the engine at the end of the flow; once the receive is
//                         matched, end_message completes the requests, and Waits calls T::wake
//   P::finish_wait_all    charges the receiver's overhead in the woken rank, frees the record
#pragma once

#include "sim/base/common.hpp"
#include "sim/runtime/count_messages.hpp"
#include "sim/runtime/eager_sends.hpp"
#include "sim/runtime/hardware_collectives.hpp"
#include "sim/runtime/job_state.hpp"
#include "sim/runtime/local_work.hpp"
#include "sim/runtime/matching.hpp"
#include "sim/runtime/message_costs.hpp"
#include "sim/runtime/problems.hpp"
#include "sim/runtime/waits.hpp"
#include "sim/runtime/whole_exchanges.hpp"

namespace tutti::runtime {

class ProtocolCore {
 public:
  // With `classes`, the core simulates only the representative of each class, as the rank with the
  // number of the class. All arguments must outlive the core.
  ProtocolCore(const platforms::Machine& machine, const platforms::Placement& placement,
               Transport& transport, const RankClasses* classes = nullptr,
               Timing timing = Timing::simulated);
  ProtocolCore(const ProtocolCore&) = delete;
  ProtocolCore& operator=(const ProtocolCore&) = delete;

  // Records the operations of the programs, which then run without waiting. `pattern` must outlive
  // the core.
  void record(MessagePattern& pattern) { job_.pattern = &pattern; }
  // Number of messages in flight above which an exchange throws an error of kind run; 0: none.
  void limit_messages(std::int64_t most) { exchanges_.limit_messages(most); }
  // The observer must outlive the core.
  void add_observer(Observer& observer);

  // --- for rank programs (through Rank) ---
  RankId size() const { return job_.size(); }
  Seconds clock(RankId rank) const { return job_.ranks[rank].clock_s; }
  LocalWork& local_work() { return local_work_; }
  Request isend(RankId rank, RankId to, std::int32_t tag, Slice data, SendKind kind);
  Request irecv(RankId rank, RankId from, std::int32_t tag, Slice data);
  Request join_hardware(RankId rank, const HardwareCall& call) {
    return hardware_.join(rank, call);
  }

  // --- for awaiters ---
  Waits& waits() { return waits_; }
  // Begins an exchange that is simulated as a whole, and wakes the rank at its end. False if that
  // is impossible (whole_exchanges.hpp): the caller posts each message then. `args` must outlive
  // the wait.
  bool start_exchange(RankId rank, const ExchangeArgs& args);
  void finish_exchange(RankId rank) { exchanges_.finish(rank); }
  // Charges and frees the requests, receives in order of arrival.
  void finish_wait_all(RankId rank, std::span<const Request> requests);
  // Charges and frees the chosen request, and returns its index.
  std::size_t finish_wait_any(RankId rank, std::span<const Request> requests);
  // Charges and frees a completed request that was watched.
  void finish_watched(RankId rank, Request request);
  // The engine's time. The rank's clock may be ahead of it.
  Seconds date() const {
    job_.require_time();
    return job_.transport.now();
  }
  // Reads the rank's clock for its program.
  Seconds read_clock(RankId rank) const {
    job_.require_time();
    return clock(rank);
  }
  // Sets the rank's clock, for ranks with several CPUs whose clocks differ.
  void set_clock(RankId rank, Seconds clock_s);
  void park(RankId rank, std::coroutine_handle<> coroutine) { job_.ranks[rank].parked = coroutine; }

  // --- for engines ---
  void on_event(Event event);
  void on_flow_done(MessageId id);
  // Returns the parked coroutine of a woken rank.
  std::coroutine_handle<> take_parked(RankId rank) {
    return std::exchange(job_.ranks[rank].parked, nullptr);
  }
  platforms::HostId host(RankId rank) const { return job_.host(rank); }
  // The record of a message; valid until its receive has been charged.
  const MessageRecord& message(MessageId id) const { return job_.messages[id]; }
  const MessageCosts& costs() const { return costs_; }
  // The bytes that the flow of a message moves: its data and their envelope.
  Bytes carried_bytes(MessageId id) const {
    return message(id).bytes + costs_.protocol(message(id)).envelope;
  }
  // The bytes of the links' bandwidth that the flow uses: the carried bytes divided by
  // MessageCosts::efficiency.
  double link_bytes(MessageId id) const {
    return costs_.protocol(message(id)).link_bytes(message(id).bytes);
  }
  const MessageCounts& counts() const { return counts_; }
  // The largest numbers of messages and of requests that existed at once, added.
  std::int64_t most_records() const {
    return std::int64_t{job_.messages.size()} + std::int64_t{job_.requests.size()};
  }

  // Prefetches for loops over thousands of ranks that will be resumed, or messages whose flows will
  // start or end, each with its own memory. Call `far` first, `near` some iterations later.
  void prefetch_rank_far(RankId rank) const { __builtin_prefetch(&job_.ranks[rank], 1); }
  void prefetch_rank_near(RankId rank) const;
  void prefetch_message_far(MessageId id) const { __builtin_prefetch(&job_.messages[id], 1); }
  void prefetch_message_near(MessageId id) const;

  // The leftovers (problems.hpp) at the end of the job, or when nothing can proceed.
  std::vector<Leftover> leftovers(std::size_t limit) const {
    return find_leftovers(job_, matching_, limit);
  }
  std::vector<std::string> problems(std::size_t limit = 8) const {
    return describe_problems(job_, matching_, exchanges_, truncated_, limit);
  }

 private:
  // `data` of a message: the argument of isend. `request` is no_record for a send that nobody waits
  // for.
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
  void send_next(RankId rank);
  void count(const MessageRecord& message);
  void report_sent(MessageId id, const platforms::Path& path, Seconds called_s) const;
  void offer(MessageId id);
  void match_arrivals(RankId rank);
  void match_early_messages(RankId rank, const ExchangeOrder& receives);
  void pair(MessageId id, std::uint32_t request);
  void pair_in_exchange(MessageId id);
  void check_buffer(const MessageRecord& message, Bytes buffer_bytes);
  void flow_when_matched(MessageId id, Seconds posted_s);
  void start_flow(MessageId id);
  void end_message(MessageId id);
  void complete_send(const MessageRecord& message, Seconds time_s) {
    if (message.send_request != no_record) waits_.complete(message.send_request, time_s);
  }
  void charge(std::uint32_t request);
  void finish(Request request);

  JobState job_;
  MessageCosts costs_;
  std::unique_ptr<EagerCredits> credits_;  // null: buffers are unlimited
  LocalWork local_work_{job_};
  Waits waits_{job_, credits_.get()};
  Matching matching_{job_};
  EagerSends eager_sends_{job_, costs_, credits_.get(), waits_};
  WholeExchanges exchanges_{job_, costs_, local_work_};
  HardwareCollectives hardware_{job_, local_work_, waits_};
  std::vector<std::uint32_t> next_sends_, next_receives_;  // by class: its next message
  MessageCounts counts_;
  std::vector<std::string> truncated_;  // sentences about messages larger than their receives
};

}  // namespace tutti::runtime
