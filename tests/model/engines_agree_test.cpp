// SPDX-License-Identifier: BSD-3-Clause
// The engines simgrid and flow give every rank the same end. tests/slow has more ranks.
#include <doctest/doctest.h>

#include "tests/support/agreement.hpp"
#include "tests/support/covering.hpp"
#include "tests/support/share_audit.hpp"
#include "tests/support/test_machine.hpp"

using namespace tutti;
using namespace tutti::tests;

namespace {

constexpr double tolerance = 1e-9;

// Few ranks with equal starts; eager messages and skewed starts; large messages and several ranks
// per node; large messages that all start at once.
struct Setting {
  int procs = 1;
  int ppn = 1;
  PatternArgs args;
};
const Setting settings[] = {{2, 1, {.bytes = 3000}},
                            {5, 1, {.bytes = 3000}},
                            {24, 1, {.bytes = 5000, .skew_s = 3e-6, .seed = 3}},
                            {33, 4, {.bytes = 100'000, .skew_s = 3e-6, .seed = 4}},
                            {32, 1, {.bytes = 70'000}}};

constexpr const char* orders[] = {"shared", "fifo", "as SMPI"};

void check_agreement(const Shape& shape, const Setting& of, const char* order,
                     const NamedProgram& each) {
  platforms::Machine machine = machine_of(shape);
  const bool is_fifo = order == orders[1];
  machine.inter.nic_order = machine.intra.nic_order =
      is_fifo ? platforms::NicOrder::fifo : platforms::NicOrder::shared;
  if (order == orders[2]) make_smpis(machine);
  const platforms::Placement placement = test_placement(of.procs, of.ppn);
  CAPTURE(shape.name);
  CAPTURE(each.name);
  CAPTURE(of.procs);
  CAPTURE(of.ppn);
  CAPTURE(of.args.bytes);
  CAPTURE(of.args.skew_s);
  CAPTURE(order);
  CHECK(disagreement({.machine = machine,
                      .placement = placement,
                      .program = each.program,
                      .audit = engines::audit_shares}) <= tolerance);
}

}  // namespace

TEST_CASE("flow and simgrid end at the same time on machines of every shape") {
  const auto shapes = shapes_of_64();
  for_each_case<4>({shapes.size(), std::size(settings), std::size(orders), programs({}).size()},
                   {.seed = 1}, [&](const auto& levels) {
                     const auto [shape, setting, order, program] = levels;
                     const Setting& of = settings[setting];
                     check_agreement(shapes[shape], of, orders[order], programs(of.args)[program]);
                   });
}
