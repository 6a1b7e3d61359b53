// SPDX-License-Identifier: BSD-3-Clause
// Erroneous programs: both engines terminate, and report the error.
#include <doctest/doctest.h>

#include <stdexcept>

#include "sim/engines/ideal/ideal.hpp"
#include "tests/support/run_in_child.hpp"
#include "tests/support/test_machine.hpp"

using namespace tutti;
using runtime::Rank;
using runtime::Request;
using runtime::Task;

namespace {

void check_problems(int procs, const runtime::Program& program, const std::string& expected) {
  const platforms::Machine machine = tests::test_machine(procs);
  const auto placement = tests::test_placement(procs);
  std::string ideal;
  for (const std::string& each : engines::run_ideal({machine, placement, program}).problems)
    ideal += each + "\n";
  CHECK(ideal == expected);
  CHECK(tests::run_simgrid_in_child({machine, placement, program}).problems == expected);
}

}  // namespace

TEST_CASE("two large sends against each other deadlock, small ones do not") {
  const auto exchange = [](Bytes bytes) {
    return [bytes](Rank& me) -> Task {
      const int other = 1 - me.id();
      co_await me.send({.to = other, .tag = 4, .data = {.bytes = bytes}});
      co_await me.recv({.from = other, .tag = 4, .data = {.bytes = bytes}});
    };
  };
  check_problems(2, exchange(1000), "");
  check_problems(2, exchange(1001),
                 "deadlock: rank 0 waits for rank 1 to receive its 1001 bytes with tag 4\n"
                 "deadlock: rank 1 waits for rank 0 to receive its 1001 bytes with tag 4\n"
                 "rank 0 never received 1001 bytes from rank 1, tag 4\n"
                 "rank 1 never received 1001 bytes from rank 0, tag 4\n");
}

TEST_CASE("a wrong tag gives a leftover message and a waiting rank") {
  check_problems(
      2,
      [](Rank& me) -> Task {
        if (me.id() == 0) co_await me.send({.to = 1, .tag = 1, .data = {.bytes = 8}});
        if (me.id() == 1) co_await me.recv({.from = 0, .tag = 2, .data = {.bytes = 8}});
      },
      "deadlock: rank 1 waits for a message from rank 0, tag 2\n"
      "rank 1 never received 8 bytes from rank 0, tag 1\n");
}

TEST_CASE("a receive from any source with only messages of another tag is a deadlock") {
  check_problems(
      2,
      [](Rank& me) -> Task {
        if (me.id() == 0) co_await me.send({.to = 1, .tag = 2, .data = {.bytes = 8}});
        if (me.id() == 1)
          co_await me.recv({.from = runtime::any_source, .tag = 1, .data = {.bytes = 8}});
      },
      "deadlock: rank 1 waits for a message from any rank, tag 1\n"
      "rank 1 never received 8 bytes from rank 0, tag 2\n");
}

TEST_CASE("a message without a receive is reported") {
  check_problems(
      2,
      [](Rank& me) -> Task {
        if (me.id() == 0) co_await me.send({.to = 1, .data = {.bytes = 8}});
      },
      "rank 1 never received 8 bytes from rank 0, tag 0\n");
}

TEST_CASE("a receive that is never matched or never waited for is reported") {
  check_problems(
      2,
      [](Rank& me) -> Task {
        if (me.id() == 0) (void)me.irecv({.from = 1, .tag = 3, .data = {.bytes = 8}});
        co_return;
      },
      "rank 0 posted a receive for a message from rank 1, tag 3 that never came\n");
  check_problems(
      2,
      [](Rank& me) -> Task {
        if (me.id() == 0) (void)me.irecv({.from = 1, .data = {.bytes = 8}});
        if (me.id() == 1) co_await me.send({.to = 0, .data = {.bytes = 8}});
      },
      "rank 0 never waited for its receive from rank 1, tag 0\n");
}

TEST_CASE("a message longer than its receive is reported") {
  check_problems(
      2,
      [](Rank& me) -> Task {
        if (me.id() == 0) co_await me.send({.to = 1, .data = {.bytes = 8}});
        if (me.id() == 1) co_await me.recv({.from = 0, .data = {.bytes = 4}});
      },
      "rank 1 receives 8 bytes from rank 0, tag 0, into a buffer of 4 bytes\n");
}

TEST_CASE("eight of many problems are reported, the others counted") {
  const platforms::Machine machine = tests::test_machine(20);
  const auto placement = tests::test_placement(20);
  const auto outcome =
      engines::run_ideal({machine, placement, [](Rank& me) -> Task {
                            co_await me.recv({.from = (me.id() + 1) % 20, .data = {.bytes = 1}});
                          }});
  REQUIRE(outcome.problems.size() == 9);
  CHECK(outcome.problems[8] == "and 12 more deadlocked ranks");
}

TEST_CASE("waiting twice for one request is a broken invariant") {
  const platforms::Machine machine = tests::test_machine(1);
  const auto placement = tests::test_placement(1);
  CHECK_THROWS_AS((void)engines::run_ideal({machine, placement,
                                            [](Rank& me) -> Task {
                                              Request sent = me.isend({.to = 0, .data = {}});
                                              co_await me.recv({.from = 0, .data = {}});
                                              co_await me.wait(sent);
                                              co_await me.wait(sent);
                                            }}),
                  BrokenInvariant);
}

TEST_CASE("a request that occurs twice in a wait is a broken invariant") {
  const platforms::Machine machine = tests::test_machine(1);
  const auto placement = tests::test_placement(1);
  CHECK_THROWS_AS((void)engines::run_ideal({machine, placement,
                                            [](Rank& me) -> Task {
                                              const Request receive =
                                                  me.irecv({.from = 0, .data = {}});
                                              const Request both[] = {receive, receive};
                                              co_await me.wait_all(both);
                                            }}),
                  BrokenInvariant);
}

TEST_CASE("an exception of a program ends the job, wherever it is thrown") {
  const platforms::Machine machine = tests::test_machine(2);
  const auto placement = tests::test_placement(2);
  const runtime::Program throws_before_it_is_a_coroutine = [](Rank& me) -> Task {
    const auto receive = [](Rank& rank) -> Task { co_await rank.recv({.from = 1, .data = {}}); };
    if (me.id() == 1) throw std::runtime_error("early");
    return receive(me);
  };
  CHECK_THROWS_AS((void)engines::run_ideal({machine, placement, throws_before_it_is_a_coroutine}),
                  std::runtime_error);
}

TEST_CASE("the ideal engine detects a program that sends data before it has received them") {
  const platforms::Machine machine = tests::test_machine(3);
  const auto placement = tests::test_placement(3);
  const engines::DataCheck check{
      .initial = {{0, {.bytes = 10}, {0, {0}}}},
      .expected = {{1, {.bytes = 10}, {0, {0}}}, {2, {.bytes = 10}, {0, {0}}}}};
  const auto outcome =
      engines::run_ideal({machine, placement,
                          [](Rank& me) -> Task {
                            if (me.id() == 0) co_await me.send({.to = 1, .data = {.bytes = 10}});
                            if (me.id() == 1) {
                              const Request received = me.irecv({.from = 0, .data = {.bytes = 10}});
                              const Request sent = me.isend({.to = 2, .data = {.bytes = 10}});
                              co_await me.wait(received);
                              co_await me.wait(sent);
                            }
                            if (me.id() == 2) co_await me.recv({.from = 1, .data = {.bytes = 10}});
                          }},
                         check);
  REQUIRE(outcome.problems.size() == 1);
  CHECK(
      outcome.problems[0] ==
      "rank 2 has nothing at byte 0 of its receive buffer, expected byte 0 of the input of rank 0");
}
