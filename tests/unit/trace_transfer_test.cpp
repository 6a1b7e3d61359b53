// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <random>
#include <system_error>

#include "sim/base/result.hpp"
#include "workloads/traces/otf2_child.hpp"

namespace {

using namespace tutti;
using namespace tutti::workloads::traces;
using K = EventKind;

constexpr std::uint32_t nobody = workloads::traces::none;

TraceDefinitions small_definitions() {
  return {.ticks_per_s = 1e6,
          .ranks = {"rank 0", "the other"},
          .regions = {{"main", false}, {"MPI_Send", true}},
          .communicators = {{"world", {0, 1}}, {"self", {}}},
          .creator = "hand"};
}

Event event(K kind, Ticks time, std::uint32_t id, std::uint32_t comm = nobody) {
  Event made;
  made.time = time;
  made.kind = kind;
  made.id = id;
  made.comm = comm;
  return made;
}

// Rank 1 is written first.
Trace with_events(const std::vector<Event>& events) {
  Trace trace{.definitions = small_definitions(), .events = EventStore(), .notes = {"odd", ""}};
  trace.events.begin(1);
  trace.events.append(event(K::enter, 100, 1));
  trace.events.begin(0);
  for (const Event& each : events) trace.events.append(each);
  trace.events.finish();
  trace.first = 100;
  return trace;
}

std::vector<Event> sound_events() {
  return {event(K::send, 110, 1, 0), event(K::collective_end, 120, nobody, 1),
          event(K::other, 130, nobody)};
}

bool is_taken(Trace trace) { return take_over(hand_over(std::move(trace))).has_value(); }

}  // namespace

TEST_CASE("a transferred trace is unchanged") {
  const auto taken = take_over(hand_over(with_events(sound_events())));
  REQUIRE(taken);
  REQUIRE(*taken);
  const Trace& trace = **taken;
  CHECK(trace.first == 100);
  CHECK(trace.notes == std::vector<std::string>{"odd", ""});
  CHECK(trace.definitions.ticks_per_s == 1e6);
  CHECK(trace.definitions.creator == "hand");
  CHECK(trace.definitions.ranks == small_definitions().ranks);
  REQUIRE(trace.definitions.regions.size() == 2);
  CHECK(trace.definitions.regions[1].name == "MPI_Send");
  CHECK(trace.definitions.regions[1].is_mpi);
  REQUIRE(trace.definitions.communicators.size() == 2);
  CHECK(trace.definitions.communicators[0].members == std::vector<TraceRank>{0, 1});
  CHECK(trace.events.count() == 4);
  CHECK(trace.events.count(1) == 1);
  std::vector<Event> events(9);
  REQUIRE(trace.events.cursor(0)->read(events) == 3);
  CHECK(events[0].kind == K::send);
  CHECK(events[0].time == 10);
}

TEST_CASE("a trace without events has no event file") {
  Trace trace{.definitions = small_definitions(), .events = EventStore(), .notes = {}};
  trace.events.finish();
  Transfer transfer = hand_over(std::move(trace));
  CHECK_FALSE(transfer.events);
  const auto taken = take_over(std::move(transfer));
  REQUIRE(taken);
  CHECK((*taken)->events.count() == 0);
}

TEST_CASE("events that contradict the description are rejected") {
  const std::vector<Event> reported = {event(K::enter, 110, 1), event(K::leave, 130, 1)};
  const std::vector<Event> others[] = {
      {event(K::enter, 110, 2), event(K::leave, 130, 1)},   // no such region
      {event(K::enter, 110, 1), event(K::leave, 140, 1)},   // later than the last
      {event(K::enter, 120, 1), event(K::leave, 110, 1)},   // back in time
      {event(K::leave, 110, 1), event(K::enter, 130, 1)}};  // left before it is entered
  for (const auto& events : others) {
    Transfer mixed = hand_over(with_events(reported));
    mixed.events = hand_over(with_events(events)).events;
    const auto taken = take_over(std::move(mixed));
    REQUIRE(taken);
    std::vector<Event> read(9);
    CHECK_THROWS_AS((*taken)->events.cursor(0)->read(read), std::system_error);
  }
}

TEST_CASE("transferred errors are unchanged") {
  const Error first{ErrorKind::io, "here", 3, 4, "what", "try", "line"};
  const auto taken =
      take_over(hand_over(std::vector{first, make_error(ErrorKind::input, "there", "why")}));
  REQUIRE(taken);
  REQUIRE_FALSE(*taken);
  REQUIRE(taken->errors().size() == 2);
  const Error& error = taken->error();
  CHECK(error.kind == ErrorKind::io);
  CHECK(error.place == "here");
  CHECK(error.line == 3);
  CHECK(error.column == 4);
  CHECK(error.message == "what");
  CHECK(error.hint == "try");
  CHECK(error.source == "line");
  CHECK(taken->errors()[1].message == "why");
}

TEST_CASE("events that refer to missing definitions, or precede the first, are rejected") {
  CHECK(is_taken(with_events(sound_events())));
  Event unknown_kind = event(K::other, 110, 0), unknown_op = event(K::collective_end, 110, 0, 0);
  unknown_kind.kind = static_cast<K>(13);
  unknown_op.op = static_cast<CollectiveOp>(18);
  for (const Event& wrong :
       {event(K::enter, 110, 2), event(K::leave, 110, nobody), event(K::recv, 110, 2, 0),
        event(K::isend, 110, nobody, 0), event(K::irecv, 110, 0, 2), event(K::send, 110, 0),
        event(K::collective_end, 110, 2, 0), event(K::collective_end, 110, 0, 2),
        event(K::other, 110, 2, 0), event(K::other, 110, 0, 2), event(K::other, 99, nobody),
        event(K::other, (Ticks{1} << 62) + 1, nobody), unknown_kind, unknown_op}) {
    CAPTURE(static_cast<int>(wrong.kind));
    CAPTURE(wrong.id);
    CHECK_FALSE(is_taken(with_events({wrong})));
  }
}

TEST_CASE("communicator members that are not ranks, and a clock of zero resolution, are rejected") {
  Trace trace = with_events(sound_events());
  trace.definitions.communicators[0].members = {0, 2};
  CHECK_FALSE(is_taken(std::move(trace)));
  trace = with_events(sound_events());
  trace.definitions.ticks_per_s = 0;
  CHECK_FALSE(is_taken(std::move(trace)));
}

TEST_CASE("an event file that is missing or has another size is rejected") {
  Transfer transfer = hand_over(with_events(sound_events()));
  transfer.events.reset();
  CHECK_FALSE(take_over(std::move(transfer)));
  transfer = hand_over(with_events(sound_events()));
  transfer.events->append("x", 1);
  CHECK_FALSE(take_over(std::move(transfer)));
}

TEST_CASE("bytes truncated anywhere are rejected, and so are additional ones") {
  const std::string whole = hand_over(with_events(sound_events())).bytes;
  for (std::size_t size = 0; size <= whole.size() + 1; ++size) {
    if (size == whole.size()) continue;
    Transfer transfer = hand_over(with_events(sound_events()));
    transfer.bytes.resize(size);
    CAPTURE(size);
    CHECK_FALSE(take_over(std::move(transfer)));
  }
}

TEST_CASE("changed bytes never give a reference to a missing definition") {
  std::mt19937_64 random(3);
  std::vector<Event> buffer(10);
  for (int i = 0; i < 3000; ++i) {
    Transfer transfer = hand_over(with_events(sound_events()));
    transfer.bytes[random() % transfer.bytes.size()] = static_cast<char>(random());
    const auto taken = take_over(std::move(transfer));
    if (!taken || !*taken) continue;
    const Trace& trace = **taken;
    CHECK(trace.events.count() == 4);
    CHECK(trace.definitions.regions.size() == 2);
    try {
      for (TraceRank rank = 0; rank < 2; ++rank) trace.events.cursor(rank)->read(buffer);
    } catch (const std::system_error&) {  // the bounds no longer cover the events
    }
  }
}
