// SPDX-License-Identifier: BSD-3-Clause
// Which receive gets which message: by contents (ideal engine), and on both engines by buffer size.
#include <doctest/doctest.h>

#include "sim/engines/ideal/ideal.hpp"
#include "tests/support/run_in_child.hpp"
#include "tests/support/test_machine.hpp"

using namespace tutti;
using runtime::any_source;
using runtime::Rank;
using runtime::Request;
using runtime::Slice;
using runtime::Task;

namespace {

// Every rank's buffer 1 contains 10,000 bytes of its input; rank 0's buffer 0 must contain
// `expected`, piece after piece, each from {rank, offset, bytes}.
struct Piece {
  int rank;
  Bytes offset;
  Bytes bytes;
};
void check_contents(int procs, const runtime::Program& program,
                    const std::vector<Piece>& expected) {
  const platforms::Machine machine = tests::test_machine(procs);
  const auto placement = tests::test_placement(procs);
  engines::DataCheck check;
  for (int rank = 0; rank < procs; ++rank)
    check.initial.push_back({rank, {.bytes = 10'000, .buffer = 1}, {0, {rank}}});
  Bytes at = 0;
  for (const Piece& each : expected) {
    check.expected.push_back({0, {.offset = at, .bytes = each.bytes}, {each.offset, {each.rank}}});
    at += each.bytes;
  }
  const auto outcome = engines::run_ideal({machine, placement, program}, check);
  CHECK(outcome.problems == std::vector<std::string>{});
  CHECK(tests::run_simgrid_in_child({machine, placement, program}).problems == "");
}

Slice input(Bytes offset, Bytes bytes) { return {offset, bytes, 1}; }
Slice result(Bytes offset, Bytes bytes) { return {offset, bytes, 0}; }

}  // namespace

TEST_CASE("messages of one source and tag are received in the order of their sends") {
  // The first is a slow rendezvous message, the second is eager and arrives long before.
  check_contents(2,
                 [](Rank& me) -> Task {
                   if (me.id() == 1) {
                     std::vector<Request> sends{me.isend({.to = 0, .data = input(0, 5000)}),
                                                me.isend({.to = 0, .data = input(5000, 10)})};
                     co_await me.wait_all(sends);
                     co_return;
                   }
                   me.compute(1e-3);
                   co_await me.recv({.from = 1, .data = result(0, 5000)});
                   co_await me.recv({.from = 1, .data = result(5000, 10)});
                 },
                 {{1, 0, 5010}});
}

TEST_CASE("tags are received in the order that the receiver requests") {
  check_contents(2,
                 [](Rank& me) -> Task {
                   if (me.id() == 1)
                     for (int tag : {1, 2, 3})
                       co_await me.send({.to = 0, .tag = tag, .data = input(tag * 100, 100)});
                   if (me.id() == 0) {
                     Bytes at = 0;
                     for (int tag : {3, 1, 2}) {
                       co_await me.recv({.from = 1, .tag = tag, .data = result(at, 100)});
                       at += 100;
                     }
                   }
                 },
                 {{1, 300, 100}, {1, 100, 100}, {1, 200, 100}});
}

TEST_CASE("posted receives are matched in the order of their posts") {
  check_contents(2,
                 [](Rank& me) -> Task {
                   if (me.id() == 1)
                     for (int i = 0; i < 3; ++i)
                       co_await me.send({.to = 0, .data = input(i * 100, 100)});
                   if (me.id() == 0) {
                     std::vector<Request> receives;
                     for (int i = 0; i < 3; ++i)
                       receives.push_back(me.irecv({.from = 1, .data = result(i * 100, 100)}));
                     co_await me.wait(receives[2]);
                     co_await me.wait(receives[0]);
                     co_await me.wait(receives[1]);
                   }
                 },
                 {{1, 0, 300}});
}

TEST_CASE("a receive from any source takes that source's oldest message, not the first there") {
  // Rank 1's first message is large; its second, small, arrives first and so determines the source.
  check_contents(2,
                 [](Rank& me) -> Task {
                   if (me.id() == 1) {
                     std::vector<Request> sends{me.isend({.to = 0, .data = input(0, 1000)}),
                                                me.isend({.to = 0, .data = input(1000, 0)})};
                     co_await me.wait_all(sends);
                     co_return;
                   }
                   co_await me.recv({.from = any_source, .data = result(0, 1000)});
                   co_await me.recv({.from = any_source, .data = result(1000, 0)});
                 },
                 {{1, 0, 1000}});
}

TEST_CASE("a named receive posted after one from any source gets the remaining message") {
  check_contents(3,
                 [](Rank& me) -> Task {
                   if (me.id() > 0) {
                     if (me.id() == 2) me.compute(1e-3);
                     co_await me.send({.to = 0, .data = input(0, 100)});
                     co_await me.send({.to = 0, .data = input(100, 100)});
                     co_return;
                   }
                   std::vector<Request> receives{
                       me.irecv({.from = any_source, .data = result(0, 100)}),
                       me.irecv({.from = 1, .data = result(100, 100)}),
                       me.irecv({.from = 2, .data = result(200, 100)}),
                       me.irecv({.from = 2, .data = result(300, 100)})};
                   co_await me.wait_all(receives);
                 },
                 {{1, 0, 100}, {1, 100, 100}, {2, 0, 100}, {2, 100, 100}});
}

TEST_CASE("receives from any source drain early messages as well as late rendezvous") {
  check_contents(4,
                 [](Rank& me) -> Task {
                   if (me.id() > 0) {
                     me.compute(1e-3 * me.id());
                     co_await me.send({.to = 0, .data = input(0, me.id() == 2 ? 4000 : 400)});
                     co_return;
                   }
                   Bytes at = 0;
                   for (Bytes bytes : {400, 4000, 400}) {
                     co_await me.recv({.from = any_source, .data = result(at, bytes)});
                     at += bytes;
                   }
                 },
                 {{1, 0, 400}, {2, 0, 4000}, {3, 0, 400}});
}

TEST_CASE("sendrecv exchanges large messages without a deadlock, also with itself") {
  check_contents(
      3,
      [](Rank& me) -> Task {
        const int right = (me.id() + 1) % 3;
        const int left = (me.id() + 2) % 3;
        co_await me.sendrecv(
            {.to = right, .send = input(0, 5000), .from = left, .recv = result(0, 5000)});
        co_await me.sendrecv(
            {.to = me.id(), .send = input(7, 5000), .from = me.id(), .recv = result(5000, 5000)});
      },
      {{2, 0, 5000}, {0, 7, 5000}});
}

TEST_CASE("wait_any in a loop returns every request once") {
  check_contents(
      5,
      [](Rank& me) -> Task {
        if (me.id() > 0) {
          me.compute(1e-6 * (me.id() % 3));
          co_await me.send({.to = 0, .data = input(0, 100)});
          co_return;
        }
        std::vector<Request> receives;
        for (int from = 1; from < 5; ++from)
          receives.push_back(me.irecv({.from = from, .data = result((from - 1) * 100, 100)}));
        while (!receives.empty()) {
          const std::size_t done = co_await me.wait_any(receives);
          receives.erase(receives.begin() + static_cast<std::ptrdiff_t>(done));
        }
      },
      {{1, 0, 100}, {2, 0, 100}, {3, 0, 100}, {4, 0, 100}});
}

TEST_CASE("a receive from any source ignores messages with other tags") {
  // Rank 1's message with tag 2 arrives long before the requested one.
  check_contents(3,
                 [](Rank& me) -> Task {
                   if (me.id() == 1) co_await me.send({.to = 0, .tag = 2, .data = input(0, 100)});
                   if (me.id() == 2) {
                     me.compute(1);
                     co_await me.send({.to = 0, .tag = 1, .data = input(0, 100)});
                   }
                   if (me.id() == 0) {
                     co_await me.recv({.from = any_source, .tag = 1, .data = result(0, 100)});
                     co_await me.recv({.from = any_source, .tag = 2, .data = result(100, 100)});
                   }
                 },
                 {{2, 0, 100}, {1, 0, 100}});
}

TEST_CASE("a named receive posted while one from any source waits gets an available message") {
  check_contents(
      3,
      [](Rank& me) -> Task {
        if (me.id() == 1) co_await me.send({.to = 0, .tag = 2, .data = input(0, 100)});
        if (me.id() == 2) {
          me.compute(1);
          co_await me.send({.to = 0, .tag = 1, .data = input(0, 100)});
        }
        if (me.id() == 0) {
          me.compute(0.5);
          const Request any = me.irecv({.from = any_source, .tag = 1, .data = result(0, 100)});
          const Request named = me.irecv({.from = 1, .tag = 2, .data = result(100, 100)});
          co_await me.wait(named);
          co_await me.wait(any);
        }
      },
      {{2, 0, 100}, {1, 0, 100}});
}
