// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "tests/support/files.hpp"
#include "tests/support/traces.hpp"
#include "workloads/traces/otf2_reader.hpp"

namespace {

using namespace tutti;
using namespace tutti::workloads::traces;

}  // namespace

TEST_CASE("a trace of Score-P with sub-communicators and non-blocking messages") {
  const std::string path = tests::shared_trace("real/sst");
  if (path.empty()) return;
  const auto trace = read_otf2(path);
  REQUIRE(trace);
  CHECK(trace->notes == std::vector<std::string>{});
  CHECK(trace->definitions.creator == "Score-P 2.0.2");
  CHECK(trace->definitions.ranks.size() == 10);
  CHECK(trace->definitions.ranks[3] == "MPI Rank 3");
  CHECK(trace->events.count() == 22180);
  CHECK(trace->first == 3971700851802709);
  const auto& communicators = trace->definitions.communicators;
  REQUIRE(communicators.size() == 8);
  CHECK(communicators[0].name == "MPI_COMM_WORLD");
  CHECK(communicators[0].members == std::vector<TraceRank>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  CHECK(communicators[1].members.size() == 2);
  CHECK(communicators[5].name == "MPI_COMM_SELF");
  CHECK(communicators[5].members.empty());
}
