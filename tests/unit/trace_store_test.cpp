// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <array>
#include <cstdlib>
#include <system_error>

#include "tests/support/files.hpp"
#include "workloads/traces/trace.hpp"

namespace {

using namespace tutti::workloads::traces;

constexpr std::size_t plenty = std::size_t{1} << 30;
constexpr std::array<std::size_t, 4> counts = {20000, 0, 1, 70000};  // of ranks 0, 1, 2, 4

Event numbered(TraceRank rank, std::size_t number) {
  Event event;
  event.time = static_cast<Ticks>(1000 + number);
  event.bytes = number * 3;
  event.request = number * 7;
  event.id = rank;
  event.tag = static_cast<std::uint32_t>(number % 11);
  event.kind = EventKind::isend;
  return event;
}

// Rank 4 first, rank 3 not at all: ranks may be written in any order.
EventStore filled(std::size_t most_in_memory_bytes) {
  EventStore store(most_in_memory_bytes);
  for (const TraceRank rank : {4, 0, 1, 2}) {
    store.begin(rank);
    for (std::size_t i = 0; i < counts[std::min<TraceRank>(rank, 3)]; ++i)
      store.append(numbered(rank, i));
  }
  store.finish();
  store.start_at(1000);
  return store;
}

// Checks the whole stream of a rank, read with buffers of this size.
void check_stream(const EventStore& store, TraceRank rank, std::size_t count,
                  std::size_t buffer_size) {
  CAPTURE(rank);
  CAPTURE(buffer_size);
  CHECK(store.count(rank) == count);
  const auto cursor = store.cursor(rank);
  std::vector<Event> buffer(buffer_size);
  std::size_t number = 0, wrong = 0;
  while (const std::size_t got = cursor->read(buffer)) {
    REQUIRE(got <= buffer_size);
    for (std::size_t i = 0; i < got; ++i, ++number) {
      const Event expected = numbered(rank, number);
      wrong += buffer[i].time != expected.time - 1000 || buffer[i].bytes != expected.bytes ||
               buffer[i].request != expected.request || buffer[i].id != expected.id ||
               buffer[i].tag != expected.tag || buffer[i].kind != expected.kind;
    }
  }
  CHECK(number == count);
  CHECK(wrong == 0);
  CHECK(cursor->read(buffer) == 0);
}

void check_all(const EventStore& store) {
  CHECK(store.count() == 90001);
  for (const std::size_t buffer : {1, 409, 410, 100000})
    for (const TraceRank rank : {0, 1, 2, 4})
      check_stream(store, rank, counts[std::min<TraceRank>(rank, 3)], buffer);
  check_stream(store, 3, 0, 10);
  check_stream(store, 99, 0, 10);
}

std::size_t resident_kib() {
  const std::string status = tutti::tests::read_file("/proc/self/status");
  return std::stoul(status.substr(status.find("VmRSS:") + 6));
}

}  // namespace

TEST_CASE("events are read back from memory as they were written") { check_all(filled(plenty)); }

TEST_CASE("events are read back from a file as they were written") {
  for (const std::size_t limit : {std::size_t{0}, 16384 * sizeof(Event), std::size_t{2000000}})
    check_all(filled(limit));
}

TEST_CASE("a moved store keeps its events, and cursors are independent") {
  for (const std::size_t limit : {std::size_t{0}, plenty}) {
    EventStore store = filled(limit);
    const auto first = store.cursor(0);
    std::array<Event, 100> buffer;
    REQUIRE(first->read(buffer) == 100);
    const EventStore moved = std::move(store);
    check_stream(moved, 0, counts[0], 77);
    REQUIRE(first->read(std::span(buffer).first(1)) == 1);
    CHECK(buffer[0].bytes == 300);
  }
}

TEST_CASE("ranks may be shifted by different amounts") {
  for (const std::size_t limit : {std::size_t{0}, plenty}) {
    EventStore store = filled(limit);
    store.correct({{{{0, -5}}}, {}, {{{0, 70}}}});
    Event event;
    REQUIRE(store.cursor(0)->read({&event, 1}) == 1);
    CHECK(event.time == -5);
    REQUIRE(store.cursor(2)->read({&event, 1}) == 1);
    CHECK(event.time == 70);
    check_stream(store, 4, counts[3], 100);
  }
}

TEST_CASE("an empty store has no events") {
  for (const std::size_t limit : {std::size_t{0}, plenty}) {
    EventStore store(limit);
    store.finish();
    CHECK(store.count() == 0);
    check_stream(store, 0, 0, 5);
  }
}

TEST_CASE("beyond the limit memory does not grow with the events") {
  EventStore store(0);
  store.begin(0);
  for (std::size_t i = 0; i < 20000; ++i) store.append(numbered(0, i));
  const std::size_t before = resident_kib();
  for (std::size_t i = 20000; i < 1000000; ++i) store.append(numbered(0, i));
  store.finish();
  store.start_at(1000);
  CHECK(resident_kib() < before + 2000);
  check_stream(store, 0, 1000000, 64);
  CHECK(resident_kib() < before + 2000);
}

TEST_CASE("a folder for temporary files that is not writable is a system exception") {
  const std::string before = std::getenv("TMPDIR") != nullptr ? std::getenv("TMPDIR") : "";
  ::setenv("TMPDIR", "/nowhere/at/all", 1);
  CHECK_THROWS_AS(filled(0), std::system_error);
  if (before.empty())
    ::unsetenv("TMPDIR");
  else
    ::setenv("TMPDIR", before.c_str(), 1);
}

TEST_CASE("fields of events are read back, for any subset of set fields") {
  for (const std::size_t limit : {std::size_t{0}, plenty}) {
    EventStore store(limit);
    std::vector<Event> events(4096);
    for (std::size_t i = 0; i < events.size(); ++i) {  // each bit: whether a field is set
      Event& each = events[i];
      each.time = static_cast<Ticks>(i);
      if (i & 1) each.bytes = i;
      if (i & 2) each.request = i;
      if (i & 4) each.comm = 0;
      if (i & 8) each.tag = 7;
      if (i & 16) each.id = 0;
      each.kind = static_cast<EventKind>(i % 13);
      each.op = static_cast<CollectiveOp>(i % 18);
    }
    store.begin(0);
    for (const Event& each : events) store.append(each);
    store.finish();
    std::vector<Event> read(events.size());
    REQUIRE(store.cursor(0)->read(read) == events.size());
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < events.size(); ++i)
      wrong += read[i].time != events[i].time || read[i].bytes != events[i].bytes ||
               read[i].request != events[i].request || read[i].comm != events[i].comm ||
               read[i].tag != events[i].tag || read[i].id != events[i].id ||
               read[i].kind != events[i].kind || read[i].op != events[i].op;
    CHECK(wrong == 0);
  }
}
