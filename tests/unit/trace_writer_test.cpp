// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "tests/support/covering.hpp"
#include "tests/support/files.hpp"
#include "tests/support/synthetic_traces.hpp"
#include "tests/support/traces.hpp"
#include "workloads/traces/otf2_new.hpp"
#include "workloads/traces/otf2_output.hpp"
#include "workloads/traces/otf2_reader.hpp"
#include "workloads/traces/otf2_writer.hpp"

namespace {

using namespace tutti;
using namespace tutti::tests;
using namespace tutti::workloads::traces;
using P = SyntheticProgram;

// The trace's own times, or modified ones.
class Replayed : public NewTimes {
 public:
  explicit Replayed(const Trace& trace) : trace_(trace) {}
  Ticks first() const override { return trace_.first; }
  At next(TraceRank rank) override {
    if (!cursor_ || rank != rank_) {
      if (cursor_) finish();
      cursor_ = trace_.events.cursor(rank);
      rank_ = rank;
    }
    Event event;
    REQUIRE(cursor_->read({&event, 1}) == 1);
    ++requested_;
    return change(event);
  }
  // Requires that all events were requested.
  void finish() {
    Event event;
    CHECK(cursor_->read({&event, 1}) == 0);
  }
  std::uint64_t requested() const { return requested_; }

 protected:
  virtual At change(const Event& event) { return {event.time, true}; }

 private:
  const Trace& trace_;
  std::unique_ptr<EventCursor> cursor_;
  TraceRank rank_ = 0;
  std::uint64_t requested_ = 0;
};

// Writes the archive again unchanged; returns its anchor file.
std::string copy(const std::string& from, const TemporaryFolder& folder) {
  const auto trace = read_otf2(from);
  REQUIRE(trace);
  Replayed times(*trace);
  const std::string to = folder.file("copy");
  const auto error = rewrite_otf2(from, to, times);
  REQUIRE_MESSAGE(!error, error->message);
  times.finish();
  CHECK(times.requested() == trace->events.count());
  return to + "/traces.otf2";
}

void check_copy(const std::string& from) {
  CAPTURE(from);
  const TemporaryFolder folder;
  const std::string to = copy(from, folder);
  if (!has_otf2_print()) return;
  const PrintedTrace before = printed(from), after = printed(to);
  CHECK(after.definitions == before.definitions);
  CHECK(after.events == before.events);
}

}  // namespace

TEST_CASE("a generated trace with its own times is written unchanged") {
  for (const P program : {P::lbcoll, P::lbp2p, P::halo, P::xns, P::rooted, P::sweep}) {
    const TemporaryFolder folder;
    const std::uint32_t ranks = program == P::lbp2p ? 4 : 6;
    check_copy(write_trace(folder.path(), {.program = program, .ranks = ranks, .iterations = 5}));
  }
}

TEST_CASE("given traces with their own times are written unchanged") {
  for (const char* name : {"lbcoll", "lbp2p", "halo", "xns", "rooted"})
    for (const char* ranks : {"-4", "-16"}) {
      // otf2-print takes seconds for each of the larger ones.
      if (ranks == std::string("-16") && name != std::string("halo") && !full_products()) continue;
      const std::string path = shared_trace("synthetic/" + std::string(name) + ranks);
      if (!path.empty()) check_copy(path + "/traces.otf2");
    }
  for (const char* name : {"real/sst", "real/pipit-ping-pong"}) {
    const std::string path = shared_trace(name);
    if (!path.empty()) check_copy(path + "/traces.otf2");
  }
}

namespace {

// Removes foo, and shifts later events to the left.
class WithoutFoo : public Replayed {
 public:
  using Replayed::Replayed;

 protected:
  At change(const Event& event) override {
    if (event.kind == EventKind::enter && event.id == 0) moved_ = 0;
    const bool is_foo =
        event.id == 1 && (event.kind == EventKind::enter || event.kind == EventKind::leave);
    if (is_foo) moved_ += event.kind == EventKind::enter ? event.time : -event.time;
    return {event.time + moved_, !is_foo};
  }

 private:
  Ticks moved_ = 0;
};

// A rank, its second thread and a location of metrics, with events of many kinds.
std::string write_kinds(const std::string& folder) {
  auto output = Otf2Output::open(folder);
  REQUIRE(output);
  OTF2_Archive_SetProperty(output->archive(), "OTF2::MPI_COMMUNICATION_COMPLETE", "true", true);
  OTF2_AttributeList* attributes = OTF2_AttributeList_New();
  OTF2_EvtWriter* to = output->next_location(5).value();
  OTF2_EvtWriter_ProgramBegin(to, nullptr, 100, 1, 0, nullptr);
  OTF2_AttributeList_AddUint32(attributes, 0, 42);
  OTF2_EvtWriter_Enter(to, attributes, 110, 0);
  OTF2_EvtWriter_MeasurementOnOff(to, nullptr, 120, OTF2_MEASUREMENT_OFF);
  OTF2_EvtWriter_BufferFlush(to, nullptr, 121, 130);
  OTF2_EvtWriter_ParameterString(to, nullptr, 140, 0, 1);
  OTF2_EvtWriter_ParameterInt(to, nullptr, 141, 0, -7);
  OTF2_EvtWriter_ThreadFork(to, nullptr, 150, OTF2_PARADIGM_OPENMP, 2);
  OTF2_EvtWriter_ThreadJoin(to, nullptr, 160, OTF2_PARADIGM_OPENMP);
  OTF2_EvtWriter_RmaPut(to, nullptr, 170, 0, 0, 64, 3);
  OTF2_EvtWriter_IoSeek(to, nullptr, 180, 0, 5, OTF2_IO_SEEK_FROM_START, 5);
  OTF2_EvtWriter_IoOperationBegin(to, nullptr, 181, 0, OTF2_IO_OPERATION_MODE_READ,
                                  OTF2_IO_OPERATION_FLAG_NONE, 10, 1);
  OTF2_EvtWriter_NonBlockingCollectiveRequest(to, nullptr, 190, 9);
  OTF2_EvtWriter_NonBlockingCollectiveComplete(to, nullptr, 191, OTF2_COLLECTIVE_OP_BARRIER, 0,
                                               OTF2_COLLECTIVE_ROOT_NONE, 0, 0, 9);
  OTF2_AttributeList_AddUint32(attributes, 0, 43);
  OTF2_EvtWriter_Leave(to, attributes, 200, 0);
  OTF2_EvtWriter_ProgramEnd(to, nullptr, 210, 0);
  to = output->next_location(6).value();
  OTF2_EvtWriter_Enter(to, nullptr, 105, 0);
  OTF2_EvtWriter_ThreadTaskCreate(to, nullptr, 155, 0, 1, 4);
  OTF2_EvtWriter_Leave(to, nullptr, 205, 0);
  to = output->next_location(7).value();
  const OTF2_Type type = OTF2_TYPE_UINT64;
  OTF2_MetricValue value{};
  value.unsigned_int = 12;
  for (const OTF2_TimeStamp time : {90, 125, 300})
    OTF2_EvtWriter_Metric(to, nullptr, time, 0, 1, &type, &value);
  OTF2_AttributeList_Delete(attributes);

  OTF2_GlobalDefWriter* definitions = output->definitions().value();
  OTF2_GlobalDefWriter_WriteClockProperties(definitions, 1000000000, 50, 300, 17);
  const char* strings[] = {"", "main", "machine", "process", "thread"};
  for (std::uint32_t i = 0; i < 5; ++i)
    OTF2_GlobalDefWriter_WriteString(definitions, i, strings[i]);
  OTF2_GlobalDefWriter_WriteAttribute(definitions, 0, 1, 0, OTF2_TYPE_UINT32);
  OTF2_GlobalDefWriter_WriteParameter(definitions, 0, 1, OTF2_PARAMETER_TYPE_STRING);
  OTF2_GlobalDefWriter_WriteRegion(definitions, 0, 1, 1, 0, OTF2_REGION_ROLE_FUNCTION,
                                   OTF2_PARADIGM_USER, OTF2_REGION_FLAG_NONE, 0, 1, 2);
  OTF2_GlobalDefWriter_WriteSystemTreeNode(definitions, 0, 2, 2, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
  OTF2_GlobalDefWriter_WriteLocationGroup(definitions, 0, 3, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                          OTF2_UNDEFINED_LOCATION_GROUP);
  OTF2_GlobalDefWriter_WriteLocation(definitions, 5, 4, OTF2_LOCATION_TYPE_CPU_THREAD, 15, 0);
  OTF2_GlobalDefWriter_WriteLocation(definitions, 6, 4, OTF2_LOCATION_TYPE_CPU_THREAD, 3, 0);
  OTF2_GlobalDefWriter_WriteLocation(definitions, 7, 4, OTF2_LOCATION_TYPE_METRIC, 3, 0);
  const OTF2_MetricMemberRef member = 0;
  OTF2_GlobalDefWriter_WriteMetricMember(definitions, 0, 1, 0, OTF2_METRIC_TYPE_OTHER,
                                         OTF2_METRIC_ABSOLUTE_POINT, OTF2_TYPE_UINT64,
                                         OTF2_BASE_DECIMAL, 0, 0);
  OTF2_GlobalDefWriter_WriteMetricClass(definitions, 0, 1, &member, OTF2_METRIC_ASYNCHRONOUS,
                                        OTF2_RECORDER_KIND_CPU);
  const std::uint64_t world = 5, first = 0;
  OTF2_GlobalDefWriter_WriteGroup(definitions, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS,
                                  OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 1, &world);
  OTF2_GlobalDefWriter_WriteGroup(definitions, 1, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                  OTF2_GROUP_FLAG_NONE, 1, &first);
  OTF2_GlobalDefWriter_WriteComm(definitions, 0, 1, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
  OTF2_GlobalDefWriter_WriteRmaWin(definitions, 0, 1, 0, OTF2_RMA_WIN_FLAG_NONE);
  REQUIRE_FALSE(output->close());
  return folder + "/traces.otf2";
}

class Doubled : public Replayed {
 public:
  using Replayed::Replayed;

 protected:
  At change(const Event& event) override { return {event.time * 2, true}; }
};

// The window from 120 to 180, with the clipped region of the rank.
class Inside : public Replayed {
 public:
  using Replayed::Replayed;
  Span span(TraceRank) const override { return {120, 180}; }

 protected:
  At change(const Event& event) override {
    if (event.kind == EventKind::enter) return {20, true};
    if (event.kind == EventKind::leave) return {80, true};
    return {event.time, event.time >= 20 && event.time <= 80};
  }
};

// "LOCATION@TIME" of all events that are not the rank's.
std::vector<std::string> times_of_others(const PrintedTrace& trace) {
  std::vector<std::string> times;
  for (const std::string& line : split(trace.events, '\n')) {
    std::istringstream words(line);
    std::string kind, location, time;
    words >> kind >> location >> time;
    if (location == "6" || location == "7") times.push_back(location + "@" + time);
  }
  return times;
}

}  // namespace

TEST_CASE("events of all kinds are copied, with their attributes and the other locations") {
  const TemporaryFolder folder;
  const std::string from = write_kinds(folder.file("from"));
  const auto trace = read_otf2(from);
  REQUIRE(trace);
  CHECK(trace->definitions.ranks == std::vector<std::string>{"process"});
  CHECK(trace->definitions.locations() == 2);
  CHECK(trace->events.count() == 12);  // without passive events
  CHECK(trace->first == 100);
  CHECK(trace->notes.size() == 1);  // the metrics
  const std::string to = copy(from, folder);
  if (!has_otf2_print()) return;
  const PrintedTrace before = printed(from, false), after = printed(to, false);
  CHECK(mentions(before.events, "METRIC"));
  CHECK(after.definitions == before.definitions);
  CHECK(after.events == before.events);
  const auto anchor = [](const std::string& path) {
    const std::string text = run({.args = {otf2_print, "-A", path}}).out;
    return text.substr(0, text.find("Trace identifier"));
  };
  CHECK(mentions(anchor(to), "OTF2::MPI_COMMUNICATION_COMPLETE"));
  CHECK(anchor(to) == anchor(from));
}

TEST_CASE("threads have their own times; metrics move with the preceding event of the rank") {
  const TemporaryFolder folder;
  const std::string from = write_kinds(folder.file("from"));
  const auto trace = read_otf2(from);
  REQUIRE(trace);
  Doubled times(*trace);  // 100 + 2 * (time - 100)
  REQUIRE_FALSE(rewrite_otf2(from, folder.file("to"), times));
  if (!has_otf2_print()) return;
  const PrintedTrace moved = printed(folder.file("to/traces.otf2"), false);
  // The metrics: 90 - 0, 125 + 21 (of 121), 300 + 110.
  CHECK(times_of_others(moved) ==
        std::vector<std::string>{"7@90", "6@110", "7@146", "6@210", "6@310", "7@410"});
  CHECK(mentions(moved.definitions, "Global Offset: 50, Length: 410"));
}

namespace {

// Writes a rank with metrics before each enter and leave, and one after the last.
std::string write_metrics(const std::string& folder) {
  auto output = Otf2Output::open(folder);
  REQUIRE(output);
  OTF2_EvtWriter* to = output->next_location(0).value();
  const OTF2_Type type = OTF2_TYPE_UINT64;
  OTF2_MetricValue value{};
  OTF2_AttributeList* attributes = OTF2_AttributeList_New();
  const auto metric = [&](OTF2_TimeStamp time) {
    value.unsigned_int = time;
    OTF2_AttributeList_AddUint32(attributes, 0, static_cast<std::uint32_t>(time));
    REQUIRE(OTF2_EvtWriter_Metric(to, attributes, time, 0, 1, &type, &value) == OTF2_SUCCESS);
  };
  for (const auto& [time, region, enters] :
       {std::tuple(100, 0, true), {200, 1, true}, {300, 1, false}, {400, 0, false}}) {
    const auto at = static_cast<OTF2_TimeStamp>(time);
    const auto id = static_cast<OTF2_RegionRef>(region);
    metric(at - 50);
    metric(at);
    enters ? OTF2_EvtWriter_Enter(to, nullptr, at, id) : OTF2_EvtWriter_Leave(to, nullptr, at, id);
  }
  metric(450);
  OTF2_AttributeList_Delete(attributes);
  OTF2_GlobalDefWriter* definitions = output->definitions().value();
  REQUIRE(write_otf2_definitions(definitions, definitions_of({.ranks = 1}), {13}, {0, 1000}));
  REQUIRE_FALSE(output->close());
  return folder + "/traces.otf2";
}

// The times of the events of this kind in the text of otf2-print.
std::vector<std::string> times_of(const PrintedTrace& trace, const std::string& kind) {
  std::vector<std::string> times;
  for (const std::string& line : split(trace.events, '\n')) {
    std::istringstream words(line);
    std::string first, location, time;
    words >> first >> location >> time;
    if (first == kind) times.push_back(time);
  }
  return times;
}

}  // namespace

TEST_CASE("passive events are not in the trace, and are copied in proportion between its events") {
  const TemporaryFolder folder;
  const std::string from = write_metrics(folder.file("from"));
  const auto trace = read_otf2(from);
  REQUIRE(trace);
  CHECK(trace->events.count() == 4);
  CHECK(trace->first == 100);
  Doubled doubled(*trace);  // 100 + 2 * (time - 100)
  REQUIRE_FALSE(rewrite_otf2(from, folder.file("to"), doubled));
  WithoutFoo cut(*trace);  // foo is from 200 to 300
  REQUIRE_FALSE(rewrite_otf2(from, folder.file("cut"), cut));
  if (!has_otf2_print()) return;
  const PrintedTrace moved = printed(folder.file("to/traces.otf2"), false);
  using Times = std::vector<std::string>;
  CHECK(times_of(moved, "METRIC") ==
        Times{"50", "100", "200", "300", "400", "500", "600", "700", "750"});
  CHECK(times_of(moved, "ENTER") == Times{"100", "300"});
  for (const char* time : {"50", "150", "450"})  // the values and attributes are those of before
    CHECK(mentions(moved.events, "; " + std::string(time)));
  CHECK(times_of(printed(folder.file("cut/traces.otf2"), false), "METRIC") ==
        Times{"50", "100", "300", "300", "350"});
}

TEST_CASE("other locations keep events in the rank's span, with regions clipped") {
  const TemporaryFolder folder;
  const std::string from = write_kinds(folder.file("from"));
  const auto trace = read_otf2(from);
  REQUIRE(trace);
  Inside times(*trace);
  const auto error = rewrite_otf2(from, folder.file("to"), times);
  REQUIRE_MESSAGE(!error, error->message);
  if (!has_otf2_print()) return;
  const PrintedTrace inside = printed(folder.file("to/traces.otf2"), false);
  CHECK(times_of_others(inside) == std::vector<std::string>{"6@120", "7@125", "6@155", "6@180"});
  CHECK(mentions(inside.events, "METRIC"));
}

TEST_CASE("removed events disappear, and the others have their new times") {
  const SyntheticTrace of{.program = P::lbcoll, .iterations = 5};
  const TemporaryFolder folder;
  const std::string from = write_trace(folder.file("from"), of);
  const auto trace = read_otf2(from);
  REQUIRE(trace);
  WithoutFoo times(*trace);
  REQUIRE_FALSE(rewrite_otf2(from, folder.file("to"), times));
  const auto cut = read_otf2(folder.file("to"));
  REQUIRE(cut);
  CHECK(cut->notes == std::vector<std::string>{});
  CHECK(cut->events.count() == trace->events.count() - std::size_t{2 * 5 * 4});
  if (has_otf2_print())
    CHECK(printed(folder.file("to/traces.otf2")).events.find("foo") == std::string::npos);
}

TEST_CASE("unmatched leaves are written as they are read") {
  const TemporaryFolder folder;
  const auto event = [](EventKind kind, Ticks time, std::uint32_t id) {
    Event made;
    made.kind = kind;
    made.time = time;
    made.id = id;
    return made;
  };
  const std::string from = write_trace(
      folder.file("from"), definitions_of({}),
      {{event(EventKind::enter, 1, 0), event(EventKind::enter, 2, 1), event(EventKind::enter, 3, 2),
        event(EventKind::leave, 4, 1), event(EventKind::leave, 5, 2)},
       {},
       {},
       {}});
  const auto again = read_otf2(copy(from, folder));
  REQUIRE(again);
  CHECK(again->notes == std::vector<std::string>{});
  CHECK(again->events.count() == 6);
}

TEST_CASE("existing files of the folder are not changed") {
  const TemporaryFolder folder;
  const std::string from = write_trace(folder.file("from"), {.iterations = 1});
  const auto trace = read_otf2(from);
  REQUIRE(trace);
  Replayed times(*trace);
  const auto error = rewrite_otf2(from, folder.file("from"), times);
  REQUIRE(error);
  CHECK(error->kind == ErrorKind::usage);
  CHECK(error->place == folder.file("from"));
  CHECK_FALSE(error->hint.empty());
  CHECK(read_otf2(from));
  const auto cannot = rewrite_otf2(from, "/proc/nowhere", times);
  REQUIRE(cannot);
  CHECK(cannot->kind == ErrorKind::io);
}
