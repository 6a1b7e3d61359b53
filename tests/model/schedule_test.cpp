// SPDX-License-Identifier: BSD-3-Clause
// Schedules: times calculated by hand, and schedules of algorithms that take the time of the
// algorithm. The machine: L = 2 us, 1 GB/s (G = 1 ns/B), o = 0.5 us for sends and 0.25 us for
// receives, eager up to 1000 B, rendezvous above.
#include <doctest/doctest.h>

#include "algorithms/collective.hpp"
#include "sim/base/file_roles.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/files.hpp"
#include "tests/support/run_in_child.hpp"
#include "tests/support/test_machine.hpp"
#include "workloads/schedules/goal_reader.hpp"
#include "workloads/schedules/schedule_call.hpp"
#include "workloads/schedules/schedule_recorder.hpp"

using namespace tutti;
using namespace tutti::workloads::schedules;
using platforms::Piecewise;
using tests::exactly;

namespace {

constexpr double us = 1e-6;
constexpr double L = 2 * us;
constexpr double o_s = 0.5 * us;
constexpr double o_r = 0.25 * us;
constexpr double G = 1e-9;

platforms::Machine machine_for(int procs) {
  platforms::Machine machine = tests::test_machine(procs);
  for (platforms::MessageProtocol* each : {&machine.inter, &machine.intra}) {
    each->send_overhead = each->isend_overhead = Piecewise(o_s);
    each->recv_overhead = Piecewise(o_r);
    each->nic_order = platforms::NicOrder::fifo;
  }
  return machine;
}

std::shared_ptr<ScheduledAlgorithm> scheduled(std::shared_ptr<const Schedule> schedule) {
  auto made = std::make_shared<ScheduledAlgorithm>();
  made->scheduled.schedule = std::move(schedule);
  return made;
}

struct Simulated {
  engines::Outcome outcome;
  std::vector<Error> errors;
};

Simulated simulated(const std::string& text) {
  const auto read = schedule_of(text, "test.goal");
  REQUIRE_MESSAGE(read, read.error().message);
  const int procs = (*read)->procs();
  const platforms::Machine machine = machine_for(procs);
  const auto placement = tests::test_placement(procs);
  const auto what = scheduled(*read);
  Simulated result;
  result.outcome =
      engines::run(engines::EngineKind::flow, {.machine = machine,
                                               .placement = placement,
                                               .program = program_of(what),
                                               .contention = engines::Contention::off});
  result.errors = unfinished(*what, result.outcome);
  return result;
}

std::vector<Seconds> times(const std::string& text) {
  const Simulated result = simulated(text);
  CHECK(result.outcome.problems == std::vector<std::string>{});
  CHECK(result.errors.empty());
  return result.outcome.end_s;
}

}  // namespace

TEST_CASE("a chain of operations adds up") {
  const auto end_s = times(R"(num_ranks 2
rank 0 {
c: calc 1000
s: send 100b to 1
s requires c
}
rank 1 {
r: recv 100b from 0
c: calc 3000
c requires r
})");
  CHECK(end_s[0] == exactly(1 * us + o_s));
  CHECK(end_s[1] == exactly(1 * us + o_s + L + 100 * G + o_r + 3 * us));
}

TEST_CASE("a CPU serves operations and arrived messages in the order in which they became ready") {
  // The message arrives at 2.6 us, during the first calc; the second calc is ready after it.
  const auto end_s = times(R"(num_ranks 3
rank 0 {
send 100b to 1
}
rank 1 {
c1: calc 5000
c2: calc 5000
c2 requires c1
r: recv 100b from 0
s: send 0b to 2
s requires r
}
rank 2 {
recv 0b from 1
})");
  CHECK(end_s[1] == exactly(5 * us + o_r + 5 * us + o_s));
  CHECK(end_s[2] == exactly(5 * us + o_r + 5 * us + o_s + L + o_r));
}

TEST_CASE("operations that are ready at the same time start in the order of the file") {
  const auto end_s = times(R"(num_ranks 2
rank 0 {
calc 2000
send 0b to 1
}
rank 1 {
recv 0b from 0
})");
  CHECK(end_s[1] == exactly(2 * us + o_s + L + o_r));
}

TEST_CASE("an eager send is done after its overhead, a rendezvous send at the end of the message") {
  for (const int bytes : {1000, 1001}) {
    CAPTURE(bytes);
    const auto end_s = times(fmt::format(R"(num_ranks 2
rank 0 {{
s: send {}b to 1
c: calc 1000
c requires s
}}
rank 1 {{
c: calc 7000
r: recv {}b from 0
r requires c
}})",
                                         bytes, bytes));
    const double arrived = bytes == 1000 ? 7 * us : 7 * us + 2 * L + bytes * G;
    CHECK(end_s[0] == exactly(bytes == 1000 ? o_s + 1 * us : arrived + 1 * us));
    CHECK(end_s[1] == exactly(arrived + o_r));
  }
}

TEST_CASE("irequires waits for the start only") {
  const auto end_s = times(R"(num_ranks 2
rank 0 {
c: calc 1000
s: send 5000b to 1
s requires c
d: calc 2000
d irequires s
}
rank 1 {
c: calc 9000
r: recv 5000b from 0
r requires c
})");
  CHECK(end_s[0] == exactly(9 * us + 2 * L + 5000 * G));
  const auto both = times(
      "num_ranks 1\nrank 0 {\na: calc 1000\nb: calc 500 cpu 1\n"
      "b irequires a\n}");
  CHECK(both[0] == exactly(1 * us));
}

TEST_CASE("CPUs work at the same time and share the NIC") {
  // Two messages of 1000 B leave one after the other; the calc does not delay the second CPU.
  const auto end_s = times(R"(num_ranks 2
rank 0 {
calc 10000 cpu 0
send 1000b to 1 cpu 1
send 1000b to 1 tag 1 cpu 2
c: calc 300 cpu 1
d: calc 300 cpu 0
d requires c
}
rank 1 {
recv 1000b from 0
recv 1000b from 0 tag 1
})");
  CHECK(end_s[0] == exactly(10.3 * us));
  CHECK(end_s[1] == exactly(o_s + L + 2000 * G + o_r));
}

TEST_CASE("a dependency between CPUs delays the second one") {
  const auto end_s = times(
      "num_ranks 1\nrank 0 {\na: calc 1000 cpu 0\nb: calc 10 cpu 1\n"
      "b requires a\n}");
  CHECK(end_s[0] == exactly(1.01 * us));
}

TEST_CASE("a message that arrives before its receive is posted waits for it") {
  // On the second CPU, which is idle meanwhile.
  const auto end_s = times(R"(num_ranks 2
rank 0 {
c: calc 8000 cpu 0
r: recv 1b from 1 cpu 1
r requires c
s: send 1b to 1 cpu 1
s requires r
}
rank 1 {
send 1b to 0
recv 1b from 0
})");
  CHECK(end_s[0] == exactly(8 * us + o_r + o_s));
  CHECK(end_s[1] == exactly(8 * us + o_r + o_s + L + G + o_r));
}

TEST_CASE("of an operation and a message that are ready at once, the operation is first") {
  const auto end_s = times(R"(num_ranks 3
rank 0 {
send 0b to 1
}
rank 1 {
c: calc 100000
r: recv 0b from 0
r requires c
k: calc 50000
k requires c
s: send 0b to 2
s requires r
}
rank 2 {
recv 0b from 1
})");
  CHECK(end_s[2] == exactly(150 * us + o_r + o_s + L + o_r));
}

TEST_CASE("equal sums of durations are equal") {
  // Both chains take the same time; rounding must not decide which operation is first.
  for (const auto& [a, b] : {std::pair(1, 2), std::pair(2, 2), std::pair(1, 9)}) {
    CAPTURE(a);
    const auto end_s = times(fmt::format(
        "num_ranks 2\nrank 0 {{\na: calc {}000 cpu 1\nb: calc {}000 cpu 1\nb requires a\n"
        "c: calc {}000 cpu 2\ns: send 0b to 1\ns requires c\nd: calc 100000\nd requires b\n}}\n"
        "rank 1 {{\nrecv 0b from 0\n}}\n",
        a, b, a + b));
    CHECK(end_s[1] == exactly((a + b) * us + o_s + L + o_r));
  }
}

TEST_CASE("the end of a rendezvous send does not occupy its CPU") {
  for (const std::string_view cpu : {"0", "1"}) {
    const auto end_s = times(fmt::format(R"(num_ranks 3
rank 0 {{
send 5000b to 1
r: recv 0b from 2
c: calc 3000
c requires r
}}
rank 1 {{
c: calc 100000
r: recv 5000b from 0
r requires c
}}
rank 2 {{
calc 10 cpu {}
c: calc 50000
s: send 0b to 0
s requires c
}})",
                                         cpu));
    CHECK(end_s[0] == exactly(100 * us + 2 * L + 5000 * G));
  }
}

TEST_CASE("wildcards match the first arrival, of a source its oldest message") {
  const auto end_s = times(R"(num_ranks 3
rank 0 {
a: recv 10b from -1 tag -1
b: recv 10b from 1 tag -1
b requires a
c: recv 10b from -1 tag 5
c requires b
}
rank 1 {
c: calc 1000
s: send 10b to 0 tag 8
s requires c
t: send 10b to 0 tag 5
t requires s
}
rank 2 {
send 10b to 0 tag 3
})");
  CHECK(end_s[0] == exactly(1 * us + 2 * o_s + L + 10 * G + o_r));
}

TEST_CASE("each round of a dissemination takes o_s + L + o_r") {
  std::string dissemination = "num_ranks 16\n";
  for (int rank = 0; rank < 16; ++rank) {
    dissemination += fmt::format("rank {} {{\n", rank);
    for (int round = 0; round < 4; ++round) {
      const int distance = 1 << round;
      dissemination += fmt::format("s{}: send 0b to {}\n", round, (rank + distance) % 16);
      if (round > 0) dissemination += fmt::format("s{} requires r{}\n", round, round - 1);
      dissemination += fmt::format("r{}: recv 0b from {}\n", round, (rank + 16 - distance) % 16);
    }
    dissemination += "}\n";
  }
  for (const Seconds end_s : times(dissemination)) CHECK(end_s == exactly(4 * (o_s + L + o_r)));
}

TEST_CASE("deadlocks, leftovers and cycles are named by line") {
  const auto first = [](const std::string& text) {
    const auto errors = simulated(text).errors;
    REQUIRE_FALSE(errors.empty());
    CHECK(errors.front().place == "test.goal");
    CHECK_FALSE(errors.front().hint.empty());
    return fmt::format("{}: {}", errors.front().line, errors.front().message);
  };
  CHECK(first("num_ranks 2\nrank 0 {\nr: recv 8b from 1\ns: send 8b to 1\ns requires r\n}\n"
              "rank 1 {\nr: recv 8b from 0\ns: send 8b to 0\ns requires r\n}") ==
        "3: deadlock: rank 0: recv 8b from 1 tag 0 waits for its message");
  CHECK(first("num_ranks 2\nrank 0 {\nsend 8b to 1 tag 4\nsend 8b to 1\n}\nrank 1 {\n"
              "recv 8b from 0\n}") ==
        "3: rank 1 never receives the message of rank 0: send 8b to 1 tag 4");
  CHECK(
      first("num_ranks 1\nrank 0 {\ncalc 1\na: calc 1\nb: calc 2\na requires b\nb requires a\n}") ==
      "4: rank 0: calc 1 never starts");
  CHECK(
      first("// tutti schedule 1\nnum_ranks 2\nrank 0 {\na: recv 8b from 1\n// tutti wait a\n}") ==
      "5: deadlock: rank 0 waits for the request of line 4 (recv 8b from 1 tag 0)");
  CHECK(first("num_ranks 2\nrank 0 {\nsend 2000b to 1\n}") ==
        "3: deadlock: rank 0: send 2000b to 1 tag 0 waits for its receive");
}

namespace {

// Time of the algorithm, and of its schedule after a detour through a file.
void check_schedule(const algorithms::Algorithm& algorithm, int procs, Bytes bytes,
                    const std::string& path) {
  CAPTURE(algorithm.collective);
  CAPTURE(algorithm.name);
  CAPTURE(procs);
  CAPTURE(bytes);
  platforms::Machine machine = machine_for(procs);
  machine.combine_Bps = Piecewise(3e9);
  machine.local_copy_Bps = Piecewise(5e9);
  const auto placement = tests::test_placement(procs, 2);
  algorithms::CollectiveArgs args{.message_bytes = bytes,
                                  .segment_bytes = algorithm.segmented ? 512 : 0,
                                  .fanout = algorithm.default_fanout,
                                  .element_bytes = 4};
  if (algorithm.runs != nullptr && !algorithm.runs({procs, args})) return;
  ScheduleRecorder recorder(procs);
  engines::Job job{.machine = machine, .placement = placement, .program = [&](runtime::Rank& me) {
                     return algorithm.program(me, args);
                   }};
  const auto direct = engines::run(engines::EngineKind::flow, job);
  job.observers = {&recorder};
  engines::run(engines::EngineKind::flow, job);
  const ScheduledCall call{std::string(algorithm.collective), bytes, 4, 0};
  forget_file_roles();
  REQUIRE_FALSE(recorder.write(path, call, {}));
  forget_file_roles();
  const auto read = read_schedule(path);
  REQUIRE_MESSAGE(read, fmt::format("{}: {}", read.error().line, read.error().message));
  job.observers.clear();
  job.program = program_of(scheduled(*read));
  const auto again = engines::run(engines::EngineKind::flow, job);
  CHECK(again.problems == std::vector<std::string>{});
  CHECK(again.counts.messages == direct.counts.messages);
  for (std::size_t rank = 0; rank < direct.end_s.size(); ++rank)
    CHECK(again.end_s[rank] == exactly(direct.end_s[rank]));
}

}  // namespace

TEST_CASE("schedules of all algorithms take the time of the algorithm") {
  const tests::TemporaryFolder folder(tests::folder_in_memory());
  int cases = 0;
  for (const auto& algorithm : algorithms::all_algorithms()) {
    if (algorithm.by_nodes || algorithm.made_of != nullptr || algorithm.name == "hardware")
      continue;
    check_schedule(algorithm, cases % 2 == 0 ? 8 : 6, cases % 3 == 0 ? 64 : 4096,
                   folder.file("a.goal"));
    ++cases;
  }
  CHECK(cases >= 60);
}

TEST_CASE("sizes are scaled in whole elements") {
  const auto read = schedule_of(R"(// tutti schedule 1
// tutti call bcast bytes=1024 element=4
num_ranks 2
rank 0 {
a: send 1024b to 1 // tutti send 0:0
// tutti wait a
}
rank 1 {
a: recv 1024b from 0 // tutti irecv 0:0
// tutti wait a
})",
                                "a.goal");
  REQUIRE(read);
  Scheduled what{*read, 2048, 1024};
  CHECK_FALSE(check_scale(what, 4));
  CHECK(what.scaled(12) == 24);
  what.factor = 1022;
  CHECK(check_scale(what, 4));
  CHECK_FALSE(check_scale(what, 2));
}
