// SPDX-License-Identifier: BSD-3-Clause
// A larger message never takes less time: all broadcasts on crill, around the limits of its
// protocol and of the placements that people use, down to the byte.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "algorithms/collective.hpp"
#include "platforms/reader.hpp"
#include "tests/support/plain_algorithms.hpp"
#include "tests/support/run_in_child.hpp"

using namespace tutti;

namespace {

double time_of(const platforms::Machine& machine, const platforms::Placement& placement,
               const algorithms::Algorithm& algorithm, Bytes message_bytes) {
  const algorithms::CollectiveArgs call{.message_bytes = message_bytes,
                                        .fanout = algorithm.default_fanout};
  return tests::end_of(
      {machine, placement, [&](runtime::Rank& me) { return algorithm.program(me, call); }});
}

}  // namespace

TEST_CASE("a larger message takes longer") {
  ::setenv("TUTTI_CATALOG", TUTTI_SOURCE_DIR "/platforms/catalog", 1);
  const auto machine = platforms::load_machine("crill");
  REQUIRE(machine);
  struct Job {
    int procs;
    int ppn;
  };
  // From 64 B on every algorithm runs itself (below, scatter_allgather has too few elements).
  constexpr double anomaly = 0.1;
  const Bytes sizes[] = {64,    1024,  4096,  4097,  8192,  12287,  12288,
                         12289, 16384, 65535, 65536, 65537, 131072, 1048576};
  for (const Job job : {Job{16, 1}, Job{45, 48}, Job{48, 48}, Job{60, 5}, Job{64, 8}}) {
    const auto placement =
        platforms::place(*machine, {.procs = job.procs, .ppn = job.ppn, .file = {}});
    REQUIRE(placement);
    for (const auto* algorithm : tests::plain_algorithms_of("bcast")) {
      std::vector<std::pair<Bytes, double>> smaller;
      for (const Bytes bytes : sizes) {
        const double time_s = time_of(*machine, *placement, *algorithm, bytes);
        CAPTURE(job.procs);
        CAPTURE(job.ppn);
        CAPTURE(algorithm->name);
        CAPTURE(bytes);
        for (const auto& [smaller_bytes, smaller_s] : smaller) {
          CAPTURE(smaller_bytes);
          CHECK(time_s > smaller_s * (bytes >= 2 * smaller_bytes ? 1 : 1 - anomaly));
        }
        smaller.emplace_back(bytes, time_s);
      }
    }
  }
}
