// SPDX-License-Identifier: BSD-3-Clause
// Every algorithm of every collective ends at the same time in both timed engines, on crill and on
// a torus.
#include <doctest/doctest.h>

#include "tests/support/agreement.hpp"
#include "tests/support/plain_algorithms.hpp"
#include "tests/support/test_machine.hpp"

using namespace tutti;

namespace {

constexpr double tolerance = 1e-9;

// By how much the ends move when the ranks' starts are nudged by ten times what the engines tell
// apart in dates (1e-15 s): some jobs are chaotic (rings of many steps inside nodes, where each
// rank's core is shared by its message in and its message out), and no two engines agree on them
// beyond that.
constexpr Seconds nudge_s = 1e-14;

double sensitivity(const engines::Job& job) {
  engines::Job moved = job;
  moved.program = [&job](runtime::Rank& me) {
    me.sleep(nudge_s * (1 + me.id() % 7));
    return job.program(me);
  };
  return tests::largest_difference(tests::flow_ends(job), tests::flow_ends(moved));
}

void check_agreement(const engines::Job& job) {
  const double difference = tests::disagreement(job);
  if (difference <= tolerance) return;
  const double response = sensitivity(job);
  CAPTURE(response);
  CHECK(difference <= 10 * response);
}

void check_all(const platforms::Machine& machine, int procs, int ppn, Bytes bytes) {
  const auto placement = platforms::place(machine, {.procs = procs, .ppn = ppn, .file = {}});
  REQUIRE(placement);
  for (const auto* algorithm : tests::plain_algorithms()) {
    const bool is_barrier = algorithm->collective == "barrier";
    const algorithms::CollectiveArgs call{.message_bytes = is_barrier ? 0 : bytes,
                                          .segment_bytes = algorithm->segmented ? bytes / 3 : 0,
                                          .fanout = algorithm->default_fanout,
                                          .max_requests = algorithm->limits_requests ? 4 : 0};
    if (algorithm->runs != nullptr && !algorithm->runs({procs, call})) continue;
    CAPTURE(algorithm->collective);
    CAPTURE(algorithm->name);
    CAPTURE(procs);
    CAPTURE(bytes);
    check_agreement({.machine = machine,
                     .placement = *placement,
                     .program = [&](runtime::Rank& me) { return algorithm->program(me, call); }});
  }
}

}  // namespace

TEST_CASE("every algorithm on crill: 17, 64 and 144 processes, small and large messages") {
  ::setenv("TUTTI_CATALOG", TUTTI_SOURCE_DIR "/platforms/catalog", 1);
  const auto crill = platforms::load_machine("crill");
  REQUIRE(crill);
  for (const Bytes bytes : {600, 60000}) {
    check_all(*crill, 17, 2, bytes);
    check_all(*crill, 64, 8, bytes);
  }
  check_all(*crill, 144, 48, 3000);
}

TEST_CASE("every algorithm on a torus: 17, 64 and 144 processes") {
  const platforms::Machine torus = tests::machine_of(tests::shapes_of_64()[5]);
  check_all(torus, 17, 1, 3000);
  check_all(torus, 64, 2, 30000);
  check_all(torus, 144, 3, 2000);
}
