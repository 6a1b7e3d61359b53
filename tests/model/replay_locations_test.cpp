// SPDX-License-Identifier: BSD-3-Clause
// Traces of threads and accelerators that other tools write, or parts of such traces: event by
// event, since the programs of replay_programs_test.cpp are recorded as Score-P does.
#include <doctest/doctest.h>

#include "sim/replay/on_platform.hpp"
#include "sim/replay/replay.hpp"
#include "sim/replay/timeline.hpp"
#include "sim/replay/trace_window.hpp"
#include "tests/support/files.hpp"
#include "tests/support/test_machine.hpp"
#include "tests/support/traces.hpp"
#include "tests/support/truth/archive.hpp"
#include "tests/support/truth/programs_nodes.hpp"
#include "tests/support/truth/programs_streams.hpp"
#include "tests/support/truth/programs_windows.hpp"
#include "tests/support/truth/replayed.hpp"
#include "tests/support/truth/run.hpp"
#include "workloads/traces/otf2_reader.hpp"

using namespace tutti;
using namespace tutti::studies::replay;
using namespace tutti::tests::truth;

namespace {

using workloads::traces::Trace;

// A process without MPI, with threads or streams.
struct Recorded {
  explicit Recorded(int threads, int streams = 0) : program(1, threads, streams), log(program) {
    program.has_mpi = false;
    program.team_records = Program::TeamRecords::none;
  }
  void region(int place, const std::string& name, Time from, Time to) {
    log.enter(place, from, name);
    log.leave(place, to, name);
  }
  Trace trace() const { return read_back(program, log); }

  Program program;
  Log log;
};

ReplayResult check_identity(const Trace& trace) {
  auto result = replay(trace, {});
  CHECK(result.end_after == result.end_before);
  CHECK(result.largest_deviation == 0);
  return result;
}

// Half of the time of the region is saved everywhere.
Ticks end_with_half(const Trace& trace, const std::string& region) {
  check_identity(trace);
  return replay(trace, {.hypothesis = {.scales = {{.region = region, .factor = 0.5}}}}).end_after;
}

// Creates thread 1, and awaits it after 1 ms of own work.
Trace created_thread() {
  Recorded made(2);
  Log& log = made.log;
  log.enter(0, 0, "main");
  made.region(0, "serial", 0, 1 * ms);
  log.enter(0, 1 * ms, "pthread_create");
  log.write(0, 1 * ms + 5 * us,
            [](auto* to, auto at) { return OTF2_EvtWriter_ThreadCreate(to, nullptr, at, 0, 1); });
  log.leave(0, 1 * ms + 10 * us, "pthread_create");
  made.region(0, "bar", 1 * ms + 10 * us, 2 * ms);
  log.enter(0, 2 * ms, "pthread_join");
  log.write(0, 5 * ms + 30 * us,
            [](auto* to, auto at) { return OTF2_EvtWriter_ThreadWait(to, nullptr, at, 0, 1); });
  log.leave(0, 5 * ms + 30 * us, "pthread_join");
  made.region(0, "serial", 5 * ms + 30 * us, 6 * ms + 30 * us);
  log.leave(0, 6 * ms + 30 * us, "main");
  log.write(1, 1 * ms + 20 * us,
            [](auto* to, auto at) { return OTF2_EvtWriter_ThreadBegin(to, nullptr, at, 0, 1); });
  made.region(1, "foo", 1 * ms + 20 * us, 5 * ms + 20 * us);
  log.write(1, 5 * ms + 20 * us,
            [](auto* to, auto at) { return OTF2_EvtWriter_ThreadEnd(to, nullptr, at, 0, 1); });
  return made.trace();
}

constexpr const char* parallel_region = "!$omp parallel @code.c:1";

// Teams of different sizes; `has_barriers`: at their ends, otherwise the first thread just waits.
Trace teams_of(const std::vector<std::vector<Time>>& work, bool has_barriers, bool is_nested) {
  Recorded made(4);
  Time now = 0;
  made.log.enter(0, now, "main");
  for (const auto& of_team : work) {
    made.region(0, "serial", now, now + 1 * ms);
    now += 1 * ms;
    const Time last = now + *std::ranges::max_element(of_team), end = last + 1 * us;
    for (int i = 0; i < static_cast<int>(of_team.size()); ++i) {
      const Time done = now + of_team[static_cast<std::size_t>(i)];
      made.log.enter(i, now, parallel_region);
      made.region(i, "foo", now, done);
      if (is_nested && i == 1) made.region(i, parallel_region, done, done);
      if (has_barriers) made.region(i, "!$omp implicit barrier @code.c:9", done, end);
      made.log.leave(i, has_barriers || i == 0 ? end : done, parallel_region);
    }
    now = end;
  }
  made.log.leave(0, now, "main");
  return made.trace();
}

bool contains(const std::vector<std::string>& notes, std::string_view words) {
  return std::ranges::any_of(notes,
                             [&](const auto& note) { return note.find(words) != note.npos; });
}

ReplayResult on_machine(const Trace& trace) {
  const auto ranks = trace.definitions.ranks.size();
  const auto machine = tests::test_machine(static_cast<platforms::HostId>(ranks));
  const auto placement = tests::test_placement(static_cast<int>(ranks), 1);
  auto result = replay_on_platform(trace, {}, {machine, placement}, nullptr);
  if (!result) FAIL(result.error().message);
  return *std::move(result);
}

}  // namespace

TEST_CASE("a thread begins after it is created, and is awaited") {
  CHECK(end_with_half(created_thread(), "foo") == 4 * ms + 30 * us);
  CHECK(end_with_half(created_thread(), "serial") == 5 * ms + 30 * us);
}

TEST_CASE("teams of different sizes without records") {
  const std::vector<std::vector<Time>> work{{1 * ms, 2 * ms, 3 * ms, 4 * ms},
                                            {3 * ms, 1 * ms},
                                            {1 * ms, 1 * ms, 6 * ms},
                                            {4 * ms, 3 * ms, 2 * ms, 1 * ms}};
  const Ticks expected = 4 * ms + 4 * us + 17 * ms / 2;
  for (const bool is_nested : {false, true})
    CHECK(end_with_half(teams_of(work, true, is_nested), "foo") == expected);
  CHECK(end_with_half(teams_of(work, false, false), "foo") == expected);
}

TEST_CASE("operations of streams may have the names of calls of the host") {
  Recorded made(1, 1);
  made.region(0, "cudaLaunchKernel", 0, 10 * us);
  made.region(0, "cudaMemcpyAsync", 10 * us, 20 * us);
  made.region(0, "cudaStreamSynchronize", 20 * us, 1 * ms + 130 * us);
  made.region(1, "kernel_launch", 20 * us, 1 * ms + 20 * us);
  made.region(1, "cudaMemcpyDtoH", 1 * ms + 25 * us, 1 * ms + 125 * us);
  CHECK(end_with_half(made.trace(), "kernel_launch") == 630 * us);
}

TEST_CASE("kernels of OpenACC end before the wait") {
  Recorded made(1, 1);
  made.region(0, "acc_launch_kernel @code.c:3", 0, 10 * us);
  made.region(0, "acc_wait @code.c:9", 10 * us, 1 * ms + 25 * us);
  made.region(1, "kernel", 20 * us, 1 * ms + 20 * us);
  CHECK(end_with_half(made.trace(), "kernel") == 525 * us);
}

TEST_CASE("a stream waits for another one without a call that orders them") {
  Recorded made(1, 2);
  for (const Time from : {Time{0}, 3 * ms}) {
    made.region(0, "cudaLaunchKernel", from, from + 5 * us);
    made.region(0, "cudaLaunchKernel", from + 5 * us, from + 10 * us);
    made.region(0, "cudaDeviceSynchronize", from + 10 * us, from + 2 * ms + 40 * us);
    made.region(1, "kernel_a", from + 8 * us, from + 1 * ms);
    made.region(2, "kernel_b", from + 1 * ms + 2 * us, from + 2 * ms + 10 * us);
  }
  const Trace trace = made.trace();
  CHECK(contains(check_identity(trace).notes, "of streams may be for other events than assumed"));
  const auto half =
      replay(trace, {.hypothesis = {.scales = {{.region = "kernel_a", .factor = 0}}}});
  CHECK(half.end_after < 5 * ms + 40 * us - 2 * 900 * us);
  CHECK(half.verdict.of_devices > 0);
}

TEST_CASE("what the times of accelerators leave open is counted and named") {
  const Program peers = programs::exchanges({}).program;
  const auto exchanged = check_identity(read_back(peers, run(peers)));
  CHECK(contains(exchanged.notes, "collective kernels may have other peers than assumed"));
  CHECK(exchanged.verdict.of_devices == 4 * 8);
  Recorded alone(1, 1);
  alone.region(0, "foo", 0, 1 * ms);
  alone.region(1, "kernel", 100 * us, 900 * us);
  const auto unknown = check_identity(alone.trace());
  CHECK(
      contains(unknown.notes, "1 operation of accelerators may have other launches than assumed"));
  const Trace trace = alone.trace();
  const auto slower = replay(trace, {.hypothesis = {.scales = {{.region = "foo", .factor = 4}}}});
  CHECK(slower.end_after == 4 * ms);
}

TEST_CASE("a barrier that a thread never reaches ends as recorded") {
  Program program = programs::teams(1, false).program;
  program.team_records = Program::TeamRecords::all;
  Log log = run(program);
  auto& last = log.records.back();
  last.resize(last.size() / 2);
  const auto result = check_identity(read_back(program, log));
  CHECK_FALSE(result.in_vain.empty());
}

TEST_CASE("a part of a trace has the dependencies of its threads") {
  const Program program = programs::teams(4).program;
  const auto part = cut_window(read_back(program, run(program)), {3 * ms, 12 * ms}).trace;
  const auto result = check_identity(part);
  CHECK(result.in_vain.empty());
  const Hypothesis half{.scales = {{.region = "foo", .factor = 0.5}}};
  CHECK(replay(part, {.hypothesis = half}).end_after < result.end_after - 3 * ms);
}

TEST_CASE("a timeline shows the wait for the end of a thread") {
  const Trace trace = created_thread();
  const ReplayArgs args{.hypothesis = {.scales = {{.region = "foo", .factor = 0.5}}}};
  const auto result = replay(trace, args);
  const TimelineSpec spec{.ranks = {0}, .to = result.end_before, .is_exact = true};
  const auto made = timeline(trace, result, spec, [&](ReplaySink* sink) -> Result<ReplayResult> {
    return replay(trace, args, sink);
  });
  REQUIRE(made);
  const auto waits = [&](const std::vector<TimelineSpan>& bar) {
    std::vector<std::pair<Ticks, Ticks>> found;
    for (const auto& span : bar)
      if (made->kinds[span.kind].doing == Doing::threads_wait)
        found.emplace_back(span.from, span.to);
    return found;
  };
  using Waits = std::vector<std::pair<Ticks, Ticks>>;
  CHECK(waits(made->ranks[0].before) == Waits{{2 * ms, 5 * ms + 20 * us}});
  CHECK(waits(made->ranks[0].after) == Waits{{2 * ms, 3 * ms + 20 * us}});
}

TEST_CASE("a timeline shows threads") {
  const Program program = programs::teams(4).program;
  const Trace trace = read_back(program, run(program));
  const auto result = replay(trace, {});
  const TimelineSpec spec{.ranks = extreme_ranks(result, 8), .to = result.end_before};
  REQUIRE(spec.ranks.back() >= trace.definitions.ranks.size());
  const auto made = timeline(trace, result, spec, [&](ReplaySink* sink) -> Result<ReplayResult> {
    return replay(trace, {}, sink);
  });
  REQUIRE(made);
  CHECK_FALSE(made->ranks.back().before.empty());
}

TEST_CASE("on a machine, only the first threads of ranks are replayed") {
  for (const Program& program : {programs::teams(4).program, programs::kernels({}).program}) {
    const Log log = run(program);
    const auto result = on_machine(read_back(program, log));
    CHECK(result.end_before == log.last() - log.first());
    CHECK(result.verdict.fraction > 0.01);
    CHECK(contains(result.notes, "only the first thread of each rank"));
  }
}

TEST_CASE("on a machine, calls of windows keep their recorded times") {
  for (const Program& program : {programs::locks({}).program, programs::epochs(true).program}) {
    const Log log = run(program);
    const auto result = on_machine(read_back(program, log));
    const auto end = static_cast<double>(log.last() - log.first());
    CHECK(static_cast<double>(result.end_after) > 0.98 * end);
  }
}

TEST_CASE("one call begins and completes collectives") {
  Program program(2);
  Log log(program);
  for (const int rank : {0, 1}) {
    const Time begin = (1 + rank) * ms, end = 3 * ms;
    const auto write = [&](Time time, Write what) { log.write(rank, time, std::move(what)); };
    log.enter(rank, 0, "foo");
    log.leave(rank, begin, "foo");
    log.enter(rank, begin, "MPI_Iallreduce");
    write(begin,
          [](auto* to, auto at) { return OTF2_EvtWriter_MpiCollectiveBegin(to, nullptr, at); });
    write(end, [](auto* to, auto at) {
      return OTF2_EvtWriter_MpiCollectiveEnd(to, nullptr, at, OTF2_COLLECTIVE_OP_ALLREDUCE, 0,
                                             OTF2_UNDEFINED_UINT32, 8, 8);
    });
    write(end, [](auto* to, auto at) {
      return OTF2_EvtWriter_NonBlockingCollectiveRequest(to, nullptr, at, 1);
    });
    write(end + 1, [](auto* to, auto at) {
      return OTF2_EvtWriter_NonBlockingCollectiveComplete(
          to, nullptr, at, OTF2_COLLECTIVE_OP_ALLREDUCE, 0, OTF2_UNDEFINED_UINT32, 8, 8, 1);
    });
    log.leave(rank, end + 1, "MPI_Iallreduce");
  }
  CHECK(check_identity(read_back(program, log)).collectives == 4);
}

TEST_CASE("messages of threads other than the first are omitted with a note") {
  Program program(2, 2);
  program.team_records = Program::TeamRecords::none;
  Log log(program);
  const int worker = program.place(0, 1);
  log.enter(0, 0, "main");
  log.leave(0, 2 * ms, "main");
  log.enter(worker, 1 * ms, "MPI_Send");
  log.write(worker, 1 * ms,
            [](auto* to, auto at) { return OTF2_EvtWriter_MpiSend(to, nullptr, at, 1, 0, 0, 8); });
  log.leave(worker, 2 * ms, "MPI_Send");
  log.enter(1, 0, "MPI_Recv");
  log.write(1, 2 * ms,
            [](auto* to, auto at) { return OTF2_EvtWriter_MpiRecv(to, nullptr, at, 0, 0, 0, 8); });
  log.leave(1, 2 * ms, "MPI_Recv");
  const Trace trace = read_back(program, log);
  CHECK(contains(trace.notes, "is not the first thread of its rank"));
  CHECK(check_identity(trace).verdict.fraction > 0.1);
}
