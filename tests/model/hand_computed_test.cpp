// SPDX-License-Identifier: BSD-3-Clause
// Cases calculated by hand, on the simgrid engine, to 1e-9 relative. The machine: o_s = 0.3 us, o_r
// = 0.2 us, routes of two links (1 us and 1 GB/s each: L = 2 us), eager up to 1000 B, copies at 4
// GB/s; inside a node a bus of 0.5 us and 4 GB/s.
#include <doctest/doctest.h>

#include "tests/support/close_to.hpp"
#include "tests/support/run_in_child.hpp"
#include "tests/support/test_machine.hpp"

using namespace tutti;
using platforms::Piecewise;
using runtime::Rank;
using runtime::Request;
using runtime::Task;
using tests::exactly;

namespace {

constexpr double us = 1e-6;
constexpr double o_s = 0.3 * us;
constexpr double o_r = 0.2 * us;
constexpr double L = 2 * us;
constexpr double bus_L = 0.5 * us;
constexpr double G = 1e-9;         // s/B of a link
constexpr double bus_G = 0.25e-9;  // of the memory bus
constexpr double copy_G = 0.25e-9;

platforms::Machine machine_with_overheads(platforms::HostId hosts) {
  platforms::Machine machine = tests::test_machine(hosts);
  for (platforms::MessageProtocol* each : {&machine.inter, &machine.intra}) {
    each->send_overhead = each->isend_overhead = Piecewise(o_s);
    each->recv_overhead = Piecewise(o_r);
    each->copy_Bps = 4e9;
  }
  return machine;
}

std::vector<Seconds> run(const platforms::Machine& machine, const platforms::Placement& placement,
                         runtime::Program program) {
  const auto outcome = tests::run_simgrid_in_child({machine, placement, std::move(program)});
  CHECK(outcome.problems == "");
  return outcome.end_s;
}

// Rank 0 sends one message to rank 1, which has posted its receive.
runtime::Program one_message(Bytes bytes) {
  return [bytes](Rank& me) -> Task {
    if (me.id() == 0) co_await me.send({.to = 1, .data = {.bytes = bytes}});
    if (me.id() == 1) co_await me.recv({.from = 0, .data = {.bytes = bytes}});
  };
}

Task one_and_three_megabytes_to_rank_0(Rank& me) {
  const Bytes bytes = me.id() == 1 ? 1'000'000 : 3'000'000;
  if (me.id() > 0) co_await me.send({.to = 0, .data = {.bytes = bytes}});
  if (me.id() == 0) {
    std::vector<Request> requests{me.irecv({.from = 1, .data = {.bytes = 1'000'000}}),
                                  me.irecv({.from = 2, .data = {.bytes = 3'000'000}})};
    co_await me.wait_all(requests);
  }
}

}  // namespace

TEST_CASE("one message between nodes costs o_s + L + bytes G + o_r + copy, or a handshake more") {
  const platforms::Machine machine = machine_with_overheads(2);
  const auto placement = tests::test_placement(2);
  for (const Bytes bytes : {0, 1, 999, 1000}) {
    CAPTURE(bytes);
    const auto end_s = run(machine, placement, one_message(bytes));
    CHECK(end_s[0] == exactly(o_s));  // the sender continues
    CHECK(end_s[1] == exactly(o_s + L + bytes * G + o_r + bytes * copy_G));
  }
  for (const Bytes bytes : {1001, 10'000'000}) {
    CAPTURE(bytes);
    const auto end_s = run(machine, placement, one_message(bytes));
    CHECK(end_s[0] == exactly(o_s + 3 * L + bytes * G));  // the sender waits until the flow ends
    CHECK(end_s[1] == exactly(o_s + 3 * L + bytes * G + o_r));
  }
}

TEST_CASE("one message inside a node uses the memory bus") {
  const platforms::Machine machine = machine_with_overheads(1);
  const auto placement = tests::test_placement(2, 2);
  for (const Bytes bytes : {0, 1, 999, 1000}) {
    CAPTURE(bytes);
    const auto end_s = run(machine, placement, one_message(bytes));
    CHECK(end_s[1] == exactly(o_s + bus_L + bytes * bus_G + o_r + bytes * copy_G));
  }
  for (const Bytes bytes : {1001, 10'000'000}) {
    CAPTURE(bytes);
    const auto end_s = run(machine, placement, one_message(bytes));
    CHECK(end_s[1] == exactly(o_s + 3 * bus_L + bytes * bus_G + o_r));
  }
}

TEST_CASE("with intra_node = network a message inside a node uses the NIC") {
  platforms::Machine machine = machine_with_overheads(1);
  machine.intra_node = platforms::IntraNode::network;
  const auto end_s = run(machine, tests::test_placement(2, 2), one_message(1'000'000));
  CHECK(end_s[1] == exactly(o_s + 3 * L + 1'000'000 * G + o_r));
}

TEST_CASE("three flows into one link get a third of it each") {
  const platforms::Machine machine = machine_with_overheads(4);
  const Bytes bytes = 1'000'000;
  const auto end_s = run(machine, tests::test_placement(4), [&](Rank& me) -> Task {
    if (me.id() > 0) co_await me.send({.to = 0, .data = {.bytes = bytes}});
    if (me.id() == 0) {
      std::vector<Request> requests;
      for (int from = 1; from < 4; ++from)
        requests.push_back(me.irecv({.from = from, .data = {.bytes = bytes}}));
      co_await me.wait_all(requests);
    }
  });
  // All three start at o_s + 3 L and share the downlink of host 0; three o_r follow one another.
  CHECK(end_s[1] == exactly(o_s + 3 * L + 3 * bytes * G));
  CHECK(end_s[3] == exactly(end_s[1]));
  CHECK(end_s[0] == exactly(o_s + 3 * L + 3 * bytes * G + 3 * o_r));
}

TEST_CASE("flows of different size release their share when they end") {
  const platforms::Machine machine = machine_with_overheads(3);
  const auto end_s = run(machine, tests::test_placement(3), one_and_three_megabytes_to_rank_0);
  // Each gets half until 1 MB is through (2 ms), then the other has the link: 1 MB + 2 MB in 4 ms.
  CHECK(end_s[1] == exactly(o_s + 3 * L + 2e-3));
  CHECK(end_s[2] == exactly(o_s + 3 * L + 4e-3));
}

TEST_CASE("two flows on different links do not affect each other") {
  const platforms::Machine machine = machine_with_overheads(4);
  const Bytes bytes = 1'000'000;
  const auto end_s = run(machine, tests::test_placement(4), [&](Rank& me) -> Task {
    if (me.id() < 2) co_await me.send({.to = me.id() + 2, .data = {.bytes = bytes}});
    if (me.id() >= 2) co_await me.recv({.from = me.id() - 2, .data = {.bytes = bytes}});
  });
  CHECK(end_s[2] == exactly(o_s + 3 * L + bytes * G + o_r));
  CHECK(end_s[3] == exactly(end_s[2]));
}

TEST_CASE("an eager message that arrives early waits in the unexpected queue and is then copied") {
  const platforms::Machine machine = machine_with_overheads(2);
  const auto end_s = run(machine, tests::test_placement(2), [](Rank& me) -> Task {
    if (me.id() == 0) co_await me.send({.to = 1, .data = {.bytes = 800}});
    if (me.id() == 1) {
      me.compute(100 * us);
      co_await me.recv({.from = 0, .data = {.bytes = 800}});
    }
  });
  CHECK(end_s[1] == exactly(100 * us + o_r + 800 * copy_G));
}

TEST_CASE("a rendezvous with a late receive starts at the receive: two latencies, then the flow") {
  const platforms::Machine machine = machine_with_overheads(2);
  const Bytes bytes = 100'000;
  const auto end_s = run(machine, tests::test_placement(2), [&](Rank& me) -> Task {
    if (me.id() == 0) co_await me.send({.to = 1, .data = {.bytes = bytes}});
    if (me.id() == 1) {
      me.compute(100 * us);
      co_await me.recv({.from = 0, .data = {.bytes = bytes}});
    }
  });
  // The request (one latency) has arrived long before; the reply and the first byte take one each.
  CHECK(end_s[0] == exactly(100 * us + 2 * L + bytes * G));
  CHECK(end_s[1] == exactly(100 * us + 2 * L + bytes * G + o_r));
}

TEST_CASE("below the detached limit the sender continues, and the data move at the receive") {
  platforms::Machine machine = machine_with_overheads(2);
  machine.inter.detached_max = 5000;
  const auto end_s = run(machine, tests::test_placement(2), [](Rank& me) -> Task {
    if (me.id() == 0) co_await me.send({.to = 1, .data = {.bytes = 4000}});
    if (me.id() == 1) {
      me.compute(100 * us);
      co_await me.recv({.from = 0, .data = {.bytes = 4000}});
    }
  });
  CHECK(end_s[0] == exactly(o_s));
  CHECK(end_s[1] == exactly(100 * us + L + 4000 * G + o_r));
}

TEST_CASE("direct messages have no handshake, and only their sender waits for them") {
  platforms::Machine machine = machine_with_overheads(2);
  machine.inter.rendezvous = platforms::Rendezvous::direct;
  for (const Seconds late_s : {0.0, 10 * us}) {
    const auto end_s = run(machine, tests::test_placement(2), [&](Rank& me) -> Task {
      if (me.id() == 0) co_await me.send({.to = 1, .data = {.bytes = 5000}});
      if (me.id() == 1) {
        me.sleep(late_s);
        co_await me.recv({.from = 0, .data = {.bytes = 5000}});
      }
    });
    const Seconds arrival_s = std::max(o_s, late_s) + L + 5000 * G;
    CHECK(end_s[0] == exactly(arrival_s));
    CHECK(end_s[1] == exactly(arrival_s));  // without o_r
  }
}

TEST_CASE("an envelope is carried, chooses the sections, and an efficiency divides the bytes") {
  platforms::Machine machine = machine_with_overheads(3);
  machine.inter.envelope = 16;
  machine.inter.efficiency =
      Piecewise({.a = 0.5}, {{.above = 100, .a = 2}, {.above = 400, .a = 0.25}});
  machine.inter.latency_factor = Piecewise({.a = 1}, {{.above = 100, .a = 3}});
  const auto time_s = [&](Bytes bytes) {
    return run(machine, tests::test_placement(2), one_message(bytes))[1] - o_s - o_r -
           bytes * copy_G;
  };
  CHECK(time_s(0) == exactly(L + 16 * G / 0.5));
  CHECK(time_s(84) == exactly(L + 100 * G / 0.5));
  CHECK(time_s(85) == exactly(3 * L + 101 * G / 2));
  CHECK(time_s(984) == exactly(3 * L + 1000 * G / 0.25));
  // The efficiency applies on shared links, too.
  const auto end_s = run(machine, tests::test_placement(3), [&](Rank& me) -> Task {
    if (me.id() > 0) co_await me.send({.to = 0, .data = {.bytes = 984}});
    for (int i = 1; me.id() == 0 && i < 3; ++i)
      co_await me.recv({.from = i, .data = {.bytes = 984}});
  });
  CHECK(end_s[0] == exactly(o_s + 3 * L + 2 * 1000 * G / 0.25 + 2 * (o_r + 984 * copy_G)));
}

TEST_CASE("in order free, messages to one rank share the links") {
  platforms::Machine machine = machine_with_overheads(3);
  // When rank 1 has the first of two messages, it sends an empty one to rank 2.
  const auto first_s = [&](platforms::NicOrder order) {
    machine.inter.nic_order = order;
    const auto end_s = run(machine, tests::test_placement(3), [](Rank& me) -> Task {
      if (me.id() == 0) {
        co_await me.send({.to = 1, .data = {.bytes = 500}});
        co_await me.send({.to = 1, .data = {.bytes = 1000}});
      } else if (me.id() == 1) {
        const Request first = me.irecv({.from = 0, .data = {.bytes = 500}});
        const Request second = me.irecv({.from = 0, .data = {.bytes = 1000}});
        co_await me.wait(first);
        co_await me.send({.to = 2, .data = {}});
        co_await me.wait(second);
      } else {
        co_await me.recv({.from = 1, .data = {}});
      }
    });
    return end_s[2] - (o_r + 500 * copy_G + o_s + L + o_r);
  };
  const Seconds alone_s = o_s + L + 500 * G;
  const Seconds second_s = 2 * o_s + L;  // when the second one begins
  CHECK(first_s(platforms::NicOrder::shared) == exactly(alone_s));
  CHECK(first_s(platforms::NicOrder::free) == exactly(second_s + 2 * (alone_s - second_s)));
}

TEST_CASE("a window limits a message by the latency of its route") {
  platforms::Machine machine = machine_with_overheads(2);
  machine.inter.window = 2000;                  // 2000 B / (2 * 2 us) = 0.5 GB/s
  machine.inter.latency_factor = Piecewise(7);  // has no effect on it
  const auto end_s = run(machine, tests::test_placement(2), one_message(1000));
  CHECK(end_s[1] == exactly(o_s + 7 * L + 1000 * 2 * G + o_r + 1000 * copy_G));
}

TEST_CASE("acknowledgements take 5 % of links that a message crosses both ways") {
  platforms::Machine machine = machine_with_overheads(2);
  machine.cross_traffic = true;
  machine.intra_node = platforms::IntraNode::network;
  const auto time_s = [&](int ppn) {
    return run(machine, tests::test_placement(2, ppn), one_message(1000))[1] - o_s - o_r -
           1000 * copy_G;
  };
  CHECK(time_s(1) == exactly(L + 1000 * G));  // up and down: other links than on the way back
  CHECK(time_s(2) == exactly(L + 1050 * G));  // from a node to itself
}

TEST_CASE("a bandwidth factor caps a flow without reducing the link's bandwidth for others") {
  platforms::Machine machine = machine_with_overheads(3);
  // Up to 2 MB a flow gets a quarter of the route's bandwidth.
  machine.inter.bandwidth_factor = Piecewise({0, 0.25, 0}, {{2'000'000, 1, 0}});
  const auto end_s = run(machine, tests::test_placement(3), one_and_three_megabytes_to_rank_0);
  // 1 MB at 0.25 GB/s and 3 MB at the remaining 0.75 GB/s: both 4 ms.
  CHECK(end_s[1] == exactly(o_s + 3 * L + 4e-3));
  CHECK(end_s[2] == exactly(o_s + 3 * L + 4e-3));
}

TEST_CASE("two messages inside a node share its bus, those of two nodes do not") {
  const platforms::Machine machine = machine_with_overheads(2);
  const Bytes bytes = 4'000'000;  // 1 ms without sharing
  const auto program = [&](Rank& me) -> Task {
    const bool sends = me.id() % 2 == 0;
    if (sends) co_await me.send({.to = me.id() + 1, .data = {.bytes = bytes}});
    if (!sends) co_await me.recv({.from = me.id() - 1, .data = {.bytes = bytes}});
  };
  const auto together = run(machine, tests::test_placement(4, 4), program);
  CHECK(together[1] == exactly(o_s + 3 * bus_L + 2e-3 + o_r));
  const auto apart = run(machine, tests::test_placement(4, 2), program);
  CHECK(apart[1] == exactly(o_s + 3 * bus_L + 1e-3 + o_r));
}

TEST_CASE("rendezvous overhead, latency factor and piecewise overheads apply at the right places") {
  platforms::Machine machine = machine_with_overheads(2);
  machine.inter.rendezvous_overhead = Piecewise(7 * us);
  machine.inter.latency_factor = Piecewise({0, 1, 0}, {{5000, 2, 0}});
  machine.inter.send_overhead = Piecewise({0, 1 * us, 0}, {{5000, 2 * us, 1e-9}});
  const auto small = run(machine, tests::test_placement(2), one_message(5000));
  CHECK(small[1] == exactly(1 * us + 3 * L + 7 * us + 5000 * G + o_r));
  const auto large = run(machine, tests::test_placement(2), one_message(5001));
  CHECK(large[1] == exactly(2 * us + 5001e-9 + 3 * 2 * L + 7 * us + 5001 * G + o_r));
}

TEST_CASE("local work costs its seconds, copies and combines their bytes") {
  platforms::Machine machine = machine_with_overheads(1);
  machine.local_copy_Bps = platforms::Piecewise(1e9);
  machine.combine_Bps = platforms::Piecewise(2e9);
  const auto end_s = run(machine, tests::test_placement(1), [](Rank& me) -> Task {
    me.compute(3 * us);
    me.copy({.bytes = 1000, .buffer = 1}, {.bytes = 1000});
    me.combine({.bytes = 1000, .buffer = 1}, {.bytes = 1000});
    CHECK(me.now() == exactly(4.5 * us));
    // Every second one of 10 slices of 100 bytes, all at once.
    me.copy({{.bytes = 100, .buffer = 1}, 100, 5}, {{.bytes = 100}, 200, 5});
    co_return;
  });
  CHECK(end_s[0] == exactly(5 * us));
}

TEST_CASE("wait_all charges receives in the order of their arrival") {
  const platforms::Machine machine = machine_with_overheads(3);
  const auto end_s = run(machine, tests::test_placement(3), [](Rank& me) -> Task {
    if (me.id() == 1) me.compute(10 * us);  // its message is second, but awaited first
    if (me.id() > 0) co_await me.send({.to = 0, .data = {.bytes = 100}});
    if (me.id() == 0) {
      std::vector<Request> requests{me.irecv({.from = 1, .data = {.bytes = 100}}),
                                    me.irecv({.from = 2, .data = {.bytes = 100}})};
      co_await me.wait_all(requests);
    }
  });
  CHECK(end_s[0] == exactly(10 * us + o_s + L + 100 * G + o_r + 100 * copy_G));
}

TEST_CASE("wait_any returns the earliest request, and of simultaneous ones the smallest source") {
  const platforms::Machine machine = machine_with_overheads(4);
  const auto end_s = run(machine, tests::test_placement(4), [](Rank& me) -> Task {
    if (me.id() == 1) me.compute(10 * us);
    if (me.id() > 0) co_await me.send({.to = 0, .data = {.bytes = 0}});
    if (me.id() > 0) co_return;
    std::vector<Request> requests;
    for (int from : {3, 2, 1}) requests.push_back(me.irecv({.from = from, .data = {}}));
    std::vector<int> order;
    std::vector<int> sources{3, 2, 1};
    while (!requests.empty()) {
      const std::size_t chosen = co_await me.wait_any(requests);
      order.push_back(sources[chosen]);
      sources.erase(sources.begin() + chosen);
      requests.erase(requests.begin() + chosen);
    }
    if (order != std::vector<int>{2, 3, 1}) me.compute(1);  // visible in the end time
  });
  CHECK(end_s[0] == exactly(10 * us + o_s + L + o_r));
}

TEST_CASE("a receive from any source takes the earliest arrival, and ties by (source, tag)") {
  const platforms::Machine machine = machine_with_overheads(4);
  const auto end_s = run(machine, tests::test_placement(4), [](Rank& me) -> Task {
    if (me.id() == 1) me.compute(10 * us);
    if (me.id() > 0) co_await me.send({.to = 0, .data = {.bytes = Bytes{10} * me.id()}});
    if (me.id() > 0) co_return;
    // 20 B from rank 2 arrive first, 30 B from rank 3 next, then rank 1's.
    for (Bytes room : {20, 30, 10})
      co_await me.recv({.from = runtime::any_source, .data = {.bytes = room}});
  });
  CHECK(end_s[0] == exactly(10 * us + o_s + L + 10 * G + o_r + 10 * copy_G));
}
