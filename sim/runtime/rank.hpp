// SPDX-License-Identifier: BSD-3-Clause
// What a rank program sees: itself, the others, messages, local work. No engine, no SimGrid.
//
//   Task ping_pong(Rank& me) {
//     if (me.id() == 0) co_await me.send({.to = 1, .data = {.bytes = 8}});
//     if (me.id() == 1) co_await me.recv({.from = 0, .data = {.bytes = 8}});
//   }
//
// Semantics are MPI's: messages from one rank with one tag are received in the order of their
// sends; a standard-mode send may wait for its receive (and does so above the eager limit). isend,
// irecv, compute, copy, combine return at once and advance the rank's own clock.
#pragma once

#include <functional>
#include <span>

#include "sim/runtime/protocol_core.hpp"
#include "sim/runtime/task.hpp"
#include "sim/runtime/types.hpp"

namespace tutti::runtime {

struct SendArgs {
  RankId to = 0;
  std::int32_t tag = 0;
  Slice data;
};
struct RecvArgs {
  RankId from = any_source;
  std::int32_t tag = 0;
  Slice data;  // room for at least the message
};
struct SendrecvArgs {
  RankId to = 0;
  Slice send;
  RankId from = 0;
  Slice recv;
  std::int32_t tag = 0;
};

// Awaiters: suspend the rank until requests are done. See ProtocolCore for what they charge.
class WaitAll;
class WaitAny;
class WaitSequence;

class Rank {
 public:
  Rank(ProtocolCore& core, RankId id) : core_(&core), id_(id) {}

  RankId id() const { return id_; }
  RankId size() const { return core_->size(); }
  // The rank's own clock (MPI_Wtime): 0 when the job starts.
  Seconds now() const { return core_->clock(id_); }

  Request isend(const SendArgs& args) {
    return core_->isend(id_, args.to, args.tag, args.data, ProtocolCore::SendKind::immediate);
  }
  Request irecv(const RecvArgs& args) { return core_->irecv(id_, args.from, args.tag, args.data); }

  // Waits for one request and frees it.
  WaitSequence wait(Request request);
  // Waits for all of them and frees them; receives are charged in order of arrival. The span must
  // stay alive until the await ends.
  WaitAll wait_all(std::span<const Request> requests);
  // Waits until one is done, frees that one and yields its index in `requests`. The earliest to
  // complete; of several at one time that with the smallest (source, tag).
  WaitAny wait_any(std::span<const Request> requests);

  WaitSequence send(const SendArgs& args);
  WaitSequence recv(const RecvArgs& args);
  // As Open MPI's coll_base_sendrecv: irecv, blocking send, wait for the receive.
  WaitSequence sendrecv(const SendrecvArgs& args);

  // Local work of a given duration.
  void compute(Seconds duration_s) { core_->compute(id_, duration_s); }
  // into := into (op) from, element by element; costs bytes over the combine bandwidth.
  void combine(Slice into, Slice from) { core_->combine(id_, into, from); }
  // into := from; costs bytes over the copy bandwidth.
  void copy(Slice into, Slice from) { core_->copy(id_, into, from); }

 private:
  ProtocolCore* core_;
  RankId id_;
};

// The same program for all ranks; called once per rank.
using Program = std::function<Task(Rank&)>;

namespace detail {
// What all awaiters share: park the coroutine, and hand it back to the trampoline when woken.
class WaitBase {
 public:
  WaitBase(ProtocolCore& core, RankId rank) : core_(&core), rank_(rank) {}
  void await_suspend(Task::Handle self) const { core_->park(rank_, self); }

 protected:
  ProtocolCore* core_;
  RankId rank_;
};
}  // namespace detail

class [[nodiscard]] WaitAll : public detail::WaitBase {
 public:
  WaitAll(ProtocolCore& core, RankId rank, std::span<const Request> requests)
      : WaitBase(core, rank), requests_(requests) {}
  bool await_ready() const { return core_->start_wait_all(rank_, requests_); }
  void await_resume() const { core_->finish_wait_all(rank_, requests_); }

 private:
  std::span<const Request> requests_;
};

class [[nodiscard]] WaitAny : public detail::WaitBase {
 public:
  WaitAny(ProtocolCore& core, RankId rank, std::span<const Request> requests)
      : WaitBase(core, rank), requests_(requests) {}
  bool await_ready() const { return core_->start_wait_any(rank_, requests_); }
  std::size_t await_resume() const { return core_->finish_wait_any(rank_, requests_); }

 private:
  std::span<const Request> requests_;
};

// One or two requests, charged one after the other in the order given.
class [[nodiscard]] WaitSequence : public detail::WaitBase {
 public:
  WaitSequence(ProtocolCore& core, RankId rank, Request only)
      : WaitBase(core, rank), requests_{only, {}}, count_(1) {}
  WaitSequence(ProtocolCore& core, RankId rank, Request first, Request second)
      : WaitBase(core, rank), requests_{first, second}, count_(2) {}
  bool await_ready() const { return core_->start_wait_all(rank_, {requests_, count_}); }
  void await_resume() const {
    for (std::size_t i = 0; i < count_; ++i) core_->finish_wait_all(rank_, {requests_ + i, 1});
  }

 private:
  Request requests_[2];
  std::size_t count_;
};

inline WaitSequence Rank::wait(Request request) { return {*core_, id_, request}; }
inline WaitAll Rank::wait_all(std::span<const Request> requests) { return {*core_, id_, requests}; }
inline WaitAny Rank::wait_any(std::span<const Request> requests) { return {*core_, id_, requests}; }

inline WaitSequence Rank::send(const SendArgs& args) {
  return {*core_, id_,
          core_->isend(id_, args.to, args.tag, args.data, ProtocolCore::SendKind::blocking)};
}
inline WaitSequence Rank::recv(const RecvArgs& args) {
  return {*core_, id_, core_->irecv(id_, args.from, args.tag, args.data)};
}
inline WaitSequence Rank::sendrecv(const SendrecvArgs& args) {
  const Request received = core_->irecv(id_, args.from, args.tag, args.recv);
  const Request sent =
      core_->isend(id_, args.to, args.tag, args.send, ProtocolCore::SendKind::blocking);
  return {*core_, id_, sent, received};
}

}  // namespace tutti::runtime
