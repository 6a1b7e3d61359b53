// SPDX-License-Identifier: BSD-3-Clause
// A job of which one rank per class is simulated ends as one of which all ranks are.
#include "sim/engines/flow/rank_folding.hpp"

#include <doctest/doctest.h>

#include "tests/support/agreement.hpp"
#include "tests/support/covering.hpp"
#include "tests/support/share_audit.hpp"
#include "tests/support/test_machine.hpp"

using namespace tutti;
using namespace tutti::tests;
using engines::Folding;
using runtime::Rank;
using runtime::Request;
using runtime::Task;

namespace {

constexpr double tolerance = 1e-9;

// Runs the job with and without folding, and returns the number of classes (0: it is not folded).
std::int64_t checked_classes(engines::Job job) {
  const engines::Outcome all = engines::run_flow(job);
  job.folding = Folding::always;
  job.audit = engines::audit_shares;
  const engines::Outcome folded = engines::run_flow(job);
  REQUIRE(all.problems == std::vector<std::string>{});
  REQUIRE(folded.problems == std::vector<std::string>{});
  // Pairwise exchanges of several ranks per node amplify rounding errors: without folding, their
  // ranks do not remain exactly equivalent.
  if (const double difference = largest_difference(all.end_s, folded.end_s); difference > tolerance)
    CHECK(difference <= 100 * sensitivity(job, all.end_s));
  for (const auto field : runtime::message_counts_fields)
    CHECK(all.counts.*field == folded.counts.*field);
  CHECK(all.rank_classes == 0);
  return folded.rank_classes;
}

runtime::Program program_of(const algorithms::Algorithm& algorithm, Bytes bytes) {
  algorithms::CollectiveArgs call{
      .message_bytes = bytes, .segment_bytes = (bytes + 3) / 4, .fanout = algorithm.default_fanout};
  return [&algorithm, call](Rank& me) { return algorithm.program(me, call); };
}

std::int64_t classes_of(const Shape& shape, int procs, int ppn, const runtime::Program& program,
                        engines::Contention contention = engines::Contention::on) {
  platforms::Machine machine = machine_of(shape);
  if (shape.elements.find("loopback") == std::string::npos)
    machine.intra.eager_max = machine.intra.detached_max = 9;
  else
    machine.bus_max = 6000;
  const platforms::Placement placement = test_placement(procs, ppn);
  return checked_classes(
      {.machine = machine, .placement = placement, .program = program, .contention = contention});
}

// The same machine, but messages inside a node leave it through its NIC and come back, with another
// protocol.
Shape without_bus(Shape shape) {
  const std::string bus = R"(loopback_bw="5GBps" loopback_lat="0.2us")";
  shape.name += ", without a bus";
  shape.elements.erase(shape.elements.find(bus), bus.size());
  return shape;
}

std::vector<Shape> all_shapes() {
  std::vector<Shape> all = shapes_of_64();
  for (const Shape& shape : shapes_of_64())
    if (shape.name == "flat" || shape.name == "fat tree 2:1" || shape.name == "torus")
      all.push_back(without_bus(shape));
  return all;
}

const algorithms::Algorithm& algorithm(const char* collective, const char* name) {
  const auto* found = algorithms::find_algorithm(collective, name);
  REQUIRE(found != nullptr);
  return *found;
}

}  // namespace

TEST_CASE("every algorithm ends at the same time if its ranks are folded") {
  const auto shapes = all_shapes();
  const auto all = plain_algorithms();
  constexpr engines::Contention contentions[] = {engines::Contention::on, engines::Contention::off};
  constexpr int procs[] = {64, 48, 33};
  constexpr int ppns[] = {1, 4};
  constexpr Bytes sizes[] = {64, 5000, 100'000};
  std::int64_t folded = 0, halved = 0, runs = 0;
  for_each_case<6>({all.size(), shapes.size(), std::size(procs), std::size(ppns), std::size(sizes),
                    std::size(contentions)},
                   {.strength = 1, .seed = 11, .times = 6}, [&](const auto& levels) {
                     const auto [which, shape, proc, ppn, size, contention] = levels;
                     const auto& each = *all[which];
                     const int ranks = procs[proc];
                     if (each.runs != nullptr && !each.runs({ranks, {}})) return;
                     CAPTURE(each.collective);
                     CAPTURE(each.name);
                     CAPTURE(shapes[shape].name);
                     CAPTURE(ranks);
                     CAPTURE(ppns[ppn]);
                     CAPTURE(sizes[size]);
                     CAPTURE(engines::contention_name(contentions[contention]));
                     const std::int64_t classes =
                         classes_of(shapes[shape], ranks, ppns[ppn], program_of(each, sizes[size]),
                                    contentions[contention]);
                     ++runs;
                     folded += classes > 0;
                     halved += classes > 0 && 2 * classes <= ranks;
                   });
  // Most programs can be recorded, and many patterns are regular on some machine.
  CHECK(2 * folded > runs);
  CHECK(10 * halved > runs);
}

TEST_CASE("regular patterns on regular machines have few classes") {
  const auto doubling = program_of(algorithm("allgather", "recursive_doubling"), 64);
  const auto ring = program_of(algorithm("allgather", "ring"), 5000);
  for (const Shape& shape : shapes_of_64()) {
    CAPTURE(shape.name);
    const bool is_power_of_two = shape.name.starts_with("fat tree") || shape.name == "flat";
    if (!is_power_of_two) continue;
    CHECK(classes_of(shape, 64, 1, doubling) == 1);
    CHECK(classes_of(shape, 64, 4, doubling) == 1);
  }
  CHECK(classes_of({"flat", cluster("", 64)}, 61, 1, ring) == 1);
  CHECK(classes_of({"flat", cluster("", 64)}, 60, 4, ring) == 4);
}

TEST_CASE("what distinguishes ranks is respected") {
  const Shape flat{"flat", cluster("", 64)};
  // The last node has fewer ranks.
  CHECK(classes_of(flat, 61, 4, program_of(algorithm("allgather", "ring"), 5000)) > 4);
  // One rank begins later.
  const auto late = [](Rank& me) -> Task {
    if (me.id() == 5) me.compute(1e-3);
    co_await me.sendrecv({.to = (me.id() + 1) % me.size(),
                          .send = {.bytes = 100},
                          .from = (me.id() + me.size() - 1) % me.size(),
                          .recv = {.bytes = 100}});
  };
  CHECK(classes_of(flat, 32, 1, late) == 32);
  // Messages of other sizes, and to the same rank or to two ranks.
  const auto sizes = [](Rank& me) -> Task {
    const int to = me.id() ^ 1, other = me.id() % 8 < 4 ? to : me.id() ^ 2;
    const Bytes bytes = me.id() % 16 < 8 ? 3000 : 4000;
    const Request requests[] = {me.irecv({.from = to, .tag = 1, .data = {.bytes = bytes}}),
                                me.irecv({.from = other, .tag = 2, .data = {.bytes = 500}}),
                                me.isend({.to = to, .tag = 1, .data = {.bytes = bytes}}),
                                me.isend({.to = other, .tag = 2, .data = {.bytes = 500}})};
    co_await me.wait_all(requests);
  };
  CHECK(classes_of(flat, 64, 1, sizes) == 4);
}

TEST_CASE("a link at the end of a route is not equal to one in its middle") {
  // On a torus, where hosts are switches, a shift crosses each link as first, second and third one;
  // without contention only the first and the last are shared.
  const auto shift = [](Rank& me) -> Task {
    const int size = me.size();
    const int by = 21 * (size / 64);
    co_await me.sendrecv({.to = (me.id() + by) % size,
                          .send = {.bytes = 1'000'000},
                          .from = (me.id() + size - by) % size,
                          .recv = {.bytes = 1'000'000}});
  };
  const Shape torus{"torus", cluster(R"(topology="TORUS" topo_parameters="4,4,4")", 64)};
  for (const auto contention : {engines::Contention::on, engines::Contention::off})
    for (const int ppn : {1, 2}) CHECK(classes_of(torus, 64 * ppn, ppn, shift, contention) > 0);
}

TEST_CASE("messages inside a node are not equal to others over the same links") {
  // Half of the ranks exchange with a rank of their own node.
  const auto exchange = [](Rank& me) -> Task {
    const int other = me.id() % 8 < 4 ? me.id() ^ 1 : me.id() ^ 8;
    co_await me.sendrecv(
        {.to = other, .send = {.bytes = 100}, .from = other, .recv = {.bytes = 100}});
  };
  const Shape flat = without_bus({"flat", cluster("", 64)});
  CHECK(classes_of(flat, 256, 4, exchange) == 2);
}

TEST_CASE("local work depends on the working set of the call") {
  const auto work = [](Rank& me) -> Task {
    const int other = me.id() ^ 1;
    co_await me.sendrecv({.to = other, .send = {.bytes = 8}, .from = other, .recv = {.bytes = 8}});
    const Bytes bytes = me.id() % 4 < 2 ? 1000 : 2000;
    me.copy({.bytes = bytes, .buffer = 2}, {.bytes = bytes, .buffer = 3});
  };
  platforms::Machine machine = machine_of({"flat", cluster("", 64)});
  machine.local_copy_Bps = platforms::Piecewise({0, 1e9, 0}, {{1500, 2e9, 0}});
  const platforms::Placement placement = test_placement(64);
  CHECK(checked_classes({.machine = machine,
                         .placement = placement,
                         .program = work,
                         .working_set = {1'000'000}}) == 2);
}

TEST_CASE("a message to a neighbor and one to another rank of the same class do not mix") {
  // Each rank sends two messages of different sizes with one tag to ranks of its own class.
  const auto both = [](Rank& me) -> Task {
    const int size = me.size();
    const auto at = [&](int distance) { return (me.id() + distance + size) % size; };
    const Request requests[] = {me.irecv({.from = at(2), .data = {.bytes = 9000}}),
                                me.irecv({.from = at(-1), .data = {.bytes = 700}}),
                                me.isend({.to = at(1), .data = {.bytes = 700}}),
                                me.isend({.to = at(-2), .data = {.bytes = 9000}})};
    co_await me.wait_in_order(requests);
  };
  CHECK(classes_of({"flat", cluster("", 64)}, 64, 1, both) == 1);
}

TEST_CASE("jobs whose course depends on times are not folded") {
  const Shape flat{"flat", cluster("", 64)};
  const auto any = [](Rank& me) -> Task {
    const Request sent = me.isend({.to = me.id() ^ 1, .data = {.bytes = 100}});
    co_await me.recv({.data = {.bytes = 100}});
    co_await me.wait(sent);
  };
  CHECK(classes_of(flat, 64, 1, any) == 0);
  const auto clock = [](Rank& me) -> Task {
    co_await me.sendrecv(
        {.to = me.id() ^ 1, .send = {.bytes = 100}, .from = me.id() ^ 1, .recv = {.bytes = 100}});
    me.sleep(me.now());
  };
  CHECK(classes_of(flat, 64, 1, clock) == 0);
  const auto first = [](Rank& me) -> Task {
    const Request requests[] = {me.irecv({.from = me.id() ^ 1, .data = {.bytes = 100}}),
                                me.isend({.to = me.id() ^ 1, .data = {.bytes = 100}})};
    const std::size_t index = co_await me.wait_any(requests);
    co_await me.wait(requests[1 - index]);
  };
  CHECK(classes_of(flat, 64, 1, first) == 0);
  const platforms::Machine machine = machine_of(flat);
  const platforms::Placement placement = test_placement(64);
  const auto doubling = program_of(algorithm("allgather", "recursive_doubling"), 64);
  engines::Job job{.machine = machine, .placement = placement, .program = doubling};
  job.noise = {.kind = runtime::Noise::Kind::multiplicative, .amount = 0.1, .seed = 3};
  CHECK(checked_classes(job) == 0);
}

TEST_CASE("problems of folded jobs name the ranks") {
  const auto deadlock = [](Rank& me) -> Task {
    const int other = me.id() ^ 1;
    co_await me.send({.to = other, .data = {.bytes = 100'000}});
    co_await me.recv({.from = other, .data = {.bytes = 100'000}});
  };
  const platforms::Machine machine = machine_of({"flat", cluster("", 64)});
  const platforms::Placement placement = test_placement(64);
  engines::Job job{.machine = machine, .placement = placement, .program = deadlock};
  const auto expected = engines::run_flow(job).problems;
  job.folding = Folding::always;
  CHECK(engines::run_flow(job).problems == expected);
  CHECK(!expected.empty());
}
