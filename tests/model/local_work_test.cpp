// SPDX-License-Identifier: BSD-3-Clause
// Local work by working set, temporary buffers, latencies that occupy no resource, and the side
// that moves the data of a rendezvous, calculated by hand, on both timed engines: links of 1 GB/s
// with 1 us each (L = 2 us), no overheads, eager up to 1000 B.
#include <doctest/doctest.h>

#include "tests/support/agreement.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/test_machine.hpp"

using namespace tutti;
using namespace tutti::tests;
using platforms::Piecewise;
using runtime::Rank;
using runtime::Request;
using runtime::Task;

namespace {

constexpr double L = 2e-6;
constexpr double G = 1e-9;

// The end of each rank; requires that both engines agree on it.
std::vector<Seconds> ends(const platforms::Machine& machine, int procs, runtime::Program program,
                          runtime::WorkingSet working_set = {}) {
  const auto placement = test_placement(procs);
  engines::Job job{machine, placement, std::move(program)};
  job.working_set = std::move(working_set);
  const auto reference = run_simgrid_in_child(job);
  REQUIRE(reference.problems == "");
  CHECK(largest_difference(flow_ends(job), reference.end_s) <= 1e-9);
  return reference.end_s;
}

platforms::Machine machine_with_caches() {
  auto machine = test_machine(2);
  machine.combine_Bps = Piecewise({0, 4e9, 0}, {{0, 4e9, 0}, {5000, 1e9, 0}});
  machine.local_copy_Bps = Piecewise({0, 8e9, 0}, {{0, 8e9, 0}, {5000, 2e9, 0}});
  machine.allocation_Bps = Piecewise({0, 1e30, 0}, {{5000, 0.5e9, 0}});
  return machine;
}

Task copy_and_combine(Rank& me) {
  me.copy({.bytes = 1000, .buffer = 1}, {.bytes = 1000});
  me.combine({.bytes = 1000, .buffer = 1}, {.bytes = 1000});
  co_return;
}

// Rank 0 sends to rank 1, which ends with the receive; rank 0 ends with the send.
runtime::Program one_message(Bytes bytes) {
  return [bytes](Rank& me) -> Task {
    if (me.id() == 0) co_await me.send({.to = 1, .data = {.bytes = bytes}});
    if (me.id() == 1) co_await me.recv({.from = 0, .data = {.bytes = bytes}});
  };
}

}  // namespace

TEST_CASE("each piece of a copy with gaps takes its time, also if copies are free") {
  auto machine = test_machine(2);
  machine.piece_overhead_s = 3e-6;
  const auto copied = ends(machine, 1, [](Rank& me) -> Task {
    me.copy({.bytes = 1000, .buffer = 1}, {.bytes = 1000});
    me.copy({{.bytes = 100, .buffer = 1}, 200, 5}, {{.bytes = 100}, 100, 5});
    co_return;
  });
  CHECK(copied[0] == exactly(5 * 3e-6));
}

TEST_CASE("copies and reductions run at the rate of the working set") {
  const auto machine = machine_with_caches();
  CHECK(ends(machine, 1, copy_and_combine)[0] == exactly(1000 / 8e9 + 1000 / 4e9));
  CHECK(ends(machine, 1, copy_and_combine, 5000)[0] == exactly(1000 / 8e9 + 1000 / 4e9));
  CHECK(ends(machine, 1, copy_and_combine, 5001)[0] == exactly(1000 / 2e9 + 1000 / 1e9));
  runtime::WorkingSet by_rank;
  by_rank.of_ranks = {5000, 5001};
  const auto both = ends(machine, 2, copy_and_combine, by_rank);
  CHECK(both[0] == exactly(1000 / 8e9 + 1000 / 4e9));
  CHECK(both[1] == exactly(1000 / 2e9 + 1000 / 1e9));
  const auto large = [](Rank& me) -> Task {
    me.combine({.bytes = 6000, .buffer = 1}, {.bytes = 6000});
    co_return;
  };
  CHECK(ends(machine, 1, large, 10)[0] == exactly(6000 / 1e9));
}

TEST_CASE("a temporary buffer costs time by its own size") {
  const auto allocating = [](Bytes bytes) -> runtime::Program {
    return [bytes](Rank& me) -> Task {
      me.allocate(bytes);
      me.allocate(bytes);
      co_return;
    };
  };
  CHECK(ends(machine_with_caches(), 1, allocating(5000), 1 << 20)[0] < 1e-20);
  CHECK(ends(machine_with_caches(), 1, allocating(5001))[0] == exactly(2 * 5001 / 0.5e9));
}

TEST_CASE("an extra latency delays the data once, by their size and by the job's number of nodes") {
  auto machine = test_machine(3);
  machine.inter.extra_latency = Piecewise({0, 1e-6, 0}, {{0, 1e-6, 0}, {500, 2e-6, 1e-9}});
  machine.inter.scale_latency = Piecewise({0, 0, 0}, {{2, 7e-6, 0}});
  CHECK(ends(machine, 2, one_message(500))[1] == exactly(L + 1e-6 + 500 * G));
  CHECK(ends(machine, 2, one_message(600))[1] == exactly(L + 2e-6 + 600e-9 + 600 * G));
  CHECK(ends(machine, 2, one_message(4000))[1] == exactly(3 * L + 2e-6 + 4000e-9 + 4000 * G));
  CHECK(ends(machine, 3, one_message(500))[1] == exactly(L + 1e-6 + 7e-6 + 500 * G));
}

TEST_CASE("concurrent messages pay an extra latency once, and their senders none") {
  auto machine = test_machine(2);
  machine.inter.extra_latency = Piecewise(10e-6);
  const auto two = [](Rank& me) -> Task {
    if (me.id() == 0) {
      for (int tag : {0, 1}) co_await me.send({.to = 1, .tag = tag, .data = {.bytes = 1000}});
      CHECK(me.now() == 0);
      co_return;
    }
    for (int tag : {0, 1}) co_await me.recv({.from = 0, .tag = tag, .data = {.bytes = 1000}});
  };
  CHECK(ends(machine, 2, two)[1] == exactly(L + 10e-6 + 2000 * G));
}

TEST_CASE("a rendezvous that the receiver reads completes at the sender one latency later") {
  auto machine = test_machine(2);
  const double there = 3 * L + 4000 * G;
  const auto put = ends(machine, 2, one_message(4000));
  CHECK(put[0] == exactly(there));
  CHECK(put[1] == exactly(there));
  machine.inter.rendezvous = platforms::Rendezvous::get;
  const auto get = ends(machine, 2, one_message(4000));
  CHECK(get[0] == exactly(there + L));
  CHECK(get[1] == exactly(there));
}

TEST_CASE("a wait for any request accounts for the later completion of a send that is read") {
  auto machine = test_machine(2);
  machine.inter.rendezvous = platforms::Rendezvous::get;
  const auto program = [](Rank& me) -> Task {
    const int other = 1 - me.id();
    std::vector<Request> requests{me.isend({.to = other, .data = {.bytes = 4000}}),
                                  me.irecv({.from = other, .data = {.bytes = 4000}})};
    const std::size_t first = co_await me.wait_any(requests);
    CHECK(first == 1);
    CHECK(me.now() == exactly(3 * L + 4000 * G));
    co_await me.wait(requests[0]);
  };
  CHECK(ends(machine, 2, program)[0] == exactly(4 * L + 4000 * G));
}

// Open MPI 4.1: coll_base_allreduce.c, coll_base_reduce_scatter.c, coll_base_reduce.c,
// coll_base_gather.c, coll_base_allgather.c. If all ranks allocate the same buffers first, the call
// takes longer by their cost.
TEST_CASE("algorithms allocate the same temporary buffers as Open MPI's") {
  constexpr Bytes m = 1 << 20;
  constexpr double rate_Bps = 1e9;
  struct Case {
    const char* collective;
    const char* algorithm;
    double buffers;  // of m bytes
  };
  const Case cases[] = {{"allreduce", "recursive_doubling", 1},
                        {"allreduce", "rabenseifner", 1},
                        {"allreduce", "ring", 0},  // two of m / P
                        {"reduce_scatter", "recursive_halving", 2},
                        {"reduce_scatter", "butterfly", 2},
                        {"reduce_scatter", "ring", 1},
                        {"bcast", "binomial", 0},
                        {"allgather", "ring", 0}};
  for (const Case& c : cases) {
    CAPTURE(std::string(c.collective));
    CAPTURE(std::string(c.algorithm));
    const auto* algorithm = algorithms::find_algorithm(c.collective, c.algorithm);
    REQUIRE(algorithm != nullptr);
    const auto time_s = [&](bool is_free) {
      auto machine = test_machine(4);
      // Buffers of blocks, below m bytes, are free.
      if (!is_free) machine.allocation_Bps = Piecewise({0, 1e30, 0}, {{m - 1, rate_Bps, 0}});
      const auto end_s = ends(machine, 4, [algorithm, m](Rank& me) {
        return algorithm->program(me, {.message_bytes = m});
      });
      return *std::ranges::max_element(end_s);
    };
    CHECK(time_s(false) - time_s(true) == close_to(c.buffers * m / rate_Bps, 1e-6));
  }
}
