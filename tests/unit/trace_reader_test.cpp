// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "tests/support/files.hpp"
#include "tests/support/synthetic_traces.hpp"
#include "tests/support/traces.hpp"
#include "workloads/traces/otf2_reader.hpp"

namespace {

using namespace tutti;
using namespace tutti::tests;
using namespace tutti::workloads::traces;
using P = SyntheticProgram;
using K = EventKind;

std::vector<Event> all_events(const Trace& trace, TraceRank rank) {
  std::vector<Event> events(trace.events.count(rank));
  const auto cursor = trace.events.cursor(rank);
  for (std::size_t got = 0; got < events.size();)
    got += cursor->read(std::span(events).subspan(got));
  return events;
}

bool is_same(const Event& a, const Event& b) {
  return a.time == b.time && a.bytes == b.bytes && a.request == b.request && a.id == b.id &&
         a.comm == b.comm && a.tag == b.tag && a.kind == b.kind && a.op == b.op;
}

// The number of events that differ from those that were written from `first` on.
std::size_t differences(const Trace& trace, const RankEvents& written) {
  std::size_t wrong = 0;
  for (TraceRank rank = 0; rank < written.size(); ++rank) {
    const auto events = all_events(trace, rank);
    REQUIRE(events.size() == written[rank].size());
    for (std::size_t i = 0; i < events.size(); ++i) {
      Event expected = written[rank][i];
      expected.time -= trace.first;
      wrong += !is_same(events[i], expected);
    }
  }
  return wrong;
}

Event event(K kind, Ticks time, std::uint32_t id = workloads::traces::none) {
  Event made;
  made.time = time;
  made.kind = kind;
  made.id = id;
  return made;
}

Event message(K kind, Ticks time, TraceRank peer, std::uint32_t comm) {
  Event made = event(kind, time, peer);
  made.comm = comm;
  made.tag = 5;
  made.bytes = 64;
  if (kind == K::isend || kind == K::irecv) made.request = 77;
  return made;
}

Event collective(Ticks time, CollectiveOp op, std::uint32_t root, std::uint32_t comm) {
  Event made = event(K::collective_end, time, root);
  made.comm = comm;
  made.op = op;
  made.sent_bytes = 12;
  made.bytes = 34;
  return made;
}

struct Read {
  TemporaryFolder folder;
  Result<Trace> trace;
  explicit Read(const TraceDefinitions& definitions, const RankEvents& events)
      : trace(read_otf2(write_trace(folder.path(), definitions, events))) {
    REQUIRE(trace);
  }
  const Trace* operator->() const { return &trace.value(); }
};

}  // namespace

TEST_CASE("written events are read back, from memory and from a file") {
  for (const P program : {P::lbcoll, P::lbp2p, P::halo, P::xns, P::rooted, P::sweep})
    for (const std::size_t limit : {std::size_t{0}, std::size_t{1} << 30}) {
      CAPTURE(static_cast<int>(program));
      CAPTURE(limit);
      const SyntheticTrace of{.program = program, .ranks = 8, .iterations = 4};
      const TemporaryFolder folder;
      const auto trace = read_otf2(write_trace(folder.path(), of), limit);
      REQUIRE(trace);
      CHECK(trace->first == 1000);
      CHECK(trace->notes == std::vector<std::string>{});
      CHECK(trace->definitions.ticks_per_s == 1e9);
      CHECK(trace->definitions.creator == "synth");
      CHECK(trace->definitions.ranks == definitions_of(of).ranks);
      CHECK(trace->definitions.communicators[0].members.size() == 8);
      CHECK(differences(*trace, events_of(of)) == 0);
    }
}

TEST_CASE("the folder of an archive represents its anchor file") {
  const TemporaryFolder folder;
  write_trace(folder.path(), {.iterations = 1});
  CHECK(read_otf2(folder.path()));
  std::filesystem::rename(folder.file("traces.otf2"), folder.file("eztrace_log.otf2"));
  std::filesystem::rename(folder.file("traces.def"), folder.file("eztrace_log.def"));
  std::filesystem::rename(folder.file("traces"), folder.file("eztrace_log"));
  CHECK(read_otf2(folder.path()));
}

TEST_CASE("regions are MPI regions by their paradigm or name") {
  TraceDefinitions definitions = definitions_of({});
  definitions.regions.push_back({"MPI_Win_fence", false});
  definitions.regions.push_back({"user", false});
  const Read read(definitions, RankEvents(4));
  const auto& regions = read->definitions.regions;
  CHECK_FALSE(regions[0].is_mpi);
  CHECK(regions[3].is_mpi);
  CHECK(regions[14].is_mpi);
  CHECK_FALSE(regions[15].is_mpi);
}

TEST_CASE("regions of one name are one region") {
  TraceDefinitions definitions = definitions_of({});
  definitions.regions.push_back({"foo", false});
  const Read read(definitions, {{event(K::enter, 1, 1), event(K::leave, 2, 14),
                                 event(K::enter, 3, 14), event(K::leave, 4, 14)},
                                {},
                                {},
                                {}});
  CHECK(read->definitions.regions.size() == 14);
  for (const Event& each : all_events(*read.trace, 0)) CHECK(each.id == 1);
  CHECK(read->notes == std::vector<std::string>{});
}

TEST_CASE("peers and roots are ranks of the trace, for any communicator") {
  TraceDefinitions definitions = definitions_of({});
  definitions.communicators.push_back({"odd", {3, 1}});
  definitions.communicators.push_back({"self", {}});
  const RankEvents events = {
      {message(K::isend, 1, 2, 0), event(K::request_test, 2), event(K::request_cancelled, 3)},
      {message(K::send, 2, 3, 1), message(K::recv, 3, 3, 1), message(K::send, 4, 1, 2),
       collective(5, CollectiveOp::reduce, 3, 1), collective(6, CollectiveOp::bcast, 1, 2),
       collective(7, CollectiveOp::reduce_scatter_block, workloads::traces::none, 0)},
      {message(K::irecv, 2, 0, 0)},
      {message(K::recv, 3, 1, 1)}};
  const Read read(definitions, events);
  CHECK(read->first == 1);
  CHECK(differences(*read.trace, events) == 0);
  CHECK(read->definitions.communicators[1].members == std::vector<TraceRank>{3, 1});
  CHECK(read->definitions.communicators[2].members.empty());
}

TEST_CASE("missing definitions are reported, and apply to all ranks") {
  const RankEvents events = {
      {event(K::enter, 1, 99), message(K::send, 2, 3, 7), event(K::leave, 3, 99)},
      {},
      {},
      {message(K::recv, 4, 0, 7)}};
  const Read read(definitions_of({}), events);
  CHECK(read->definitions.regions.back().name == "region 99");
  CHECK(read->definitions.communicators.back().name == "communicator 7");
  CHECK(read->definitions.communicators.back().members == std::vector<TraceRank>{0, 1, 2, 3});
  CHECK(all_events(*read.trace, 0)[1].id == 3);
  CHECK(read->notes == std::vector<std::string>{
                           "region 99 is not defined",
                           "communicator 7 is not defined: it is assumed to contain all ranks"});
}

TEST_CASE("messages to ranks outside the communicator are omitted") {
  TraceDefinitions definitions = definitions_of({});
  definitions.communicators.push_back({"pair", {0, 1}});
  // 2 is not a member: the writer counts it as one beyond the last.
  const Read read(definitions, {{message(K::send, 1, 2, 1)}, {}, {}, {}});
  CHECK(all_events(*read.trace, 0)[0].kind == K::other);
  REQUIRE(read->notes.size() == 1);
  CHECK(mentions(read->notes[0], "rank 0 addresses ranks that the communicator does not have"));
  CHECK(mentions(read->notes[0], "'pair'"));
}

TEST_CASE("regions that are open at the end are ended at the last event") {
  const Read read(definitions_of({}),
                  {{event(K::enter, 1, 0), event(K::enter, 2, 1), event(K::other, 9)}, {}, {}, {}});
  const auto events = all_events(*read.trace, 0);
  REQUIRE(events.size() == 4);  // without the last one of the archive, which is passive
  CHECK(is_same(events[2], event(K::leave, 8, 1)));
  CHECK(is_same(events[3], event(K::leave, 8, 0)));
  CHECK(read->notes ==
        std::vector<std::string>{
            "rank 0 is still in a region at the end, which is ended at the last event: 'foo'",
            "rank 0 is still in a region at the end, which is ended at the last event: 'main'"});
}

TEST_CASE("a leave from an outer region ends the inner ones, whose own leaves are ignored") {
  const Read read(definitions_of({}), {{event(K::enter, 1, 0), event(K::enter, 2, 1),
                                        event(K::leave, 3, 0), event(K::leave, 4, 1)},
                                       {},
                                       {},
                                       {}});
  const auto events = all_events(*read.trace, 0);
  REQUIRE(events.size() == 4);
  CHECK(is_same(events[2], event(K::leave, 2, 1)));
  CHECK(is_same(events[3], event(K::leave, 2, 0)));
  CHECK(read->notes ==
        std::vector<std::string>{
            "rank 0 leaves a region before its inner regions, which are ended first: 'main'",
            "rank 0 leaves a region that it is not in (ignored): 'foo'"});
}

TEST_CASE("notes are counted and limited") {
  std::vector<Event> events;
  for (int i = 0; i < 3; ++i) events.push_back(event(K::leave, i, 1));
  for (std::uint32_t i = 0; i < 200; ++i) events.push_back(event(K::leave, 5, 1000 + i));
  const Read read(definitions_of({}), {events, {}, {}, {}});
  CHECK(read->notes.size() == 51);
  CHECK(read->notes[0] == "rank 0 leaves a region that it is not in (ignored): 'foo' (3 times)");
  CHECK(mentions(read->notes.back(), "more notes are omitted"));
}

TEST_CASE("a file that is not a trace is reported with a hint") {
  const TemporaryFolder folder;
  write_trace(folder.file("good"), {.iterations = 1});
  const auto error = [](const std::string& path) {
    const auto trace = read_otf2(path);
    REQUIRE_FALSE(trace);
    CHECK(trace.error().kind == ErrorKind::input);
    CHECK(trace.error().place == path);
    CHECK_FALSE(trace.error().hint.empty());
    return trace.error().message;
  };
  CHECK(error(folder.file("none.otf2")) == "no such file");
  CHECK(error(folder.path()) == "the folder contains no trace");
  CHECK(error("/dev/null") == "not a regular file");
  CHECK(error(folder.file("good/traces.def")) == "this file is only a part of a trace");
  CHECK(mentions(error(folder.write("text.otf2", "hello")), "cannot be read as an OTF2 archive"));
  CHECK(mentions(error(folder.write("empty.otf2", "")), "cannot be read as an OTF2 archive"));
}

TEST_CASE("the error of a missing file names the file") {
  for (const char* name : {"traces/2.evt", "traces.def"}) {
    const TemporaryFolder folder;
    const std::string path = write_trace(folder.path(), {.iterations = 1});
    std::filesystem::remove(folder.file(name));
    const auto trace = read_otf2(path);
    REQUIRE_FALSE(trace);
    CHECK(trace.error().kind == ErrorKind::input);
    CHECK(trace.error().place == (name[6] == '/' ? folder.file(name) : path));
    CHECK(mentions(trace.error().message, "cannot be read"));
    CHECK(mentions(trace.error().message, "does not exist"));
  }
}

TEST_CASE("local definitions may be missing") {
  const TemporaryFolder folder;
  const std::string path = write_trace(folder.path(), {.iterations = 1});
  for (const char* name : {"traces/0.def", "traces/1.def", "traces/2.def", "traces/3.def"})
    std::filesystem::remove(folder.file(name));
  CHECK(read_otf2(path));
}

TEST_CASE("a full disk is a separate kind of error") {
  const TemporaryFolder folder;
  const std::string path = write_trace(folder.path(), {.iterations = 1});
  const char* before = std::getenv("TMPDIR");
  const std::string kept = before != nullptr ? before : "/tmp";
  ::setenv("TMPDIR", "/nowhere/at/all", 1);
  const auto trace = read_otf2(path, 0);
  ::setenv("TMPDIR", kept.c_str(), 1);
  REQUIRE_FALSE(trace);
  CHECK(trace.error().kind == ErrorKind::io);
  CHECK(mentions(trace.error().hint, "TMPDIR"));
}

TEST_CASE("a Score-P trace with sub-communicators and nonblocking messages is read") {
  const std::string path = shared_trace("real/sst");
  if (path.empty()) return;
  const auto trace = read_otf2(path);
  REQUIRE(trace);
  CHECK(trace->notes == std::vector<std::string>{});
  CHECK(trace->definitions.creator == "Score-P 2.0.2");
  CHECK(trace->definitions.ranks.size() == 10);
  CHECK(trace->definitions.ranks[3] == "MPI Rank 3");
  CHECK(trace->events.count() == 22180);
  CHECK(trace->first == 3971700851802709);
  const auto& communicators = trace->definitions.communicators;
  REQUIRE(communicators.size() == 8);
  CHECK(communicators[0].name == "MPI_COMM_WORLD");
  CHECK(communicators[0].members == std::vector<TraceRank>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  CHECK(communicators[1].members.size() == 2);
  CHECK(communicators[5].name == "MPI_COMM_SELF");
  CHECK(communicators[5].members.empty());
}
