// SPDX-License-Identifier: BSD-3-Clause
// Two engines, one truth: simgrid and flow give every rank the same end. tests/slow has more ranks.
#include <doctest/doctest.h>

#include "tests/support/agreement.hpp"
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
    CHECK(
        disagreement(
            {.machine = machine, .placement = placement, .program = each.program, .audit = true}) <=
        tolerance);
  }
}

}  // namespace

TEST_CASE("flow ends when simgrid ends: few ranks, equal starts") {
  for (const Shape& shape : shapes_of_64())
    for (const int procs : {2, 5}) check_agreement(shape, procs, 1, {.bytes = 3000});
}

TEST_CASE("flow ends when simgrid ends: eager messages, skewed starts") {
  for (const Shape& shape : shapes_of_64())
    check_agreement(shape, 24, 1, {.bytes = 5000, .skew_s = 3e-6, .seed = 3});
}

TEST_CASE("flow ends when simgrid ends: large messages, several ranks a node") {
  for (const Shape& shape : shapes_of_64())
    check_agreement(shape, 33, 4, {.bytes = 100'000, .skew_s = 3e-6, .seed = 4});
}

TEST_CASE("flow ends when simgrid ends: large messages that all start at once") {
  for (const Shape& shape : shapes_of_64()) check_agreement(shape, 32, 1, {.bytes = 70'000});
}
