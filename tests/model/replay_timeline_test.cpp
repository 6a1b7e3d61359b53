// SPDX-License-Identifier: BSD-3-Clause
// The timeline of programs that wait in all kinds of calls (tests/support/truth): its waits are
// those of the metrics.
#include <doctest/doctest.h>

#include <numeric>

#include "sim/replay/on_platform.hpp"
#include "sim/replay/timeline.hpp"
#include "tests/support/test_machine.hpp"
#include "tests/support/truth/programs_collectives.hpp"
#include "tests/support/truth/programs_messages.hpp"
#include "tests/support/truth/programs_nodes.hpp"
#include "tests/support/truth/programs_windows.hpp"
#include "tests/support/truth/replayed.hpp"

using namespace tutti;
using namespace tutti::studies::replay;
using namespace tutti::tests::truth;

namespace {

using workloads::traces::Trace;

bool is_wait(Doing doing) {
  return doing == Doing::point_to_point_wait || doing == Doing::collective_wait ||
         doing == Doing::one_sided_wait || doing == Doing::threads_wait ||
         doing == Doing::accelerator_wait;
}

Ticks blocked(const ReplayResult& result, const MetricTable& metrics, TraceRank rank) {
  Ticks sum = 0;
  for (PathId path = 0; path < result.paths.size(); ++path)
    sum += metrics.of(rank, path)[static_cast<std::size_t>(Metric::blocked)];
  return sum;
}

// Checks each location, and returns the kinds of waits.
std::set<Doing> check_waits(const Trace& trace, const ReplayArgs& args, const Replayer& replayer) {
  const auto result = replayer(args, nullptr);
  REQUIRE(result);
  TimelineSpec spec{
      .to = std::max(result->end_before, result->end_after), .columns = 100'000, .is_exact = true};
  spec.ranks.resize(trace.definitions.locations());
  std::iota(spec.ranks.begin(), spec.ranks.end(), 0U);
  const auto made =
      timeline(trace, *result, spec, [&](ReplaySink* sink) { return replayer(args, sink); });
  REQUIRE(made);
  REQUIRE(made->column == 0);
  std::set<Doing> kinds;
  const auto waits = [&](const std::vector<TimelineSpan>& bar) {
    Ticks sum = 0;
    for (const auto& span : bar) {
      const Doing doing = made->kinds[span.kind].doing;
      if (!is_wait(doing)) continue;
      sum += span.to - span.from;
      kinds.insert(doing);
    }
    return sum;
  };
  for (const auto& rank : made->ranks) {
    CAPTURE(rank.rank);
    CHECK(waits(rank.before) == blocked(*result, result->before, rank.rank));
    CHECK(waits(rank.after) == blocked(*result, result->after, rank.rank));
  }
  return kinds;
}

std::set<Doing> waits_of(const Case& of) {
  const Trace trace = read_back(of.program, run(of.program));
  return check_waits(trace, {.hypothesis = hypothesis_of(of.change)},
                     [&](const ReplayArgs& args, ReplaySink* sink) -> Result<ReplayResult> {
                       return replay(trace, args, sink);
                     });
}

std::set<Doing> only(Doing doing) { return {doing}; }

}  // namespace

TEST_CASE("a timeline shows waits for messages and for receivers") {
  for (const Case& each :
       {programs::late_receiver(), programs::eager_and_rendezvous(), programs::issend_wait(),
        programs::rendezvous_ring(), programs::sendrecv_ring(), programs::probes(true),
        programs::polled_message()})
    CHECK(waits_of(each).contains(Doing::point_to_point_wait));
  CHECK(waits_of(programs::late_receiver()) == only(Doing::point_to_point_wait));
}

TEST_CASE("a timeline shows waits in all kinds of collectives") {
  for (const Case& each :
       {programs::overlapped(call::iallreduce()), programs::overlapped(call::ibcast(1)),
        programs::together(), programs::polled(call::iallreduce()), programs::neighbors({{6}}),
        programs::one_to_all(Library::all_with_last), programs::late_finalize()})
    CHECK(waits_of(each) == only(Doing::collective_wait));
}

TEST_CASE("a timeline shows waits in the synchronization of windows") {
  CHECK(waits_of(programs::fences()).contains(Doing::one_sided_wait));
  CHECK(waits_of(programs::epochs(false)).contains(Doing::one_sided_wait));
  CHECK(waits_of(programs::epochs(true)).contains(Doing::one_sided_wait));
  CHECK(waits_of(programs::locks({})).contains(Doing::one_sided_wait));
  CHECK(waits_of(programs::reordered_locks({.does_lock_wait = true}))
            .contains(Doing::one_sided_wait));
}

TEST_CASE("a timeline shows waits of threads and for accelerators") {
  CHECK(waits_of(programs::teams(2)).contains(Doing::threads_wait));
  CHECK(waits_of(programs::teams(1, false)) == only(Doing::threads_wait));
  CHECK(waits_of(programs::funneled()) ==
        std::set<Doing>{Doing::collective_wait, Doing::threads_wait});
  CHECK(waits_of(programs::kernels({.factor = 2})) ==
        std::set<Doing>{Doing::collective_wait, Doing::accelerator_wait});
}

TEST_CASE("a timeline shows the waits of calls that a hypothesis removes") {
  CHECK(waits_of(programs::empty_messages()).contains(Doing::point_to_point_wait));
  CHECK(waits_of(programs::region_of_messages()).contains(Doing::point_to_point_wait));
}

TEST_CASE("a timeline shows waits on a machine") {
  for (const Case& each : {programs::late_receiver(), programs::overlapped(call::iallreduce()),
                           programs::empty_messages()}) {
    const Trace trace = read_back(each.program, run(each.program));
    const auto ranks = trace.definitions.ranks.size();
    const auto machine = tests::test_machine(static_cast<platforms::HostId>(ranks));
    const auto placement = tests::test_placement(static_cast<int>(ranks), 1);
    check_waits(trace, {.hypothesis = hypothesis_of(each.change)},
                [&](const ReplayArgs& args, ReplaySink* sink) {
                  return replay_on_platform(trace, args, {machine, placement}, sink);
                });
  }
}
