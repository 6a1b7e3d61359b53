// SPDX-License-Identifier: BSD-3-Clause
// tests/model/engines_agree_test.cpp at up to 1,024 ranks, with an audit of over a million solves
// of the flow engine.
#include <doctest/doctest.h>

#include "tests/support/agreement.hpp"
#include "tests/support/share_audit.hpp"
#include "tests/support/test_machine.hpp"

using namespace tutti;
using namespace tutti::tests;

namespace {

constexpr double tolerance = 1e-9;

void check_agreement(const Shape& shape, int procs, int ppn, const PatternArgs& args) {
  const platforms::Machine machine = machine_of(shape);
  const platforms::Placement placement = test_placement(procs, ppn);
  for (const NamedProgram& each : programs(args)) {
    CAPTURE(shape.name);
    CAPTURE(each.name);
    CAPTURE(procs);
    CAPTURE(ppn);
    CAPTURE(args.bytes);
    CAPTURE(args.skew_s);
    CHECK(disagreement({.machine = machine, .placement = placement, .program = each.program}) <=
          tolerance);
  }
}

}  // namespace

TEST_CASE("flow and simgrid end at the same time: 2 to 64 ranks, eager or not, skewed or not") {
  for (const Shape& shape : shapes_of_64())
    for (const int procs : {2, 3, 4, 7, 8, 16, 31, 64})
      for (const Bytes bytes : {0, 1, 700, 9000, 300'000})
        for (const double skew_s : {0.0, 3e-6})
          check_agreement(shape, procs, 1 + procs % 2,
                          {.bytes = bytes, .skew_s = skew_s, .seed = 5});
}

TEST_CASE("flow and simgrid end at the same time: 256 ranks") {
  for (const Shape& shape : shapes_of_1024())
    for (const double skew_s : {0.0, 3e-6})
      check_agreement(shape, 256, 1, {.bytes = 6000, .skew_s = skew_s, .seed = 6});
}

TEST_CASE("flow and simgrid end at the same time: 1,024 ranks") {
  for (const Shape& shape : shapes_of_1024())
    check_agreement(shape, 1024, 1, {.bytes = 2000, .skew_s = 3e-6, .seed = 7});
}

TEST_CASE("each of over a million solves is the max-min fair allocation") {
  std::int64_t solves = 0;
  for (std::uint64_t seed = 1; solves < 1'100'000; ++seed)
    for (const Shape& shape : shapes_of_64()) {
      const platforms::Machine machine = machine_of(shape);
      const platforms::Placement placement = test_placement(48, 1 + static_cast<int>(seed % 3));
      const PatternArgs args{.bytes = seed % 2 == 0 ? 200'000 : 20'000,
                             .skew_s = seed % 3 == 0 ? 0 : 5e-6,
                             .seed = seed};
      for (const NamedProgram& each : programs(args)) {
        CAPTURE(shape.name);
        CAPTURE(each.name);
        CAPTURE(seed);
        const auto outcome = engines::run_flow({.machine = machine,
                                                .placement = placement,
                                                .program = each.program,
                                                .audit = engines::audit_shares});
        REQUIRE(outcome.problems == std::vector<std::string>{});
        solves += outcome.solves;
      }
    }
  MESSAGE(solves, " solves");
}
