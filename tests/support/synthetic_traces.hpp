// SPDX-License-Identifier: BSD-3-Clause
// Traces of small MPI programs under a timing rule that is known exactly, in ns. Calls begin 500
// after what is before them. A send takes o; its message is there o + L + size * G after its begin.
// A receive ends at max(begin, message) + o, a wait for all at max(begin, all messages) + o. An
// allreduce and a barrier end C after the last begin; bcast: the root's after o, the others' C
// after their own begin or the root's; reduce: the root's C after the last begin, the others' after
// o.
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

#include "tests/support/trace_writer.hpp"

namespace tutti::tests {

enum class SyntheticProgram {
  lbcoll,  // foo takes longer on higher ranks; bar; allreduce
  lbp2p,   // in fours: 1 and 3 compute twice as long as 0 and 2; four messages
  halo,    // as lbcoll, but with messages to both neighbours on a ring, not blocking
  xns,     // as lbcoll, but a message to all, most of them empty
  rooted,  // as lbcoll, but bcast from one after the other, reduce to 0, barrier
  shift,   // a message to the next rank, then bar, and an allreduce
  sweep    // sweeps over a grid of ranks from its four corners in turn, in blocks; allreduce
};

struct SyntheticTrace {
  SyntheticProgram program = SyntheticProgram::lbcoll;
  std::uint32_t ranks = 4;
  int iterations = 100;
  bool is_balanced = false;        // foo takes the mean of the ranks everywhere
  bool cut_empty = false;          // xns: without messages of 0 bytes
  bool sizes_follow_load = false;  // lbp2p: a byte for each us that foo takes
  // shift: how the calls are made; `early` receives wait after bar, `late` sends do.
  enum class Shift { together, send_recv, recv_send, early, late } shift = Shift::together;
  std::uint64_t noise_seed = 0;     // not 0: each foo takes up to 200 us more
  int blocks = 4;                   // sweep: per sweep
  std::uint64_t sweep_bytes = 512;  // sweep: of each message
};

namespace detail {

namespace traces = workloads::traces;
using traces::CollectiveOp;
using traces::Ticks;

constexpr Ticks o = 1000, L = 2000, G = 1, C = 20000, gap = 500;
constexpr std::uint64_t message_bytes = 8;

inline TraceDefinitions synthetic_definitions(std::uint32_t ranks) {
  TraceDefinitions made;
  made.creator = "synth";
  for (const char* name :
       {"main", "foo", "bar", "MPI_Send", "MPI_Recv", "MPI_Isend", "MPI_Irecv", "MPI_Waitall",
        "MPI_Allreduce", "MPI_Barrier", "MPI_Bcast", "MPI_Reduce", "MPI_Init", "MPI_Finalize"})
    made.regions.push_back({name, std::string(name).starts_with("MPI_")});
  made.communicators = {{"MPI_COMM_WORLD", std::vector<TraceRank>(ranks)}};
  std::iota(made.communicators[0].members.begin(), made.communicators[0].members.end(), 0);
  for (std::uint32_t rank = 0; rank < ranks; ++rank)
    made.ranks.push_back("MPI Rank " + std::to_string(rank));
  return made;
}

enum Region : std::uint32_t {
  in_main,
  in_foo,
  in_bar,
  in_send,
  in_recv,
  in_isend,
  in_irecv,
  in_waitall,
  in_allreduce,
  in_barrier,
  in_bcast,
  in_reduce,
  in_sendrecv = 14  // of `shift` alone
};

struct Call {
  std::uint32_t region = 0;
  TraceRank peer = traces::none;  // or root
  TraceRank from = traces::none;  // sendrecv: whom it receives from
  std::uint32_t tag = 0;
  std::uint64_t bytes = 0;
  Ticks takes = 0;  // computing
};

// Who calls what.
class CallLists {
 public:
  explicit CallLists(const SyntheticTrace& of) : of_(of), noise_(of.noise_seed), lists_(of.ranks) {
    for (int i = 0; i < of.iterations; ++i)
      for (rank_ = 0; rank_ < of.ranks; ++rank_) iteration(i);
  }
  std::vector<std::vector<Call>> take() { return std::move(lists_); }

 private:
  using P = SyntheticProgram;

  void add(const Call& call) { lists_[rank_].push_back(call); }
  void send_load(TraceRank to, std::uint32_t tag) {
    send(to, tag, of_.sizes_follow_load ? static_cast<std::uint64_t>(load_ / 1000) : message_bytes);
  }
  void send(TraceRank to, std::uint32_t tag, std::uint64_t bytes = message_bytes) {
    add({.region = in_send, .peer = to, .tag = tag, .bytes = bytes});
  }
  void recv(TraceRank from, std::uint32_t tag) {
    add({.region = in_recv, .peer = from, .tag = tag});
  }

  void iteration(int i) {
    if (of_.program == P::sweep) return sweeps();
    load_ = foo();
    add({.region = in_foo, .takes = load_});
    if (of_.program == P::shift) return shift();
    add({.region = in_bar, .takes = 300000});
    if (of_.program == P::lbcoll) add({.region = in_allreduce});
    if (of_.program == P::lbp2p) fours();
    if (of_.program == P::halo) ring();
    if (of_.program == P::xns) all_pairs();
    if (of_.program != P::rooted) return;
    add({.region = in_bcast, .peer = static_cast<std::uint32_t>(i) % of_.ranks});
    add({.region = in_reduce, .peer = 0});
    add({.region = in_barrier});
  }

  Ticks foo() {
    const Ticks least = 1000000;
    const Ticks noise = of_.noise_seed == 0 ? 0 : static_cast<Ticks>(noise_() % 200001);
    if (of_.program == P::lbp2p)
      return noise + (of_.is_balanced ? 1500000 : least * (1 + rank_ % 2));
    const Ticks step = 100000;
    return noise + least + (of_.is_balanced ? step * (of_.ranks - 1) / 2 : step * rank_);
  }

  void fours() {
    const TraceRank base = rank_ - rank_ % 4;
    switch (rank_ % 4) {
      case 0:
        send_load(base + 2, 1), recv(base + 1, 2);
        break;
      case 1:
        send_load(base + 3, 1), send_load(base, 2);
        break;
      case 2:
        recv(base, 1), recv(base + 3, 2);
        break;
      default:
        recv(base + 1, 1), send_load(base + 2, 2);
    }
  }

  // The last one sends to nobody, the first one receives from nobody.
  void shift() {
    using S = SyntheticTrace::Shift;
    const S how = of_.shift;
    const bool sends = rank_ + 1 < of_.ranks, receives = rank_ > 0;
    if (how == S::together)
      add({.region = in_sendrecv,
           .peer = sends ? rank_ + 1 : traces::none,
           .from = receives ? rank_ - 1 : traces::none,
           .tag = 1,
           .bytes = 1000});
    if (sends && (how == S::send_recv || how == S::early)) send(rank_ + 1, 1, 1000);
    if (how == S::late && sends)
      add({.region = in_isend, .peer = rank_ + 1, .tag = 1, .bytes = 1000});
    if (how == S::early && receives) add({.region = in_irecv, .peer = rank_ - 1, .tag = 1});
    if (receives && how != S::together && how != S::early) recv(rank_ - 1, 1);
    if (sends && how == S::recv_send) send(rank_ + 1, 1, 1000);
    add({.region = in_bar, .takes = 300000});
    if ((how == S::early && receives) || (how == S::late && sends)) add({.region = in_waitall});
    add({.region = in_allreduce});
  }

  void ring() {
    const TraceRank right = (rank_ + 1) % of_.ranks, left = (rank_ + of_.ranks - 1) % of_.ranks;
    add({.region = in_irecv, .peer = left, .tag = 1});
    add({.region = in_irecv, .peer = right, .tag = 2});
    add({.region = in_isend, .peer = right, .tag = 1, .bytes = message_bytes});
    add({.region = in_isend, .peer = left, .tag = 2, .bytes = message_bytes});
    add({.region = in_waitall});
  }

  void all_pairs() {
    const std::uint32_t ranks = of_.ranks;
    for (std::uint32_t away = 1; away < ranks; ++away) {
      const bool is_near = away <= 2 || away + 2 >= ranks;
      if (!is_near && of_.cut_empty) continue;
      send((rank_ + away) % ranks, 3, is_near ? message_bytes : 0);
      recv((rank_ + ranks - away) % ranks, 3);
    }
  }

  void sweeps() {
    int width = 1;
    while (static_cast<std::uint32_t>((width + 1) * (width + 1)) <= of_.ranks) ++width;
    while (of_.ranks % static_cast<std::uint32_t>(width) != 0) --width;
    const int height = static_cast<int>(of_.ranks) / width;
    const int x = static_cast<int>(rank_) % width, y = static_cast<int>(rank_) / width;
    const auto is_there = [&](int i, int j) { return i >= 0 && i < width && j >= 0 && j < height; };
    const auto at = [&](int i, int j) { return static_cast<TraceRank>(j * width + i); };
    for (const auto& [dx, dy] : {std::pair{1, 1}, {-1, 1}, {1, -1}, {-1, -1}})
      for (int block = 0; block < of_.blocks; ++block) {
        if (is_there(x - dx, y)) recv(at(x - dx, y), 1);
        if (is_there(x, y - dy)) recv(at(x, y - dy), 2);
        add({.region = in_foo, .takes = foo() / 10});
        if (is_there(x + dx, y)) send(at(x + dx, y), 1, of_.sweep_bytes);
        if (is_there(x, y + dy)) send(at(x, y + dy), 2, of_.sweep_bytes);
      }
    add({.region = in_allreduce});
  }

  const SyntheticTrace& of_;
  std::mt19937_64 noise_;
  TraceRank rank_ = 0;
  Ticks load_ = 0;
  std::vector<std::vector<Call>> lists_;
};

// Plays the calls of all ranks under the timing rule.
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
    bool has_entered = false;  // the collective that is next
    bool has_sent = false;     // of the MPI_Sendrecv that is next
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

  // False: it cannot end yet.
  bool play(TraceRank rank) {
    Rank& me = ranks_[rank];
    const Call& call = calls_[rank][me.next];
    const Ticks begin = me.now + gap;
    bool is_over = true;
    switch (call.region) {
      case in_foo:
      case in_bar:
        add(rank, EventKind::enter, begin, call.region);
        add(rank, EventKind::leave, begin + call.takes, call.region);
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

  // The call's message leaves when it begins, though it is played again until it ends.
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

  // Of programs with one open receive for each channel.
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

  // -1: others are not there yet.
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
// Times from the clock's zero on: the first one is 1000.
inline RankEvents events_of(const SyntheticTrace& of) {
  return detail::Playing(detail::CallLists(of).take()).events();
}
// Not in an archive; the times are those of events_of.
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
// The path of its anchor file.
inline std::string write_trace(const std::string& folder, const SyntheticTrace& of) {
  return write_trace(folder, definitions_of(of), events_of(of));
}

}  // namespace tutti::tests
