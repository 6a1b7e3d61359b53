// SPDX-License-Identifier: BSD-3-Clause
// Replays of programs whose times are known by construction (tests/support/truth):
// written as OTF2 archives, read, and replayed unchanged and with a hypothesis, whose truth is the
// end of the really changed program.
#include <doctest/doctest.h>

#include "sim/replay/replay.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/truth/programs_collectives.hpp"
#include "tests/support/truth/programs_messages.hpp"
#include "tests/support/truth/programs_nodes.hpp"
#include "tests/support/truth/programs_streams.hpp"
#include "tests/support/truth/programs_windows.hpp"
#include "tests/support/truth/replayed.hpp"
#include "tests/support/truth/waits.hpp"

using namespace tutti;
using namespace tutti::studies::replay;
using namespace tutti::tests::truth;
using tests::close_to;

namespace {

constexpr Library by_definition = Library::by_definition, all_with_last = Library::all_with_last,
                  root_and_members = Library::root_and_members;
// 0 for wait states that replays do not know.
Ticks total(const MetricTable& table, const std::string& wait_state) {
  const auto found = std::find(metric_names.begin(), metric_names.end(), wait_state);
  return found == metric_names.end()
             ? 0
             : table.total()[static_cast<std::size_t>(found - metric_names.begin())];
}

void check_waits(const MetricTable& found, const Log& log) {
  for (const auto& expected : wait_states(log.history))
    CHECK_MESSAGE(total(found, expected.first) == expected.second, expected.first);
}

// The new times of the ranks' events. Locations behind the ranks are ignored.
struct RankTimes : ReplaySink {
  explicit RankTimes(int ranks) : times(static_cast<std::size_t>(ranks)) {}
  void event(TraceRank rank, Ticks time, bool keeps) override {
    if (keeps && rank < times.size()) times[rank].push_back(time);
  }
  std::vector<std::vector<Ticks>> times;
};

// Every event has its time in the changed program. Where a test succeeds there instead, the numbers
// of events differ.
void check_events(const RankTimes& found, const Log& truth) {
  for (std::size_t rank = 0; rank < found.times.size(); ++rank) {
    const auto& times = found.times[rank];
    auto records = truth.records[rank];
    std::erase_if(records, [](const Record& each) { return each.is_passive; });
    if (times.size() != records.size()) continue;
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < times.size(); ++i)
      if (times[i] != records[i].time - truth.first()) ++wrong;
    CHECK_MESSAGE(wrong == 0, "of ", times.size(), " events of rank ", rank);
  }
}

void check_identity(const workloads::traces::Trace& trace, const Log& log) {
  const auto result = replay(trace, {});
  CHECK(result.end_before == log.last() - log.first());
  CHECK(result.end_after == result.end_before);
  CHECK(result.largest_deviation == 0);
  CHECK(result.violations.receives + result.violations.collectives == 0);
  check_waits(result.before, log);
}

double percent(Ticks part, Ticks whole) {
  return 100 * (static_cast<double>(part) / static_cast<double>(whole) - 1);
}

void check_replay(const Case& of) {
  const Log log = run(of.program), truth = run(changed(of.program, of.change));
  const auto trace = read_back(of.program, log);
  check_identity(trace, log);
  RankTimes times(of.program.rank_count);
  const auto result = replay(trace, {.hypothesis = hypothesis_of(of.change)}, &times);
  const Ticks before = log.last() - log.first(), expected = truth.last() - truth.first();
  MESSAGE(before, " -> ", result.end_after, " ns, really ", expected, " ns (",
          percent(expected, before), " %): error ", percent(result.end_after, expected), " %");
  CHECK(static_cast<double>(result.end_after) == close_to(static_cast<double>(expected), 0.01));
  if (!of.is_exact) return;
  CHECK(result.end_after == expected);
  check_events(times, truth);
  check_waits(result.after, truth);
}

}  // namespace

TEST_CASE("the programs have the times of their formulas") {
  const auto end = [](const Program& program) {
    const Log log = run(program);
    return log.last() - log.first();
  };
  const auto ssend = programs::late_receiver();
  CHECK(end(ssend.program) == 8 * (gap + 5 * ms + gap + o + L + 8 * G) + gap);
  CHECK(end(changed(ssend.program, ssend.change)) ==
        8 * (gap + 3 * ms + gap + o + L + 8 * G) + gap);
  CHECK(end(programs::scan_only(all_with_last).program) ==
        (gap + 4 * ms + gap + C) + 7 * (3 * gap + 5 * ms + C) + (gap + 4 * ms) + gap);
  CHECK(end(programs::late_finalize().program) == (gap + 4 * ms + gap + C) + (gap + 2 * ms) + gap);
  CHECK(end(programs::teams(1).program) ==
        8 * (16 * gap + 3 * o + C + (300 + 4000 + 400 + 50) * us) + gap);
  CHECK(end(programs::kernels({.has_mpi = false}).program) == 8 * (3 * gap + o + L + 600 * us + o) +
                                                                  2 * (100 + 200 + 300 + 400) * us +
                                                                  4 * (1 + 3) * ms + gap);
  CHECK(end(programs::neighbors({{2}, true, false}).program) == 8 * (gap + 2 * ms + gap + C) + gap);
}

TEST_CASE("MPI_Ssend waits for a late receiver") { check_replay(programs::late_receiver()); }
TEST_CASE("MPI_Ssend waits for a late receiver, with noise") {
  check_replay(programs::late_receiver(1));
}
TEST_CASE("MPI_Ssend waits for a receiver that becomes late") {
  check_replay(programs::receiver_becomes_late());
}
TEST_CASE("large standard sends wait, small ones do not") {
  check_replay(programs::eager_and_rendezvous());
  check_replay(programs::eager_and_rendezvous(2));
}
TEST_CASE("all standard sends wait") { check_replay(programs::rendezvous_only()); }
TEST_CASE("MPI_Wait for an MPI_Issend waits for the receiver") {
  check_replay(programs::issend_wait());
  check_replay(programs::issend_wait(3));
}
TEST_CASE("MPI_Waitall waits for large sends and receives") {
  check_replay(programs::rendezvous_ring());
  check_replay(programs::rendezvous_ring(4));
}
TEST_CASE("a large send finds an early MPI_Irecv") {
  check_replay(programs::early_post());
  check_replay(programs::early_post(5));
}
TEST_CASE("MPI_Sendrecv of large messages waits for both neighbors") {
  check_replay(programs::sendrecv_ring());
  check_replay(programs::sendrecv_ring(6));
}
TEST_CASE("a chain of synchronous sends") { check_replay(programs::chain()); }
TEST_CASE("a chain of synchronous sends, changed in its first half") {
  check_replay(programs::half_chain());
}
TEST_CASE("a wavefront of large messages") { check_replay(programs::wavefront()); }
TEST_CASE("a wavefront of large messages, with noise") { check_replay(programs::wavefront(7)); }
TEST_CASE("removing empty synchronous messages") { check_replay(programs::empty_messages()); }
TEST_CASE("removing a region of synchronous messages") {
  check_replay(programs::region_of_messages());
}
TEST_CASE("MPI_Probe waits for a small message") { check_replay(programs::probes(false)); }
TEST_CASE("MPI_Probe waits for a large message") { check_replay(programs::probes(true)); }

TEST_CASE("computation outside all regions, scaled") {
  check_replay(programs::nothing_but_mpi({.scale = "", .factor = 0.5}));
  check_replay(programs::messages_but_no_regions({.scale = "", .factor = 0.5}));
}
TEST_CASE("computation outside all regions, balanced") {
  check_replay(programs::nothing_but_mpi({.balance = ""}));
}

TEST_CASE("bcast and scatter by definition") { check_replay(programs::one_to_all(by_definition)); }
TEST_CASE("reduce and gather by definition") { check_replay(programs::all_to_one(by_definition)); }
TEST_CASE("scan and exscan by definition") { check_replay(programs::scans(by_definition)); }
TEST_CASE("bcast and scatter end for all with the last") {
  check_replay(programs::one_to_all(all_with_last));
}
TEST_CASE("reduce and gather end for all with the last") {
  check_replay(programs::all_to_one(all_with_last));
}
TEST_CASE("scan and exscan end for all with the last") {
  check_replay(programs::scans(all_with_last));
}
TEST_CASE("the root of bcast and scatter waits for all") {
  check_replay(programs::one_to_all(root_and_members));
}
TEST_CASE("members of reduce and gather wait for the root") {
  check_replay(programs::all_to_one(root_and_members));
}
TEST_CASE("rooted collectives with noise, in three libraries") {
  for (const Library library : {by_definition, all_with_last, root_and_members}) {
    check_replay(programs::one_to_all(library, 8));
    check_replay(programs::all_to_one(library, 9));
    check_replay(programs::scans(library, 10));
  }
}
TEST_CASE("the dissertation's scan") {
  check_replay(programs::scan_only(by_definition));
  check_replay(programs::scan_only(all_with_last));
}

TEST_CASE("nonblocking collectives wait in MPI_Wait") {
  for (const Meet& each :
       {call::iallreduce(), call::ibcast(1), call::ibarrier(), call::ialltoall()})
    check_replay(programs::overlapped(each));
}
TEST_CASE("a rank waits for the others in MPI_Wait of an MPI_Ireduce") {
  check_replay(programs::overlapped(call::ireduce(2)));
}
TEST_CASE("nonblocking collectives hidden behind computation") {
  check_replay(programs::overlapped(call::iallreduce(), 4 * ms));
  check_replay(programs::overlapped(call::ibcast(0), 4 * ms, 11));
}
TEST_CASE("a nonblocking collective that is no longer hidden") {
  Case shown = programs::overlapped(call::iallreduce(), 4 * ms);
  shown.change = {.scale = "bar", .factor = 0.125};
  shown.is_exact = false;  // the trace does not show how long the collective takes
  check_replay(shown);
}
TEST_CASE("two nonblocking collectives at once, completed in reverse order") {
  check_replay(programs::reversed());
  check_replay(programs::reversed(12));
}
TEST_CASE("several nonblocking collectives in one MPI_Waitall") {
  check_replay(programs::together());
  check_replay(programs::together(13));
}
TEST_CASE("a nonblocking collective and messages in one MPI_Waitall") {
  check_replay(programs::with_messages());
}
TEST_CASE("nonblocking collectives of rows and columns") {
  check_replay(programs::in_rows_and_columns());
  check_replay(programs::in_rows_and_columns(14));
}
TEST_CASE("nonblocking collectives with tests before the wait") {
  check_replay(programs::tested(call::iallreduce()));
  check_replay(programs::tested(call::ibarrier()));
}
TEST_CASE("a nonblocking collective that is polled") {
  check_replay(programs::polled(call::iallreduce()));
}
TEST_CASE("a message that is polled") { check_replay(programs::polled_message()); }

namespace {

// The same with passive records between all others, and with the records of unwinding.
void check_replay_with_passive(Case of) {
  of.program.has_metrics = true;
  check_replay(of);
  of.program.is_unwound = true;
  check_replay(of);
}

}  // namespace

TEST_CASE("metrics, parameters and samples do not change a replay") {
  check_replay_with_passive(programs::polled_message());
  check_replay_with_passive(programs::late_finalize());
  check_replay_with_passive(programs::teams(1));
  check_replay_with_passive(programs::kernels({}));
  check_replay_with_passive(programs::overlapped(call::iallreduce()));
}

TEST_CASE("neighbors on a ring") { check_replay(programs::neighbors({{6}})); }
TEST_CASE("neighbors on a line") { check_replay(programs::neighbors({{6}, true, false})); }
TEST_CASE("neighbors on a torus") { check_replay(programs::neighbors({{4, 4}})); }
TEST_CASE("neighbors on a torus, nonblocking and with noise") {
  check_replay(programs::neighbors({{4, 4}}, false));
  check_replay(programs::neighbors({{4, 4}}, false, 15));
}
TEST_CASE("neighbors without a topology in the archive") {
  check_replay(programs::neighbors({{6}, false}));
}

TEST_CASE("MPI_Finalize ends for all after the last rank") {
  check_replay(programs::late_finalize());
}
TEST_CASE("creating communicators synchronizes") { check_replay(programs::splits()); }

TEST_CASE("fences") {
  check_replay(programs::fences());
  check_replay(programs::fences(16));
}
TEST_CASE("post, start, complete, wait: complete waits for the post") {
  check_replay(programs::epochs(false));
  check_replay(programs::one_target(false));
  check_replay(programs::epochs(false, 17));
}
TEST_CASE("the end of an exposure epoch is polled") {
  check_replay(programs::one_target(false, Epoch::Call::test_until_done));
}
TEST_CASE("post, start, complete, wait: start waits for the post") {
  check_replay(programs::epochs(true));
  check_replay(programs::one_target(true));
  check_replay(programs::epochs(true, 18));
}
TEST_CASE("an unlock waits for the preceding holder") {
  check_replay(programs::locks({}));
  check_replay(programs::locks({}, 19));
  check_replay(programs::reordered_locks({}));
}
TEST_CASE("a lock waits for the preceding holder") {
  check_replay(programs::locks({.does_lock_wait = true}));
  check_replay(programs::reordered_locks({.does_lock_wait = true}));
}
TEST_CASE("a lock with a recorded grant waits for the preceding holder") {
  const programs::Locks recorded{.does_lock_wait = true, .has_acquire_records = true};
  check_replay(programs::locks(recorded));
  check_replay(programs::locks(recorded, 20));
  check_replay(programs::reordered_locks(recorded));
}
TEST_CASE("shared locks do not wait for each other") {
  check_replay(programs::locks({.is_shared = true}));
}

TEST_CASE("a team of threads in one rank") { check_replay(programs::teams(1)); }
TEST_CASE("teams of threads in four ranks") {
  check_replay(programs::teams(4));
  check_replay(programs::teams(4, true, 20));
}
TEST_CASE("masters meet while their workers compute") { check_replay(programs::funneled()); }
TEST_CASE("a team of threads without MPI") { check_replay(programs::teams(1, false)); }
TEST_CASE("threads are idle between parallel regions") {
  check_replay(programs::idle_master({.balance = "foo"}));
  check_replay(programs::idle_master({.scale = "foo", .factor = 2}));
  check_replay(programs::idle_master({.scale = "serial", .factor = 0.5}));
}

TEST_CASE("teams of threads without records of them") {
  using Records = Program::TeamRecords;
  for (const Records records : {Records::omp_fork, Records::none})
    for (Case each : {programs::teams(1), programs::teams(1, false), programs::teams(4, true, 21),
                      programs::funneled(), programs::idle_master({.balance = "foo"}),
                      programs::idle_master({.scale = "foo", .factor = 2}),
                      programs::idle_master({.scale = "serial", .factor = 0.5})}) {
      each.program.team_records = records;
      check_replay(each);
    }
}

TEST_CASE("kernels end before the synchronization of their stream") {
  check_replay(programs::kernels({}));
  check_replay(programs::kernels({.factor = 2}));
}
TEST_CASE("kernels are hidden behind a host that computes longer") {
  Case slower = programs::kernels({});
  slower.change = {.scale = "host", .factor = 16};
  check_replay(slower);
}
TEST_CASE("kernels end before the synchronization of the device") {
  check_replay(programs::kernels({.awaits = "cudaDeviceSynchronize"}));
}
TEST_CASE("kernels end before a copy") {
  check_replay(programs::kernels({.awaits = "cudaMemcpy", .factor = 2}));
}
TEST_CASE("kernels without MPI") {
  check_replay(programs::kernels({.has_mpi = false}));
  check_replay(programs::queued_kernels(0.5));
  check_replay(programs::queued_kernels(2));
}
TEST_CASE("two streams") {
  check_replay(programs::two_streams(true, 2));
  check_replay(programs::two_streams(false, 0.5));
}
TEST_CASE("a kernel is hidden behind the host until it takes longer") {
  check_replay(programs::hidden_kernel(0.5));
  check_replay(programs::hidden_kernel(4));
}

TEST_CASE("a stream waits for another one") {
  for (const std::string awaits : {"cudaDeviceSynchronize", "cudaEventSynchronize", "cudaMemcpy"})
    for (const double factor : {0.25, 4.0}) {
      CAPTURE(awaits);
      check_replay(programs::ordered_streams({.scale = "kernel_a", .factor = factor}, awaits));
      check_replay(programs::ordered_streams({.scale = "kernel_c", .factor = factor}, awaits, 22));
      check_replay(programs::ordered_streams({.balance = "foo"}, awaits, 23));
    }
}
TEST_CASE("a stream waits for another one that is done, until it takes longer") {
  check_replay(programs::hidden_order(0.5));
  check_replay(programs::hidden_order(8));
}
TEST_CASE("queries of streams and events wait") {
  for (const Time body : {Time{0}, 3 * us})
    for (const QueryStreams& query :
         {QueryStreams{"cudaStreamQuery", {0}}, QueryStreams{"cudaEventQuery", {}, 0}})
      for (const Change& change :
           {Change{.scale = "kernel_a", .factor = 0.25}, Change{.scale = "kernel_a", .factor = 3},
            Change{.balance = "foo"}, Change{.scale = "host", .factor = 4}}) {
        CAPTURE(body);
        CAPTURE(query.region);
        check_replay(programs::queried(query, body, change, 24));
      }
}
TEST_CASE("target regions wait for their kernels") {
  check_replay(programs::targets(0.25));
  check_replay(programs::targets(3));
}
TEST_CASE("kernels of a collective wait for their peers") {
  for (const Change& change :
       {Change{.scale = "kernel_a", .factor = 0.25}, Change{.scale = "kernel_a", .factor = 2},
        Change{.scale = "kernel_b", .factor = 4}, Change{.balance = "foo"},
        Change{.scale = "foo", .factor = 16},
        Change{.scale = programs::allreduce_kernel, .factor = 3}}) {
    check_replay(programs::overlapped_sum(change));
    check_replay(programs::overlapped_sum(change, 25));
    check_replay(programs::sums_of_halves(change));
  }
}
TEST_CASE("cudaMemcpy waits for its copy, cudaMemcpyAsync does not") {
  for (const Change& change :
       {Change{.scale = "kernel_a", .factor = 0.25}, Change{.scale = "kernel_a", .factor = 3},
        Change{.scale = "host", .factor = 6}, Change{.balance = "foo"}}) {
    check_replay(programs::copies(change));
    check_replay(programs::copies(change, 26));
  }
}

TEST_CASE("messages, a nonblocking sum, and threads") {
  check_replay(programs::mixed());
  check_replay(programs::mixed(21));
}
