// SPDX-License-Identifier: BSD-3-Clause
// The critical path and the costs of delays through all that ranks, threads and streams wait for,
// on programs whose times are known by construction (tests/support/truth).
#include <doctest/doctest.h>

#include "sim/replay/replay.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/truth/programs_collectives.hpp"
#include "tests/support/truth/programs_messages.hpp"
#include "tests/support/truth/programs_nodes.hpp"
#include "tests/support/truth/programs_windows.hpp"
#include "tests/support/truth/replayed.hpp"

using namespace tutti;
using namespace tutti::studies::replay;
using namespace tutti::tests::truth;
using tests::close_to;

namespace {

Ticks sum_of(const MetricTable& table, Metric metric) {
  return table.total()[static_cast<std::size_t>(metric)];
}

// A replay of the program with its causes; the times of regions, wherever they are called.
struct Caused {
  explicit Caused(const Program& program, const Hypothesis& hypothesis = {})
      : trace(read_back(program, run(program))),
        result(replay(trace, {.hypothesis = hypothesis, .causes = true})) {}

  Ticks of(const MetricTable& table, int rank, const std::string& region, Metric metric) const {
    Ticks sum = 0;
    for (PathId path = 0; path < result.paths.size(); ++path) {
      const std::string name = "/" + result.paths.name(path, trace.definitions.regions);
      if (name.ends_with("/" + region))
        sum += table.of(static_cast<TraceRank>(rank), path)[static_cast<std::size_t>(metric)];
    }
    return sum;
  }
  Ticks critical(int rank, const std::string& region) const {
    return of(result.before, rank, region, Metric::critical_path);
  }
  Ticks delay(int rank, const std::string& region) const {
    return of(result.before, rank, region, Metric::delay_direct) +
           of(result.before, rank, region, Metric::delay_indirect);
  }

  workloads::traces::Trace trace;
  ReplayResult result;
};

// The critical path adds up to the run time; all waits of ranks are charged.
void check_sums(const MetricTable& metrics, Ticks end) {
  CHECK(sum_of(metrics, Metric::critical_path) == end);
  const Ticks charged =
      sum_of(metrics, Metric::delay_direct) + sum_of(metrics, Metric::delay_indirect);
  CHECK(charged >= sum_of(metrics, Metric::blocked) - 100);  // rounded by path and rank
}

void check_sums(const Case& of) {
  const Caused found(of.program, hypothesis_of(of.change));
  check_sums(found.result.before, found.result.end_before);
  check_sums(found.result.after, found.result.end_after);
}

constexpr Library all_with_last = Library::all_with_last,
                  root_and_members = Library::root_and_members;

}  // namespace

TEST_CASE("causes add up through messages") {
  using namespace programs;
  for (const Case& each :
       {late_receiver(), late_receiver(1), receiver_becomes_late(), eager_and_rendezvous(2),
        rendezvous_only(), issend_wait(3), rendezvous_ring(4), early_post(5), sendrecv_ring(6),
        half_chain(), chain(), wavefront(7), empty_messages(), region_of_messages(), probes(false),
        probes(true), messages_but_no_regions({.balance = ""})})
    check_sums(each);
}

TEST_CASE("causes add up through collectives") {
  using namespace programs;
  for (const Case& each :
       {one_to_all(all_with_last, 8), one_to_all(Library::by_definition),
        all_to_one(root_and_members, 9), all_to_one(Library::by_definition, 9),
        scans(all_with_last, 10), scan_only(all_with_last), in_rows_and_columns(14),
        neighbors({{2}, true, false}), late_finalize(), splits()})
    check_sums(each);
}

TEST_CASE("causes add up through nonblocking collectives") {
  using namespace programs;
  for (const Case& each :
       {overlapped(call::iallreduce(), 500 * us, 11), overlapped(call::ibcast(1), 500 * us, 11),
        overlapped(call::ireduce(1), 500 * us, 11), reversed(12), together(13), with_messages(),
        tested(call::iallreduce()), polled(call::iallreduce()), polled_message()})
    check_sums(each);
}

TEST_CASE("causes add up through windows") {
  using namespace programs;
  for (const Case& each :
       {fences(15), epochs(false, 16), epochs(true, 16), one_target(false), one_target(true),
        locks({}, 17), locks({.does_lock_wait = true}, 18), reordered_locks({}),
        reordered_locks({.does_lock_wait = true}), locks({.is_shared = true})})
    check_sums(each);
}

TEST_CASE("causes add up through threads and streams") {
  using namespace programs;
  for (const Case& each :
       {teams(1), teams(4, true, 19), teams(1, false), funneled(), idle_master({.balance = "foo"}),
        kernels({}), kernels({.has_mpi = false}), kernels({.awaits = "cudaMemcpy"}, 20),
        two_streams(true, 2), two_streams(false, 0.5), hidden_kernel(4), queued_kernels(2),
        programs::mixed(std::uint64_t{21})})
    check_sums(each);
}

TEST_CASE("a sender waits for what its receiver computes") {
  const Caused found(programs::late_receiver().program);
  CHECK(found.critical(1, "foo") == 8 * 5 * ms);
  CHECK(found.critical(0, "foo") == 0);
  CHECK(static_cast<double>(found.delay(1, "foo")) ==
        close_to(8.0 * 4 * ms, 0.001));  // the rest: overhead of MPI_Recv
  CHECK(found.delay(0, "foo") == 0);
}

// Rank r computes 1 + r ms of foo before the first call, then 4 - r ms of bar and 1 + r of foo.
TEST_CASE("members of a scan wait for the last one if the trace shows it") {
  const Caused found(programs::scan_only(all_with_last).program);
  CHECK(found.critical(3, "foo") == 4 * ms);
  CHECK(found.delay(3, "foo") == (3 + 2 + 1) * ms);
}

// A different rank computes 3 ms longer in each iteration.
TEST_CASE("members of a nonblocking collective wait for the last one to begin") {
  const Caused found(programs::overlapped(call::iallreduce()).program);
  Ticks critical = 0;
  for (int rank = 0; rank < 4; ++rank) {
    critical += found.critical(rank, "foo");
    CHECK(found.delay(rank, "foo") > 7 * ms);
  }
  CHECK(critical == 8 * 4 * ms);
}

TEST_CASE("origins wait for the late post of a target, the target for late completes") {
  const Caused found(programs::one_target(false).program);
  CHECK(found.critical(3, "foo") == 4 * 4 * ms);
  CHECK(found.critical(0, "foo") == 4 * 4 * ms);
  CHECK(found.delay(1, "foo") < ms);
  CHECK(found.delay(0, "foo") > 20 * ms);
}

TEST_CASE("ranks wait for those that have a lock") {
  const Caused found(programs::locks({}).program);
  CHECK(found.critical(0, "update") == 8 * 800 * us);
  CHECK(found.critical(0, "foo") == 8 * 1 * ms);
  for (const int rank : {0, 1, 2}) CHECK(found.delay(rank, "update") > ms);
  CHECK(found.delay(0, "foo") == 0);
}

TEST_CASE("threads wait for the fork, a master at the barrier for its threads") {
  const Caused found(programs::idle_master({}).program);
  CHECK(found.critical(0, "serial") == 8 * ms);
  CHECK(found.critical(3, "foo") == 8 * 4 * ms);
  CHECK(found.delay(0, "serial") > 24 * ms);  // of three idle threads
  CHECK(found.delay(3, "foo") > 32 * ms);
}

TEST_CASE("a host waits for its kernels") {
  const Caused found(programs::kernels({.has_mpi = false}).program);
  CHECK(found.critical(1, "kernel_a") == 2 * (1 + 3) * 4 * ms - 16 * ms);
  CHECK(found.critical(1, "kernel_b") == 8 * 600 * us);
  CHECK(found.critical(0, "foo") == 2 * (1 + 2 + 3 + 4) * 100 * us);
}
