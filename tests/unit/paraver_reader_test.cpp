// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/traces/paraver_reader.hpp"

#include <doctest/doctest.h>

#include "sim/replay/replay.hpp"
#include "tests/support/files.hpp"
#include "workloads/traces/trace_format.hpp"

using namespace tutti;
using namespace tutti::workloads::traces;
using studies::replay::replay;
using tests::TemporaryFolder;

namespace {

constexpr const char* labels = R"(DEFAULT_OPTIONS

STATES
1    Running

EVENT_TYPE
9    50000001    MPI Point-to-point
VALUES
4      MPI_Irecv
3      MPI_Isend
5      MPI_Wait
2      MPI_Recv
1      MPI_Send
0      Outside MPI

EVENT_TYPE
9    50000002    MPI Collective Comm
VALUES
7      MPI_Bcast
10     MPI_Allreduce
0      Outside MPI

EVENT_TYPE
1    50100001    Send Size in MPI Global OP
1    50100002    Recv Size in MPI Global OP

EVENT_TYPE
0    60000019    User function
VALUES
0      End
1      foo
2      bar

GRADIENT_NAMES
1     Gradient 1
)";

Result<Trace> read(const TemporaryFolder& folder, const std::string& text) {
  folder.write("run.pcf", labels);
  return read_paraver(folder.write("run.prv", text), {});
}

// "enter MPI_Send 100", "send 100", ... of a location.
std::vector<std::string> events_of(const Trace& trace, TraceRank location) {
  std::vector<Event> events(100);
  events.resize(trace.events.cursor(location)->read(events));
  std::vector<std::string> lines;
  for (const Event& event : events) {
    std::string what = fmt::format("kind {}", static_cast<int>(event.kind));
    if (event.kind == EventKind::enter) what = "enter " + trace.definitions.regions[event.id].name;
    if (event.kind == EventKind::leave) what = "leave " + trace.definitions.regions[event.id].name;
    if (event.kind == EventKind::send) what = fmt::format("send to {}", event.id);
    if (event.kind == EventKind::isend) what = fmt::format("isend to {}", event.id);
    if (event.kind == EventKind::recv) what = fmt::format("recv from {}", event.id);
    if (event.kind == EventKind::irecv_request) what = fmt::format("post {}", event.request);
    if (event.kind == EventKind::irecv) what = fmt::format("complete {}", event.request);
    if (event.kind == EventKind::collective_begin) what = "begin";
    if (event.kind == EventKind::collective_end)
      what = fmt::format("{} of {} B", collective_op_names[static_cast<std::size_t>(event.op)],
                         event.bytes);
    lines.push_back(fmt::format("{} {}", what, event.time));
  }
  return lines;
}

using Lines = std::vector<std::string>;

// foo on both ranks, a message from rank 0 to rank 1, and a sum.
constexpr const char* message_and_sum =
    "#Paraver (01/02/2026 at 10:11):1500_ns:1(2):1:2(1:1,1:1),1\n"
    "c:1:1:2:1:2\n"
    "# a comment\n"
    "1:1:1:1:1:0:1000:1\n"
    "2:1:1:1:1:0:60000019:1\n"
    "2:2:1:2:1:0:60000019:1\n"
    "2:2:1:2:1:500:60000019:0:50000001:2\n"
    "2:1:1:1:1:1000:60000019:0:50000001:1:42000050:77\n"
    "3:1:1:1:1:1000:1000:2:1:2:1:500:1300:64:5\n"
    "2:1:1:1:1:1100:50000001:0\n"
    "2:1:1:1:1:1200:50000002:10:50100001:8:50100002:8:50100004:1\n"
    "2:2:1:2:1:1300:50000001:0\n"
    "2:2:1:2:1:1400:50000002:10:50100001:8:50100002:8:50100004:1\n"
    "2:1:1:1:1:1500:50000002:0\n"
    "2:2:1:2:1:1500:50000002:0\n";

}  // namespace

TEST_CASE("a trace of Paraver has the events of its calls, functions and communications") {
  const TemporaryFolder folder;
  const auto trace = read(folder, message_and_sum);
  REQUIRE_MESSAGE(trace, trace.error().message);
  CHECK(trace->notes == Lines{});
  CHECK(trace->definitions.ticks_per_s == 1e9);
  CHECK(trace->definitions.ranks == Lines{"rank 0", "rank 1"});
  CHECK(events_of(*trace, 0) == Lines{"enter foo 0", "leave foo 1000", "enter MPI_Send 1000",
                                      "send to 1 1000", "leave MPI_Send 1100",
                                      "enter MPI_Allreduce 1200", "begin 1200",
                                      "allreduce of 8 B 1500", "leave MPI_Allreduce 1500"});
  CHECK(events_of(*trace, 1) == Lines{"enter foo 0", "leave foo 500", "enter MPI_Recv 500",
                                      "recv from 0 1300", "leave MPI_Recv 1300",
                                      "enter MPI_Allreduce 1400", "begin 1400",
                                      "allreduce of 8 B 1500", "leave MPI_Allreduce 1500"});
  const auto& format = trace_format_of(folder.file("run.prv"));
  CHECK((format.read == read_paraver));
  CHECK(format.files("x/run.prv") == Lines{"x/run.pcf", "x/run.row"});
}

TEST_CASE("a trace of Paraver is replayed as calculated by hand") {
  const TemporaryFolder folder;
  const auto trace = read(folder, message_and_sum);
  REQUIRE(trace);
  const auto unchanged = replay(*trace, {});
  CHECK(unchanged.end_after == 1500);
  CHECK(unchanged.largest_deviation == 0);
  CHECK(unchanged.messages == 1);
  CHECK(unchanged.collectives == 2);  // by member
  // Half of foo: the message is sent at 500 and received 300 later, the sum begins on rank 1 100
  // after that, and ends 100 later.
  const auto faster =
      replay(*trace, {.hypothesis = {.scales = {{.region = "foo", .factor = 0.5}}}});
  CHECK(faster.end_after == 500 + 300 + 100 + 100);
}

TEST_CASE("nonblocking messages of Paraver are posted and completed in different calls") {
  const TemporaryFolder folder;
  const auto trace = read(folder,
                          "#Paraver (01/02/2026 at 10:11):300:1(2):1:2(1:1,1:1)\n"
                          "2:1:1:1:1:10:50000001:4\n"
                          "2:1:1:1:1:20:50000001:0:60000019:2\n"
                          "2:1:1:1:1:100:60000019:0:50000001:5\n"
                          "2:2:1:2:1:150:50000001:3\n"
                          "3:2:1:2:1:150:150:1:1:1:1:10:200:8:0\n"
                          "2:2:1:2:1:160:50000001:0\n"
                          "2:1:1:1:1:200:50000001:0\n");
  REQUIRE(trace);
  CHECK(trace->definitions.ticks_per_s == 1e6);
  CHECK(trace->first == 10);
  CHECK(events_of(*trace, 0) == Lines{"enter MPI_Irecv 0", "post 1 0", "leave MPI_Irecv 10",
                                      "enter bar 10", "leave bar 90", "enter MPI_Wait 90",
                                      "complete 1 190", "leave MPI_Wait 190"});
  CHECK(events_of(*trace, 1) ==
        Lines{"enter MPI_Isend 140", "isend to 0 140", "leave MPI_Isend 150"});
  CHECK(replay(*trace, {}).messages == 1);
}

TEST_CASE("threads of Paraver are locations behind the ranks, and roots are known to all") {
  const TemporaryFolder folder;
  const auto trace = read(folder,
                          "#Paraver (01/02/2026 at 10:11):300_ns:2(2,1):1:2(2:1,1:2),1\n"
                          "c:1:7:2:1:2\n"
                          "2:2:1:1:2:10:60000019:1\n"
                          "2:2:1:1:2:30:60000019:0\n"
                          "2:1:1:1:1:40:50000002:7:50100002:8:50100004:7\n"
                          "2:3:1:2:1:40:50000002:7:50100001:8:50100003:1:50100004:7\n"
                          "2:3:1:2:1:50:50000002:0\n"
                          "2:1:1:1:1:60:50000002:0\n");
  REQUIRE_MESSAGE(trace, trace.error().message);
  CHECK(trace->notes == Lines{});
  CHECK(trace->definitions.locations() == 3);
  CHECK(trace->definitions.nodes == Lines{"node 1", "node 2"});
  CHECK(events_of(*trace, 2) == Lines{"enter foo 0", "leave foo 20"});
  std::vector<Event> events(10);
  REQUIRE(trace->events.cursor(0)->read(events) == 4);
  CHECK(events[2].op == CollectiveOp::bcast);
  CHECK(events[2].id == 1);
}

TEST_CASE("invalid traces of Paraver are errors with their line") {
  const TemporaryFolder folder;
  const std::string header = "#Paraver (01/02/2026 at 10:11):300_ns:1(2):1:2(1:1,1:1)\n";
  const struct {
    std::string text;
    const char* message;
    int line;
  } invalid[] = {
      {"#Paraver nothing\n", "invalid header", 1},
      {"#Paraver (a at b):1_ns:1(2):2:2(1:1,1:1)\n", "the trace has 2 applications", 1},
      {"#Paraver (a at b):1_ns:1(2):1:3(1:1,1:1)\n", "invalid list of tasks", 1},
      {header + "9:1:1\n", "invalid kind of record", 2},
      {header + "2:1:1:1:1:5:x:1\n", "invalid record", 2},
      {header + "2:1:1:1:1:5:50000001\n", "invalid event", 2},
      {header + "2:1:1:3:1:5:50000001:1\n", "a thread that the header does not have", 2},
      {header + "2:1:1:1:1:5:50000001:1\n2:1:1:1:1:4:50000001:0\n", "go backwards", 3},
      {header + "3:1:1:1:1:5:5\n", "invalid communication", 2},
      {header + "c:1:1:3:1:2\n", "invalid communicator", 2},
  };
  for (const auto& each : invalid) {
    CAPTURE(each.text);
    const auto trace = read(folder, each.text);
    REQUIRE_FALSE(trace);
    CHECK(trace.error().message.find(each.message) != std::string::npos);
    CHECK(trace.error().line == each.line);
    CHECK_FALSE(trace.error().hint.empty());
  }
  std::filesystem::remove(folder.file("run.pcf"));
  const auto alone = read_paraver(folder.file("run.prv"), {});
  REQUIRE_FALSE(alone);
  CHECK(alone.error().place == folder.file("run.pcf"));
}

TEST_CASE("messages and ends without a call are omitted from traces of Paraver, with a note") {
  const TemporaryFolder folder;
  const auto trace = read(folder,
                          "#Paraver (01/02/2026 at 10:11):300_ns:1(2):1:2(1:1,1:1)\n"
                          "2:1:1:1:1:10:50000001:0:60000019:1\n"
                          "3:1:1:1:1:20:20:2:1:2:1:20:30:8:0\n"
                          "2:1:1:1:1:50:60000019:2\n");
  REQUIRE(trace);
  CHECK(trace->notes.size() == 3);
  CHECK(events_of(*trace, 0) ==
        Lines{"enter foo 0", "enter bar 40", "leave bar 40", "leave foo 40"});
  CHECK(events_of(*trace, 1).empty());
}
