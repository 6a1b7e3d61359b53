// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/applications/traced_rank.hpp"

#include <stdexcept>

#include "algorithms/selection/decision.hpp"

namespace tutti::workloads::applications {
namespace {

using runtime::Task;
using traces::CollectiveOp;
using traces::Event;
using traces::EventKind;

constexpr std::uint32_t world = 0;  // the only communicator

struct TracedCollective {
  std::string_view name;
  Region region;
  CollectiveOp op;
};
constexpr std::array traced_collectives = {
    TracedCollective{"allreduce", Region::allreduce, CollectiveOp::allreduce},
    TracedCollective{"barrier", Region::barrier, CollectiveOp::barrier},
    TracedCollective{"bcast", Region::bcast, CollectiveOp::bcast},
    TracedCollective{"reduce", Region::reduce, CollectiveOp::reduce}};

// The bytes that Score-P counts for a rank (collective_bytes.hpp).
struct TotalBytes {
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
};
TotalBytes total_bytes(CollectiveOp op, std::uint64_t bytes, std::uint64_t ranks, bool is_root) {
  switch (op) {
    case CollectiveOp::bcast:
      return {is_root ? bytes * ranks : 0, bytes};
    case CollectiveOp::reduce:
      return {bytes, is_root ? bytes * ranks : 0};
    case CollectiveOp::allreduce:
      return {bytes * ranks, bytes * ranks};
    default:
      return {};
  }
}

Event event_of(EventKind kind, std::uint32_t id = traces::none) {
  Event event;
  event.kind = kind;
  event.id = id;
  return event;
}

Event message_event(EventKind kind, const TracedRank::Message& message) {
  Event event = event_of(kind, static_cast<std::uint32_t>(message.peer));
  event.bytes = static_cast<std::uint64_t>(message.bytes);
  event.comm = world;
  event.tag = message.tag;
  return event;
}

const TracedCollective& traced_collective(std::string_view name) {
  return *std::ranges::find(traced_collectives, name, &TracedCollective::name);
}

// The end of a collective of `ranks` ranks on rank `rank`.
Event collective_end(const TracedRank::Collective& call, runtime::RankId rank,
                     runtime::RankId ranks) {
  const bool is_rooted = algorithms::find_collective(call.name)->rooted;
  Event event = event_of(EventKind::collective_end,
                         is_rooted ? static_cast<std::uint32_t>(call.root) : traces::none);
  event.op = traced_collective(call.name).op;
  event.comm = world;
  const auto bytes = total_bytes(event.op, static_cast<std::uint64_t>(call.bytes),
                                 static_cast<std::uint64_t>(ranks), rank == call.root);
  event.bytes = bytes.received;
  event.sent_bytes = bytes.sent;
  return event;
}

}  // namespace

Recording::Recording(int ranks) : events_(static_cast<std::size_t>(ranks)) {
  numbers_.fill(traces::none);
  definitions_.creator = "Tutti";
  auto& members = definitions_.communicators.emplace_back("MPI_COMM_WORLD").members;
  for (int rank = 0; rank < ranks; ++rank) {
    definitions_.ranks.push_back(fmt::format("MPI Rank {}", rank));
    members.push_back(static_cast<traces::TraceRank>(rank));
  }
}

std::uint32_t Recording::number_of(Region region) {
  std::uint32_t& number = numbers_[static_cast<std::size_t>(region)];
  if (number != traces::none) return number;
  const std::string name(region_names[static_cast<std::size_t>(region)]);
  number = static_cast<std::uint32_t>(definitions_.regions.size());
  definitions_.regions.push_back({name, name.starts_with("MPI_")});
  return number;
}

traces::Trace Recording::take() {
  traces::Trace trace;
  trace.definitions = std::move(definitions_);
  trace.events = events_.take();
  return trace;
}

void TracedRank::record(Event event) {
  event.time = now();
  recording_.add(id(), event);
}

void TracedRank::enter(Region region) {
  if (is_in_main_) me_.compute(rules_.gap_s);
  is_in_main_ = true;
  record(event_of(EventKind::enter, recording_.number_of(region)));
}

void TracedRank::leave(Region region) {
  record(event_of(EventKind::leave, recording_.number_of(region)));
}

void TracedRank::run(Region region, Seconds time_s) {
  enter(region);
  compute(time_s);
  leave(region);
}

void TracedRank::record_send(EventKind kind, const Message& message, std::uint64_t request) {
  Event event = message_event(kind, message);
  event.request = request;
  record(event);
  ++recording_.messages;
  if (message.bytes == 0) ++recording_.empty_messages;
}

Task TracedRank::send(Message message) {
  const Region region = rules_.is_synchronous ? Region::ssend : Region::send;
  enter(region);
  record_send(EventKind::send, message);
  const runtime::SendArgs args{.to = message.peer,
                               .tag = static_cast<std::int32_t>(message.tag),
                               .data = {.bytes = message.bytes}};
  // Not inside the co_await, where GCC 12 evaluates both operands of ?:.
  const auto request = rules_.is_synchronous ? me_.issend(args) : me_.begin_send(args);
  co_await me_.wait(request);
  leave(region);
}

Task TracedRank::recv(Message message) {
  enter(Region::recv);
  co_await me_.recv({.from = message.peer,
                     .tag = static_cast<std::int32_t>(message.tag),
                     .data = {.bytes = message.bytes}});
  record(message_event(EventKind::recv, message));
  leave(Region::recv);
}

void TracedRank::isend(Message message) {
  const Region region = rules_.is_synchronous ? Region::issend : Region::isend;
  enter(region);
  const std::uint64_t number = ++requests_;
  record_send(EventKind::isend, message, number);
  const runtime::SendArgs args{.to = message.peer,
                               .tag = static_cast<std::int32_t>(message.tag),
                               .data = {.bytes = message.bytes}};
  const auto request = rules_.is_synchronous ? me_.issend(args) : me_.isend(args);
  pending_.push_back({request, message, number, true});
  leave(region);
}

void TracedRank::irecv(Message message) {
  enter(Region::irecv);
  const std::uint64_t number = ++requests_;
  Event event = event_of(EventKind::irecv_request);
  event.request = number;
  record(event);
  const auto request = me_.irecv({.from = message.peer,
                                  .tag = static_cast<std::int32_t>(message.tag),
                                  .data = {.bytes = message.bytes}});
  pending_.push_back({request, message, number, false});
  leave(Region::irecv);
}

Task TracedRank::waitall() {
  enter(Region::waitall);
  std::vector<runtime::Request> requests;
  for (const Pending& pending : pending_) requests.push_back(pending.request);
  co_await me_.wait_all(requests);
  for (const Pending& pending : pending_) {
    Event event = pending.is_send ? event_of(EventKind::isend_complete)
                                  : message_event(EventKind::irecv, pending.message);
    event.request = pending.number;
    record(event);
  }
  pending_.clear();
  leave(Region::waitall);
}

Task TracedRank::call(Collective call) {
  const Region region = traced_collective(call.name).region;
  enter(region);
  record(event_of(EventKind::collective_begin));
  co_await run_collective(call);
  record(collective_end(call, id(), size()));
  leave(region);
}

Task TracedRank::run_collective(const Collective& call) {
  algorithms::CollectiveArgs args{.message_bytes = call.bytes, .root = call.root};
  args.selection = rules_.selection.get();
  const auto decided = algorithms::selection::decided(call.name, size(), args);
  const auto& algorithm = *decided.algorithm;
  if (algorithm.runs != nullptr && !algorithm.runs({.procs = size(), .call = decided.args}))
    throw std::runtime_error(
        fmt::format("{} cannot run {} among {}: it needs {}", algorithm.name, call.name,
                    counted(static_cast<std::size_t>(size()), "process"), algorithm.restriction));
  return algorithm.program(me_, decided.args);
}

}  // namespace tutti::workloads::applications
