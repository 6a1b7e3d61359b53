// SPDX-License-Identifier: BSD-3-Clause
// Traces of small MPI programs under an exactly known timing rule, in ns. Calls begin 500 after the
// preceding one. A send takes o; its message arrives o + L + size * G after its begin. A receive
// ends at max(begin, message) + o, a wait for all at max(begin, all messages) + o. An allreduce and
// a barrier end C after the last begin; bcast: the root's ends after o, the others' C after the
// later of their own and the root's begin; reduce: the root's ends C after the last begin, the
// others' after o.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/support/synthetic_programs.hpp"
#include "tests/support/trace_writer.hpp"

namespace tutti::tests {
namespace detail {

// Executes the calls of all ranks under the timing rule.
class Playing {
 public:
  explicit Playing(std::vector<std::vector<Call>> calls)
      : calls_(std::move(calls)), ranks_(calls_.size()), events_(calls_.size()) {}

  RankEvents events() {
    for (TraceRank rank = 0; rank < ranks_.size(); ++rank)
      add(rank, EventKind::enter, 1000, in_main);
    for (bool moved = true; moved;) {
      moved = false;
      for (TraceRank rank = 0; rank < ranks_.size(); ++rank)
        while (ranks_[rank].next < calls_[rank].size() && play(rank)) moved = true;
    }
    for (TraceRank rank = 0; rank < ranks_.size(); ++rank) {
      REQUIRE(ranks_[rank].next == calls_[rank].size());
      add(rank, EventKind::leave, ranks_[rank].now + gap, in_main);
    }
    return std::move(events_);
  }

 private:
  struct Message {
    Ticks there = 0;
    std::uint64_t bytes = 0;
  };
  struct Request {
    std::uint64_t id = 0;
    bool is_receive = false;
    TraceRank peer = 0;
    std::uint32_t tag = 0;
  };
  struct Rank {
    Ticks now = 1000;
    std::size_t next = 0;
    std::size_t collectives = 0;
    bool has_entered = false;  // the next collective
    bool has_sent = false;     // of the next MPI_Sendrecv
    std::uint64_t requests = 0;
    std::vector<Request> open;
  };
  struct Collective {
    std::uint32_t entered = 0;
    Ticks last = 0;
    Ticks root = -1;
  };
  using Channel = std::tuple<TraceRank, TraceRank, std::uint32_t>;  // from, to, tag

  Event& add(TraceRank rank, EventKind kind, Ticks time, std::uint32_t id = traces::none) {
    Event event;
    event.time = time;
    event.kind = kind;
    event.id = id;
    events_[rank].push_back(event);
    ranks_[rank].now = time;
    return events_[rank].back();
  }
  Event& add_message(TraceRank rank, EventKind kind, Ticks time, TraceRank peer, std::uint32_t tag,
                     std::uint64_t bytes, std::uint64_t request = 0) {
    Event& event = add(rank, kind, time, peer);
    event.comm = 0;
    event.tag = tag;
    event.bytes = bytes;
    event.request = request;
    return event;
  }

  // Returns false if the call cannot end yet.
  bool play(TraceRank rank) {
    Rank& me = ranks_[rank];
    const Call& call = calls_[rank][me.next];
    const Ticks begin = me.now + gap;
    bool is_over = true;
    switch (call.region) {
      case in_foo:
      case in_bar:
        add(rank, EventKind::enter, begin, call.region);
        add(rank, EventKind::leave, begin + call.duration, call.region);
        break;
      case in_send:
        send(rank, call, begin);
        break;
      case in_isend:
        isend(rank, call, begin);
        break;
      case in_irecv:
        irecv(rank, call, begin);
        break;
      case in_recv:
        is_over = recv(rank, call, begin);
        break;
      case in_sendrecv:
        is_over = sendrecv(rank, call, begin);
        break;
      case in_waitall:
        is_over = wait_all(rank, begin);
        break;
      default:
        is_over = collective(rank, call, begin);
    }
    if (is_over) ++me.next;
    return is_over;
  }

  void deliver(TraceRank rank, const Call& call, Ticks begin) {
    messages_[{rank, call.peer, call.tag}].push_back(
        {begin + o + L + static_cast<Ticks>(call.bytes) * G, call.bytes});
  }

  void send(TraceRank rank, const Call& call, Ticks begin) {
    deliver(rank, call, begin);
    add(rank, EventKind::enter, begin, in_send);
    add_message(rank, EventKind::send, begin, call.peer, call.tag, call.bytes);
    add(rank, EventKind::leave, begin + o, in_send);
  }

  void isend(TraceRank rank, const Call& call, Ticks begin) {
    deliver(rank, call, begin);
    const std::uint64_t id = ++ranks_[rank].requests;
    ranks_[rank].open.push_back({.id = id});
    add(rank, EventKind::enter, begin, in_isend);
    add_message(rank, EventKind::isend, begin, call.peer, call.tag, call.bytes, id);
    add(rank, EventKind::leave, begin + o, in_isend);
  }

  void irecv(TraceRank rank, const Call& call, Ticks begin) {
    const std::uint64_t id = ++ranks_[rank].requests;
    ranks_[rank].open.push_back({id, true, call.peer, call.tag});
    add(rank, EventKind::enter, begin, in_irecv);
    add(rank, EventKind::irecv_request, begin + o).request = id;
    add(rank, EventKind::leave, begin + o, in_irecv);
  }

  bool recv(TraceRank rank, const Call& call, Ticks begin) {
    auto& channel = messages_[{call.peer, rank, call.tag}];
    if (channel.empty()) return false;
    const Message message = channel.front();
    channel.pop_front();
    const Ticks end = std::max(begin, message.there) + o;
    add(rank, EventKind::enter, begin, in_recv);
    add_message(rank, EventKind::recv, end, call.peer, call.tag, message.bytes);
    add(rank, EventKind::leave, end, in_recv);
    return true;
  }

  // The call's message leaves at its first begin, although the call is retried until it ends.
  bool sendrecv(TraceRank rank, const Call& call, Ticks begin) {
    Rank& me = ranks_[rank];
    if (call.peer != traces::none && !std::exchange(me.has_sent, true)) deliver(rank, call, begin);
    auto& channel = messages_[{call.from, rank, call.tag}];
    const bool receives = call.from != traces::none;
    if (receives && channel.empty()) return false;
    const Ticks end = std::max(begin, receives ? channel.front().there : 0) + o;
    me.has_sent = false;
    add(rank, EventKind::enter, begin, in_sendrecv);
    if (call.peer != traces::none)
      add_message(rank, EventKind::send, begin, call.peer, call.tag, call.bytes);
    if (receives) {
      add_message(rank, EventKind::recv, end, call.from, call.tag, channel.front().bytes);
      channel.pop_front();
    }
    add(rank, EventKind::leave, end, in_sendrecv);
    return true;
  }

  // For programs with one open receive per channel.
  bool wait_all(TraceRank rank, Ticks begin) {
    Ticks end = begin;
    for (const Request& each : ranks_[rank].open) {
      if (!each.is_receive) continue;
      const auto& channel = messages_[{each.peer, rank, each.tag}];
      if (channel.empty()) return false;
      end = std::max(end, channel.front().there);
    }
    end += o;
    add(rank, EventKind::enter, begin, in_waitall);
    for (const Request& each : ranks_[rank].open) {
      if (!each.is_receive) {
        add(rank, EventKind::isend_complete, end).request = each.id;
        continue;
      }
      auto& channel = messages_[{each.peer, rank, each.tag}];
      add_message(rank, EventKind::irecv, end, each.peer, each.tag, channel.front().bytes, each.id);
      channel.pop_front();
    }
    ranks_[rank].open.clear();
    add(rank, EventKind::leave, end, in_waitall);
    return true;
  }

  bool collective(TraceRank rank, const Call& call, Ticks begin) {
    Rank& me = ranks_[rank];
    if (me.collectives == collectives_.size()) collectives_.emplace_back();
    Collective& all = collectives_[me.collectives];
    const bool is_root = call.peer == rank;
    if (!me.has_entered) {
      ++all.entered;
      all.last = std::max(all.last, begin);
      if (is_root) all.root = begin;
      me.has_entered = true;
    }
    const Ticks end = collective_end(call.region, is_root, all, begin);
    if (end < 0) return false;
    add(rank, EventKind::enter, begin, call.region);
    add(rank, EventKind::collective_begin, begin);
    collective_event(rank, call, is_root, end);
    add(rank, EventKind::leave, end, call.region);
    ++me.collectives;
    me.has_entered = false;
    return true;
  }

  // -1 if other ranks have not arrived yet.
  Ticks collective_end(std::uint32_t region, bool is_root, const Collective& all,
                       Ticks begin) const {
    const bool are_all_there = all.entered == ranks_.size();
    if (region == in_bcast && !is_root) return all.root < 0 ? -1 : std::max(begin, all.root) + C;
    if (region == in_bcast || (region == in_reduce && !is_root)) return begin + o;
    return are_all_there ? all.last + C : -1;
  }

  // Bytes as Score-P counts them.
  void collective_event(TraceRank rank, const Call& call, bool is_root, Ticks end) {
    const std::uint64_t m = message_bytes, all = m * ranks_.size();
    Event& event = add(rank, EventKind::collective_end, end, call.peer);
    event.comm = 0;
    switch (call.region) {
      case in_bcast:
        event.op = CollectiveOp::bcast;
        event.sent_bytes = is_root ? all : 0;
        event.bytes = m;
        break;
      case in_reduce:
        event.op = CollectiveOp::reduce;
        event.sent_bytes = m;
        event.bytes = is_root ? all : 0;
        break;
      case in_allreduce:
        event.op = CollectiveOp::allreduce;
        event.sent_bytes = event.bytes = all;
        break;
      default:
        event.op = CollectiveOp::barrier;
    }
  }

  std::vector<std::vector<Call>> calls_;
  std::vector<Rank> ranks_;
  RankEvents events_;
  std::map<Channel, std::deque<Message>> messages_;
  std::vector<Collective> collectives_;
};

}  // namespace detail

inline TraceDefinitions definitions_of(const SyntheticTrace& of) {
  auto definitions = detail::synthetic_definitions(of.ranks);
  if (of.program == SyntheticProgram::shift) definitions.regions.push_back({"MPI_Sendrecv", true});
  return definitions;
}
// Times relative to the clock's zero; the first one is 1000.
inline RankEvents events_of(const SyntheticTrace& of) {
  return detail::Playing(detail::CallLists(of).take()).events();
}
// In memory instead of in an archive; the times are those of events_of.
inline workloads::traces::Trace trace_in_memory(const SyntheticTrace& of) {
  workloads::traces::Trace trace;
  trace.definitions = definitions_of(of);
  const RankEvents events = events_of(of);
  for (TraceRank rank = 0; rank < events.size(); ++rank) {
    trace.events.begin(rank);
    for (const Event& event : events[rank]) trace.events.append(event);
  }
  trace.events.finish();
  return trace;
}
// Returns the path of its anchor file.
inline std::string write_trace(const std::string& folder, const SyntheticTrace& of) {
  return write_trace(folder, definitions_of(of), events_of(of));
}

}  // namespace tutti::tests
