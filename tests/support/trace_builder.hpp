// SPDX-License-Identifier: BSD-3-Clause
// Small traces in memory, event by event; ticks are nanoseconds.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "workloads/traces/trace.hpp"

namespace tutti::tests {

class TraceBuilder {
 public:
  using Event = workloads::traces::Event;
  using EventKind = workloads::traces::EventKind;
  using CollectiveOp = workloads::traces::CollectiveOp;
  using Ticks = workloads::traces::Ticks;

  explicit TraceBuilder(int ranks) : events_(static_cast<std::size_t>(ranks)) {
    for (int i = 0; i < ranks; ++i) definitions_.ranks.push_back("MPI Rank " + std::to_string(i));
    workloads::traces::TraceCommunicator world{"MPI_COMM_WORLD", {}};
    for (int i = 0; i < ranks; ++i) world.members.push_back(static_cast<std::uint32_t>(i));
    definitions_.communicators.push_back(world);
  }

  std::uint32_t communicator(const std::string& name, std::vector<std::uint32_t> members) {
    definitions_.communicators.push_back({name, std::move(members)});
    return static_cast<std::uint32_t>(definitions_.communicators.size() - 1);
  }

  // A window of all ranks, as a communicator; a group of ranks for its epochs.
  std::uint32_t window() {
    const auto kind = workloads::traces::TraceCommunicator::Kind::window;
    definitions_.communicators.push_back(
        {"window", definitions_.communicators.front().members, kind});
    return static_cast<std::uint32_t>(definitions_.communicators.size() - 1);
  }
  std::uint32_t group(std::vector<std::uint32_t> members) {
    definitions_.groups.push_back(std::move(members));
    return static_cast<std::uint32_t>(definitions_.groups.size() - 1);
  }

  // The creator of a trace determines the meaning of its byte counts.
  void creator(const std::string& name) { definitions_.creator = name; }

  void enter(int rank, const std::string& region, Ticks time) {
    add(rank, of_region(EventKind::enter, time, region));
  }
  void leave(int rank, const std::string& region, Ticks time) {
    add(rank, of_region(EventKind::leave, time, region));
  }
  void region(int rank, const std::string& name, Ticks from, Ticks to) {
    enter(rank, name, from);
    leave(rank, name, to);
  }

  struct Message {
    int peer = 0;
    std::uint64_t bytes = 8;
    std::uint32_t tag = 0;
    std::uint32_t comm = 0;
  };
  void send(int rank, Ticks from, Ticks to, const Message& message) {
    call(rank, "MPI_Send", from, to, {of(EventKind::send, from, message)});
  }
  void recv(int rank, Ticks from, Ticks to, const Message& message) {
    call(rank, "MPI_Recv", from, to, {of(EventKind::recv, to, message)});
  }
  void isend(int rank, Ticks from, Ticks to, const Message& message, std::uint64_t request) {
    call(rank, "MPI_Isend", from, to, {with(request, of(EventKind::isend, from, message))});
  }
  void irecv(int rank, Ticks from, Ticks to, std::uint64_t request) {
    call(rank, "MPI_Irecv", from, to, {with(request, of(EventKind::irecv_request, from))});
  }
  // The operations that complete in a call, each with its request; for a receive the message, for a
  // send no message.
  struct Completion {
    std::uint64_t request;
    const Message* message = nullptr;
  };
  void wait(int rank, const std::string& name, Ticks from, Ticks to,
            const std::vector<Completion>& completions) {
    std::vector<Event> inside;
    for (const auto& each : completions)
      inside.push_back(with(each.request, each.message == nullptr
                                              ? of(EventKind::isend_complete, to)
                                              : of(EventKind::irecv, to, *each.message)));
    call(rank, name, from, to, inside);
  }

  struct Collective {
    CollectiveOp op = CollectiveOp::barrier;
    std::uint32_t root = workloads::traces::none;
    std::uint64_t sent = 0;
    std::uint64_t received = 0;
    std::uint32_t comm = 0;
  };
  void collective(int rank, const std::string& name, Ticks from, Ticks to, const Collective& what) {
    Event end = of(EventKind::collective_end, to);
    end.bytes = what.received;
    end.id = what.root;
    end.comm = what.comm;
    end.op = what.op;
    end.sent_bytes = what.sent;
    call(rank, name, from, to, {of(EventKind::collective_begin, from), end});
  }

  void call(int rank, const std::string& name, Ticks from, Ticks to,
            const std::vector<Event>& inside) {
    enter(rank, name, from);
    for (const auto& each : inside) add(rank, each);
    leave(rank, name, to);
  }

  workloads::traces::Trace trace() const {
    workloads::traces::Trace trace;
    trace.definitions = definitions_;
    for (std::size_t rank = 0; rank < events_.size(); ++rank) {
      trace.events.begin(static_cast<std::uint32_t>(rank));
      for (const auto& event : events_[rank]) trace.events.append(event);
    }
    trace.events.finish();
    return trace;
  }

  const std::vector<std::vector<Event>>& events() const { return events_; }

 private:
  static Event of(EventKind kind, Ticks time) {
    Event event;
    event.time = time;
    event.kind = kind;
    return event;
  }
  static Event of(EventKind kind, Ticks time, const Message& message) {
    Event event = of(kind, time);
    event.bytes = message.bytes;
    event.id = static_cast<std::uint32_t>(message.peer);
    event.comm = message.comm;
    event.tag = message.tag;
    return event;
  }
  Event of_region(EventKind kind, Ticks time, const std::string& region) {
    Event event = of(kind, time);
    event.id = id_of(region);
    return event;
  }
  static Event with(std::uint64_t request, Event event) {
    event.request = request;
    return event;
  }
  void add(int rank, const Event& event) {
    events_[static_cast<std::size_t>(rank)].push_back(event);
  }
  std::uint32_t id_of(const std::string& region) {
    const auto [found, is_new] =
        regions_.try_emplace(region, static_cast<std::uint32_t>(regions_.size()));
    if (is_new) definitions_.regions.push_back({region, region.starts_with("MPI_")});
    return found->second;
  }

  workloads::traces::TraceDefinitions definitions_;
  std::map<std::string, std::uint32_t> regions_;
  std::vector<std::vector<Event>> events_;
};

}  // namespace tutti::tests
