// SPDX-License-Identifier: BSD-3-Clause
// Ranks with many concurrent messages: the time equals the formula, and no list is scanned for each
// message (a quadratic loop here takes minutes, and runs into the test's time limit).
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/support/close_to.hpp"
#include "tests/support/run_in_child.hpp"
#include "tests/support/test_machine.hpp"

using namespace tutti;
using runtime::any_source;
using runtime::Rank;
using runtime::Request;
using runtime::Task;
using tests::exactly;

namespace {

constexpr double L = 2e-6;
constexpr double G = 1e-9;

double end_of(int procs, const platforms::Machine& machine, const runtime::Program& program) {
  return tests::end_of({machine, tests::test_placement(procs), program});
}

runtime::Program linear(Bytes bytes) {
  return [bytes](Rank& me) -> Task {
    if (me.id() > 0) {
      co_await me.recv({.from = 0, .data = {.bytes = bytes}});
      co_return;
    }
    std::vector<Request> sends;
    for (int to = 1; to < me.size(); ++to)
      sends.push_back(me.isend({.to = to, .data = {.bytes = bytes}}));
    co_await me.wait_all(sends);
  };
}

}  // namespace

TEST_CASE("20,000 eager messages of one rank leave one after the other") {
  const int messages = 20'000;
  const double end_s = end_of(2, tests::test_machine(2), [](Rank& me) -> Task {
    for (int i = 0; i < messages; ++i) {
      if (me.id() == 0) co_await me.send({.to = 1, .data = {.bytes = 1000}});
      if (me.id() == 1) co_await me.recv({.from = 0, .data = {.bytes = 1000}});
    }
  });
  CHECK(end_s == exactly(L + messages * 1000 * G));
}

TEST_CASE("a linear broadcast to 8,191 ranks takes the time of the root's link, eager or not") {
  const platforms::Machine machine = tests::test_machine(8192);
  CHECK(end_of(8192, machine, linear(1000)) == exactly(L + 8191 * 1000 * G));
  CHECK(end_of(8192, machine, linear(2000)) == exactly(3 * L + 8191 * 2000 * G));
}

TEST_CASE("one rank gathers from 4,095 others in the order of their arrival") {
  const double end_s = end_of(4096, tests::test_machine(4096), [](Rank& me) -> Task {
    if (me.id() > 0) {
      me.compute(1e-6 * (4096 - me.id()));
      co_await me.send({.to = 0, .data = {.bytes = 0}});
      co_return;
    }
    for (int i = 1; i < me.size(); ++i) co_await me.recv({.from = any_source, .data = {}});
  });
  CHECK(end_s == exactly(4095e-6 + L));
}

TEST_CASE("events far in the future do not slow down earlier ones") {
  // Rank 0's sends are due after 1 s; ranks 1 and 2 exchange 10,000 messages before that.
  const double end_s = end_of(3, tests::test_machine(3), [](Rank& me) -> Task {
    if (me.id() == 0) {
      me.compute(1);
      for (int i = 0; i < 1000; ++i) co_await me.send({.to = 1, .tag = 1, .data = {.bytes = 1}});
      co_return;
    }
    const int other = 3 - me.id();
    for (int i = 0; i < 5000; ++i) {
      if (me.id() == 1) co_await me.send({.to = other, .data = {.bytes = 1}});
      co_await me.recv({.from = other, .data = {.bytes = 1}});
      if (me.id() == 2) co_await me.send({.to = other, .data = {.bytes = 1}});
    }
    if (me.id() == 1)
      for (int i = 0; i < 1000; ++i) co_await me.recv({.from = 0, .tag = 1, .data = {.bytes = 1}});
  });
  CHECK(end_s == exactly(1 + L + 1000 * G));
}

TEST_CASE("50,000 posted receives are matched in the reverse order of their posts") {
  const double end_s = end_of(2, tests::test_machine(2), [](Rank& me) -> Task {
    constexpr int messages = 50'000;
    std::vector<Request> requests;
    for (int tag = 0; tag < messages; ++tag)
      if (me.id() == 1) requests.push_back(me.irecv({.from = 0, .tag = tag}));
    for (int tag = messages - 1; tag >= 0; --tag)
      if (me.id() == 0) requests.push_back(me.isend({.to = 1, .tag = tag}));
    co_await me.wait_all(requests);
  });
  CHECK(end_s == exactly(L));
}

TEST_CASE("50,000 unexpected messages are received from any source") {
  const double end_s = end_of(2, tests::test_machine(2), [](Rank& me) -> Task {
    constexpr int messages = 50'000;
    if (me.id() == 1) me.compute(1);
    for (int i = 0; i < messages; ++i) {
      if (me.id() == 0) co_await me.send({.to = 1, .tag = i % 10});
      if (me.id() == 1) co_await me.recv({.from = any_source, .tag = 9 - i % 10});
    }
  });
  CHECK(end_s == exactly(1));
}

TEST_CASE("20,000 rendezvous precede a receive from any source that matches none of them") {
  platforms::Machine machine = tests::test_machine(3);
  machine.inter.eager_max = machine.inter.detached_max = -1;
  const double end_s = end_of(3, machine, [](Rank& me) -> Task {
    constexpr int messages = 20'000;
    if (me.id() == 2) {
      me.compute(1);
      co_await me.send({.to = 1, .tag = 1});
      co_return;
    }
    std::vector<Request> requests;
    if (me.id() == 1) co_await me.recv({.from = any_source, .tag = 1});
    for (int i = 0; i < messages; ++i) {
      if (me.id() == 0) me.compute(1e-6);  // two are in flight at any time
      requests.push_back(me.id() == 0 ? me.isend({.to = 1}) : me.irecv({.from = 0}));
    }
    co_await me.wait_all(requests);
  });
  CHECK(end_s == exactly(1 + 5 * L));
}
