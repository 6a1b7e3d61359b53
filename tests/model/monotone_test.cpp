// SPDX-License-Identifier: BSD-3-Clause
// A larger message never takes less time: all broadcasts on crill, around the limits of its
// protocol and of typical placements, down to the byte. The flow engine runs them all; a covering
// array of them also runs in simgrid, and ends at the same time.
#include <doctest/doctest.h>

#include <array>
#include <cstdlib>
#include <set>
#include <vector>

#include "algorithms/collective.hpp"
#include "platforms/reader.hpp"
#include "tests/support/covering.hpp"
#include "tests/support/plain_algorithms.hpp"
#include "tests/support/run_in_child.hpp"

using namespace tutti;

namespace {

enum class On { flow, both_engines };

double time_of(const platforms::Machine& machine, const platforms::Placement& placement,
               const algorithms::Algorithm& algorithm, Bytes message_bytes, On on) {
  const algorithms::CollectiveArgs call{.message_bytes = message_bytes,
                                        .fanout = algorithm.default_fanout};
  const engines::Job job{machine, placement,
                         [&](runtime::Rank& me) { return algorithm.program(me, call); }};
  return on == On::both_engines ? tests::end_of(job) : tests::flow_end_of(job);
}

struct JobSize {
  int procs;
  int ppn;
};
constexpr JobSize jobs[] = {{16, 1}, {45, 48}, {48, 48}, {60, 5}, {64, 8}};

// From 64 B on every algorithm runs itself (below, scatter_allgather has too few elements).
constexpr Bytes sizes[] = {64,    1024,  4096,  4097,  8192,  12287,  12288,
                           12289, 16384, 65535, 65536, 65537, 131072, 1048576};

// The algorithms, jobs and sizes that run on both engines.
using Cases = std::set<std::array<std::size_t, 3>>;
Cases cases_for_both_engines(std::size_t algorithms) {
  Cases cases;
  tests::for_each_case<3>({algorithms, std::size(jobs), std::size(sizes)}, {.seed = 1},
                          [&](const auto& levels) { cases.insert(levels); });
  return cases;
}

// A slightly larger message may take a little less time than another one.
constexpr double anomaly = 0.1;

}  // namespace

TEST_CASE("a larger message takes longer") {
  ::setenv("TUTTI_CATALOG", TUTTI_SOURCE_DIR "/platforms/catalog", 1);
  const auto machine = platforms::load_machine("crill");
  REQUIRE(machine);
  // Those of other sets may serve the child with the largest subtree first. Eager messages to all
  // children share the NIC, so that one beyond the eager limit reaches this child earlier.
  auto broadcasts = tests::general_algorithms_of("bcast");
  std::erase_if(broadcasts, [](const auto* each) { return !each->set.empty(); });
  const Cases both = cases_for_both_engines(broadcasts.size());
  for (std::size_t job = 0; job < std::size(jobs); ++job) {
    const auto placement =
        platforms::place(*machine, {.procs = jobs[job].procs, .ppn = jobs[job].ppn, .file = {}});
    REQUIRE(placement);
    for (std::size_t algorithm = 0; algorithm < broadcasts.size(); ++algorithm) {
      std::vector<std::pair<Bytes, double>> smaller;
      for (std::size_t size = 0; size < std::size(sizes); ++size) {
        const Bytes bytes = sizes[size];
        const double time_s =
            time_of(*machine, *placement, *broadcasts[algorithm], bytes,
                    both.contains({algorithm, job, size}) ? On::both_engines : On::flow);
        CAPTURE(jobs[job].procs);
        CAPTURE(jobs[job].ppn);
        CAPTURE(broadcasts[algorithm]->name);
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
