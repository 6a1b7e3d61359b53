// SPDX-License-Identifier: BSD-3-Clause
#include "sim/runtime/task.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

#include "tests/support/run_in_child.hpp"
#include "tests/support/test_machine.hpp"

using namespace tutti;
using runtime::Task;
using runtime::Trampoline;

namespace {

Task descend(int depth, int& deepest) {
  deepest = depth;
  if (depth > 0) co_await descend(depth - 1, deepest);
}

Task fail() {
  throw std::runtime_error("no");
  co_return;
}

Task catch_it(bool& caught) {
  try {
    co_await fail();
  } catch (const std::runtime_error&) {
    caught = true;
  }
}

Task send_at_depth(runtime::Rank& me, int depth) {
  if (depth > 0) {
    co_await send_at_depth(me, depth - 1);
    co_return;
  }
  if (me.id() == 0) co_await me.send({.to = 1, .data = {.bytes = 1}});
  if (me.id() == 1) co_await me.recv({.from = 0, .data = {.bytes = 1}});
}

}  // namespace

TEST_CASE("sub-programs nest a million deep without using the stack") {
  Trampoline trampoline;
  int deepest = -1;
  Task task = descend(1'000'000, deepest);
  task.start(trampoline);
  trampoline.run();
  CHECK(task.done());
  CHECK(deepest == 0);
}

TEST_CASE("an exception propagates from a sub-program to the awaiting one") {
  Trampoline trampoline;
  bool caught = false;
  Task task = catch_it(caught);
  task.start(trampoline);
  trampoline.run();
  CHECK(caught);
  CHECK(task.exception() == nullptr);
}

TEST_CASE("an uncaught exception ends the task and is kept") {
  Trampoline trampoline;
  Task task = fail();
  task.start(trampoline);
  trampoline.run();
  CHECK(task.done());
  CHECK(task.exception() != nullptr);
}

TEST_CASE("deep recursion fits an actor's stack") {
  const platforms::Machine machine = tests::test_machine(2);
  const auto outcome = tests::run_simgrid_in_child(
      {machine, tests::test_placement(2),
       [](runtime::Rank& me) -> Task { co_await send_at_depth(me, 20'000); }});
  CHECK(outcome.problems == "");
  CHECK(outcome.end_s[1] > 0);
}
