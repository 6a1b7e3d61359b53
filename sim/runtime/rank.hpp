// SPDX-License-Identifier: BSD-3-Clause
// The interface of rank programs: ranks, messages, local work; independent of engines and SimGrid.
//
//   Task ping_pong(Rank& me) {
//     if (me.id() == 0) co_await me.send({.to = 1, .data = {.bytes = 8}});
//     if (me.id() == 1) co_await me.recv({.from = 0, .data = {.bytes = 8}});
//   }
//
// Semantics are those of MPI: messages from one rank with one tag are received in the order of
// their sends; a standard-mode send may wait for its receive (and does so above the eager limit).
// isend, irecv, compute, copy, combine return immediately and advance the rank's own clock.
#pragma once

#include "sim/base/common.hpp"
#include "sim/runtime/protocol_core.hpp"
#include "sim/runtime/strand.hpp"
#include "sim/runtime/task.hpp"
#include "sim/runtime/types.hpp"
#include "sim/runtime/view.hpp"

namespace tutti::runtime {

struct SendArgs {
  RankId to = 0;
  std::int32_t tag = 0;
  Slice data = {};
};
struct RecvArgs {
  RankId from = any_source;
  std::int32_t tag = 0;  // any_tag: only outside of a View
  Slice data = {};       // must be at least as large as the message
};
struct SendrecvArgs {
  RankId to = 0;
  Slice send = {};
  RankId from = 0;
  Slice recv = {};
  std::int32_t tag = 0;
};

struct Arrival {
  std::size_t index = 0;     // of the request
  std::int64_t message = 0;  // see Rank::last_message; 0: the request is a send
};

// Awaiters that suspend the rank until requests are complete. ProtocolCore describes their costs.
class WaitAll;
class WaitExchange;
class WaitAny;
class WaitAnyMessage;
class WaitInOrder;
class WaitSequence;
class Look;
namespace detail {
class WaitBase;
}

class Rank {
 public:
  // `view` is null for a rank of the whole job; else it defines ranks and buffers, and must outlive
  // this object. `id` is the rank in the job. `strand`: of the program that this object is for, if
  // the rank runs several (concurrent.hpp).
  Rank(ProtocolCore& core, RankId id, const View* view = nullptr, Strand* strand = nullptr)
      : core_(&core), world_id_(id), view_(view), strand_(strand) {}

  RankId id() const { return view_ == nullptr ? world_id_ : view_->id(); }
  RankId size() const { return view_ == nullptr ? core_->size() : view_->size(); }
  // The rank's own clock (MPI_Wtime): 0 when the job starts.
  Seconds now() const { return core_->read_clock(world_id_); }

  Request isend(const SendArgs& args) { return start_send(args, SendKind::immediate); }
  // MPI_Issend: completes when the message is received; uses the rendezvous protocol for every
  // size.
  Request issend(const SendArgs& args) { return start_send(args, SendKind::synchronous); }
  // MPI_Send without its wait, for callers that wait for several requests.
  Request begin_send(const SendArgs& args) { return start_send(args, SendKind::blocking); }
  Request irecv(const RecvArgs& args);

  // Waits for one request and frees it.
  WaitSequence wait(Request request);
  // Waits for all requests and frees them; receives are charged in order of arrival. The span must
  // stay valid until the await ends.
  WaitAll wait_all(std::span<const Request> requests);
  // Posts a receive from and a send to each other rank, with tag 0, and waits for all of them.
  WaitExchange exchange(const ExchangeArgs& args);
  // Like wait_all, but charges them in the given order.
  WaitInOrder wait_in_order(std::span<const Request> requests);
  // Waits for the first request to complete, frees it and returns its index in `requests`. Of
  // simultaneous ones, it chooses the smallest (source, tag).
  WaitAny wait_any(std::span<const Request> requests);
  // The same, and returns the message that a receive has matched.
  WaitAnyMessage wait_any_message(std::span<const Request> requests);
  // For programs that process requests in the order of completion; see Waits::watch. They
  // are the only program of their rank.
  void watch(Request request, DoneRequests& into) { core_->waits().watch(request, into); }
  // Waits for a watched request to complete, or until `deadline_s`; perhaps shorter.
  Look look(DoneRequests& at, Seconds deadline_s);
  bool is_done(Request request) const { return core_->waits().is_done(request); }
  void finish_watched(Request request) { core_->finish_watched(world_id_, request); }
  Seconds date() const { return core_->date(); }
  void set_clock(Seconds clock_s) { core_->set_clock(world_id_, clock_s); }
  // The unique number of the message that was sent last in the job; immediately after an isend,
  // that of its message.
  std::int64_t last_message() const { return core_->counts().messages; }

  WaitSequence send(const SendArgs& args);
  WaitSequence recv(const RecvArgs& args);
  // Like Open MPI's coll_base_sendrecv: irecv, blocking send, wait for the receive.
  WaitSequence sendrecv(const SendrecvArgs& args);

  // The begin of a call on a GPU: until its kernel sends the first message.
  void launch() { core_->local_work().launch(world_id_); }
  // Local work of a given duration, and idle time, to which noise does not apply.
  void compute(Seconds duration_s) { core_->local_work().compute(world_id_, duration_s); }
  void sleep(Seconds duration_s) { core_->local_work().sleep(world_id_, duration_s); }
  // into := into (op) from, element by element; takes bytes / combine bandwidth. With `from` as
  // left operand: into := from (op) into, as in MPI_Reduce_local.
  void combine(Slice into, Slice from, Operand from_is = Operand::right) {
    core_->local_work().combine(world_id_, in_job(into), in_job(from), from_is);
  }
  // Allocates a temporary buffer, which is freed at the end of the call.
  void allocate(Bytes bytes) { core_->local_work().allocate(world_id_, bytes); }
  // This rank's call of a hardware collective among all ranks of the job.
  WaitSequence hardware(const HardwareCall& call);
  // into := from; takes bytes / copy bandwidth. A copy onto itself (MPI_IN_PLACE) takes no time.
  void copy(Slice into, Slice from) {
    core_->local_work().copy(world_id_, in_job(into), in_job(from));
  }
  // into := zeros, the neutral element of a bitwise or; takes as long as a copy.
  void clear(Slice into) { core_->local_work().clear(world_id_, in_job(into)); }
  // into := from for many slices at once.
  void copy(const Strided& into, const Strided& from) {
    core_->local_work().copy(world_id_, {in_job(into.first), into.stride, into.count},
                             {in_job(from.first), from.stride, from.count});
  }

 private:
  friend class Nested;
  friend class WaitExchange;
  friend class detail::WaitBase;
  friend class ConcurrentPrograms;

  Request start_send(const SendArgs& args, SendKind kind);
  Slice in_job(const Slice& slice) const { return view_ == nullptr ? slice : view_->world(slice); }

  ProtocolCore* core_;
  RankId world_id_;
  const View* view_;
  Strand* strand_;
};

// A rank inside a collective that is called on a group of ranks, with parts of the caller's
// buffers:
//   Nested inner(me, {.group = Group(0, me.size()), .member = me.id(), .binding = {...}});
//   co_await bcast(inner.rank(), args);
class Nested {
 public:
  struct Call {
    Group group;  // numbered in the caller's ranks
    RankId member = 0;
    Binding binding = {};
  };
  Nested(const Rank& caller, const Call& call)
      : view_(caller.view_, call.group, call.member, call.binding),
        rank_(*caller.core_, caller.world_id_, &view_, caller.strand_) {}
  // A call on all ranks of the caller.
  Nested(const Rank& caller, const Binding& binding)
      : Nested(caller, {Group(0, caller.size()), caller.id(), binding}) {}
  Nested(const Nested&) = delete;
  Nested& operator=(const Nested&) = delete;

  Rank& rank() { return rank_; }

 private:
  View view_;
  Rank rank_;
};

// The same program for all ranks; called once per rank.
using Program = std::function<Task(Rank&)>;

namespace detail {
// The base of all awaiters: parks the coroutine until the rank is woken. They are in the frames of
// their coroutines, of which each rank has some, so they refer to the Rank instead of copying it.
class WaitBase {
 public:
  explicit WaitBase(Rank& me) : me_(me) {}
  void await_suspend(Task::Handle self) const {
    if (strand() == nullptr)
      core().park(rank(), self);
    else
      strand()->park(self);
  }

 protected:
  ProtocolCore& core() const { return *me_.core_; }
  RankId rank() const { return me_.world_id_; }
  Strand* strand() const { return me_.strand_; }  // null: the rank runs only one program

  bool start_wait_all(std::span<const Request> requests) const {
    return strand() == nullptr ? core().waits().start_all(rank(), requests)
                               : strand()->wait(core().waits(), requests, Strand::For::all);
  }
  bool start_wait_any(std::span<const Request> requests) const {
    return strand() == nullptr ? core().waits().start_any(rank(), requests)
                               : strand()->wait(core().waits(), requests, Strand::For::any);
  }
  std::size_t finish_wait_any(std::span<const Request> requests) const {
    return core().finish_wait_any(rank(), requests);
  }
  void choose_in_strand(std::span<const Request> requests) const {
    if (strand() != nullptr) core().waits().choose_first(rank(), requests);
  }

  Rank& me_;
};
}  // namespace detail

class [[nodiscard]] WaitAll : public detail::WaitBase {
 public:
  WaitAll(Rank& me, std::span<const Request> requests) : WaitBase(me), requests_(requests) {}
  bool await_ready() const { return start_wait_all(requests_); }
  void await_resume() const { core().finish_wait_all(rank(), requests_); }

 protected:
  std::span<const Request> requests_;
};

// Posts every message if the core cannot simulate the exchange as a whole.
class [[nodiscard]] WaitExchange : public detail::WaitBase {
 public:
  WaitExchange(Rank& me, const ExchangeArgs& args) : WaitBase(me), args_(args) {}
  bool await_ready();
  void await_resume() const {
    if (is_whole_)
      core().finish_exchange(rank());
    else
      core().finish_wait_all(rank(), requests_);
  }

 private:
  ExchangeArgs args_;
  bool is_whole_ = false;
  std::vector<Request> requests_;
};

class [[nodiscard]] WaitInOrder : public WaitAll {
 public:
  using WaitAll::WaitAll;
  void await_resume() const {
    for (const Request& request : requests_) core().finish_wait_all(rank(), {&request, 1});
  }
};

class [[nodiscard]] WaitAny : public detail::WaitBase {
 public:
  WaitAny(Rank& me, std::span<const Request> requests) : WaitBase(me), requests_(requests) {}
  bool await_ready() const { return start_wait_any(requests_); }
  std::size_t await_resume() const {
    choose_in_strand(requests_);
    return finish_wait_any(requests_);
  }

 protected:
  std::span<const Request> requests_;
};

class [[nodiscard]] WaitAnyMessage : public WaitAny {
 public:
  using WaitAny::WaitAny;
  Arrival await_resume() const {
    choose_in_strand(requests_);
    const std::int64_t message = core().waits().chosen_message(rank(), requests_);
    return {finish_wait_any(requests_), message};
  }
};

class [[nodiscard]] Look : public detail::WaitBase {
 public:
  Look(Rank& me, DoneRequests& at, Seconds deadline_s)
      : WaitBase(me), at_(at), deadline_s_(deadline_s) {}
  bool await_ready() const { return core().waits().start_look(rank(), at_, deadline_s_); }
  void await_resume() const {}

 private:
  DoneRequests& at_;
  Seconds deadline_s_;
};

// Waits for one or two requests, which are charged in the given order.
class [[nodiscard]] WaitSequence : public detail::WaitBase {
 public:
  WaitSequence(Rank& me, Request only) : WaitBase(me), requests_{only, {}}, count_(1) {}
  WaitSequence(Rank& me, Request first, Request second)
      : WaitBase(me), requests_{first, second}, count_(2) {}
  bool await_ready() const { return start_wait_all({requests_, count_}); }
  void await_resume() const {
    for (std::size_t i = 0; i < count_; ++i) core().finish_wait_all(rank(), {requests_ + i, 1});
  }

 private:
  Request requests_[2];
  std::size_t count_;
};

// GCC would call these and sendrecv in large units, which takes 60 instructions per message.
[[gnu::always_inline]] inline Request Rank::start_send(const SendArgs& args, SendKind kind) {
  if (view_ == nullptr) return core_->isend(world_id_, args.to, args.tag, args.data, kind);
  return core_->isend(world_id_, view_->world(args.to), view_->world_tag(args.tag),
                      view_->world(args.data), kind);
}
[[gnu::always_inline]] inline Request Rank::irecv(const RecvArgs& args) {
  if (view_ == nullptr) return core_->irecv(world_id_, args.from, args.tag, args.data);
  TUTTI_CHECK(args.tag != any_tag, "messages of other views may match a receive of any tag");
  return core_->irecv(world_id_, view_->world(args.from), view_->world_tag(args.tag),
                      view_->world(args.data));
}

inline WaitSequence Rank::wait(Request request) { return {*this, request}; }
inline WaitAll Rank::wait_all(std::span<const Request> requests) { return {*this, requests}; }
inline WaitExchange Rank::exchange(const ExchangeArgs& args) { return {*this, args}; }
inline WaitInOrder Rank::wait_in_order(std::span<const Request> requests) {
  return {*this, requests};
}
inline WaitAny Rank::wait_any(std::span<const Request> requests) { return {*this, requests}; }
inline Look Rank::look(DoneRequests& at, Seconds deadline_s) {
  TUTTI_CHECK(strand_ == nullptr, "a rank that watches requests runs one program");
  return {*this, at, deadline_s};
}
inline WaitAnyMessage Rank::wait_any_message(std::span<const Request> requests) {
  return {*this, requests};
}

inline WaitSequence Rank::hardware(const HardwareCall& call) {
  HardwareCall in_the_job = call;
  in_the_job.send = in_job(call.send);
  in_the_job.recv = in_job(call.recv);
  TUTTI_CHECK(view_ == nullptr || view_->size() == core_->size(),
              "a hardware collective must include all ranks of the job");
  if (view_ != nullptr) in_the_job.root = view_->world(call.root);
  return wait(core_->join_hardware(world_id_, in_the_job));
}

inline WaitSequence Rank::send(const SendArgs& args) { return wait(begin_send(args)); }
inline WaitSequence Rank::recv(const RecvArgs& args) { return wait(irecv(args)); }
[[gnu::always_inline]] inline WaitSequence Rank::sendrecv(const SendrecvArgs& args) {
  const Request received = irecv({.from = args.from, .tag = args.tag, .data = args.recv});
  const Request sent = begin_send({.to = args.to, .tag = args.tag, .data = args.send});
  return {*this, sent, received};
}

}  // namespace tutti::runtime
