// SPDX-License-Identifier: BSD-3-Clause
// An exchange with all ranks that is simulated as a whole ends as one whose messages each have
// requests, which an observer of requests enforces, and needs memory only for messages in flight.
#include <doctest/doctest.h>

#include "sim/runtime/whole_exchanges.hpp"
#include "tests/support/agreement.hpp"
#include "tests/support/covering.hpp"
#include "tests/support/test_machine.hpp"

using namespace tutti;
using namespace tutti::tests;
using engines::Job;
using engines::Outcome;
using runtime::Rank;
using runtime::Task;

namespace {

constexpr double tolerance = 1e-9;

class SeesRequests : public runtime::Observer {};
class SeesMessages : public runtime::Observer {
 public:
  bool needs_requests() const override { return false; }
  void on_send(const runtime::SentMessage&) override { ++messages; }
  std::int64_t messages = 0;
};

struct Pair {
  Outcome whole, each;
};

// Runs the job both ways, and checks that all ranks end at the same time.
Pair checked(Job job) {
  SeesMessages messages;
  SeesRequests requests;
  job.observers = {&messages};
  Pair pair{.whole = engines::run_flow(job), .each = {}};
  job.observers = {&requests};
  pair.each = engines::run_flow(job);
  REQUIRE(pair.whole.problems == std::vector<std::string>{});
  REQUIRE(pair.each.problems == std::vector<std::string>{});
  CHECK(largest_difference(pair.whole.end_s, pair.each.end_s) <= tolerance);
  for (const auto field : runtime::message_counts_fields)
    CHECK(pair.whole.counts.*field == pair.each.counts.*field);
  CHECK(messages.messages == pair.whole.counts.messages);
  return pair;
}

struct NamedAlgorithm {
  const char* collective;
  const char* name;
};
constexpr NamedAlgorithm exchanging[] = {{"alltoall", "linear"},
                                         {"alltoall", "linear_sync"},
                                         {"alltoallv", "basic_linear"},
                                         {"allgather", "direct-messaging"}};

runtime::Program program_of(const NamedAlgorithm& named, Bytes bytes) {
  const auto* algorithm = algorithms::find_algorithm(named.collective, named.name);
  REQUIRE(algorithm != nullptr);
  return [algorithm, bytes](Rank& me) { return algorithm->program(me, {.message_bytes = bytes}); };
}

struct Costs {
  const char* name;
  void (*change)(platforms::MessageProtocol& costs);
};
constexpr Costs protocols[] = {
    {"shared",
     [](platforms::MessageProtocol& costs) { costs.nic_order = platforms::NicOrder::shared; }},
    {"fifo with gap",
     [](platforms::MessageProtocol& costs) {
       costs.nic_order = platforms::NicOrder::fifo;
       costs.gap = platforms::Piecewise(0.7e-6);
     }},
    {"detached",
     [](platforms::MessageProtocol& costs) {
       costs.eager_max = 10;
       costs.detached_max = 8000;
     }},
    {"rendezvous, reads",
     [](platforms::MessageProtocol& costs) {
       costs.eager_max = costs.detached_max = 10;
       costs.rendezvous = platforms::Rendezvous::get;
     }},
    {"credits", [](platforms::MessageProtocol& costs) { costs.eager_credits = 1; }},
    {"copies", [](platforms::MessageProtocol& costs) { costs.copy_Bps = 3e9; }},
    {"as SMPI",
     [](platforms::MessageProtocol& costs) {
       costs.nic_order = platforms::NicOrder::free;
       costs.rendezvous = platforms::Rendezvous::direct;
       costs.eager_max = 100;
       costs.detached_max = 1000;
       costs.envelope = 16;
       costs.efficiency = platforms::Piecewise({.a = 0.7}, {{.above = 500, .a = 1.09}});
     }},
};

// Each rank has parts of its exchange, and other messages, before the others begin.
Task irregular(Rank& me) {
  const int procs = me.size(), next = (me.id() + 1) % procs, before = (me.id() + procs - 1) % procs;
  if (me.id() % 5 == 2) me.compute(40e-6);
  const auto algorithm = program_of(exchanging[0], 700);
  const auto ahead = me.isend({.to = next, .data = {.bytes = 300}});  // with the exchange's tag
  const auto named = me.irecv({.from = before, .data = {.bytes = 300}});
  co_await algorithm(me);
  co_await me.wait(ahead);
  co_await me.wait(named);
  co_await program_of(exchanging[2], 200)(me);
  if (me.id() % 3 == 0) me.compute(15e-6);
  co_await program_of(exchanging[3], 500)(me);
  if (me.id() == 0) {
    for (int i = 1; i < procs; ++i)
      co_await me.recv({.from = runtime::any_source, .tag = 7, .data = {.bytes = 9}});
  } else {
    co_await me.send({.to = 0, .tag = 7, .data = {.bytes = 9}});
  }
  co_await program_of(exchanging[0], 64)(me);
}

}  // namespace

TEST_CASE("exchanges end at the same time as messages with requests") {
  const auto shapes = shapes_of_64();
  constexpr int procs[] = {64, 47, 2};
  constexpr int ppns[] = {1, 4};
  constexpr Bytes sizes[] = {0, 64, 900, 5000};
  constexpr engines::Contention contentions[] = {engines::Contention::on, engines::Contention::off,
                                                 engines::Contention::pooled_nics};
  std::int64_t smaller = 0, runs = 0;
  for_each_case<7>({std::size(exchanging), shapes.size(), std::size(procs), std::size(ppns),
                    std::size(sizes), std::size(protocols), std::size(contentions)},
                   {.strength = 2, .seed = 5, .times = 1}, [&](const auto& levels) {
                     const auto [which, shape, proc, ppn, size, costs, contention] = levels;
                     CAPTURE(exchanging[which].name);
                     CAPTURE(shapes[shape].name);
                     CAPTURE(procs[proc]);
                     CAPTURE(ppns[ppn]);
                     CAPTURE(sizes[size]);
                     CAPTURE(protocols[costs].name);
                     platforms::Machine machine = machine_of(shapes[shape]);
                     protocols[costs].change(machine.inter);
                     protocols[costs].change(machine.intra);
                     const platforms::Placement placement = test_placement(procs[proc], ppns[ppn]);
                     const Pair pair =
                         checked({.machine = machine,
                                  .placement = placement,
                                  .program = program_of(exchanging[which], sizes[size]),
                                  .contention = contentions[contention]});
                     ++runs;
                     smaller += pair.whole.most_records < pair.each.most_records;
                   });
  CHECK(3 * smaller > runs);
}

TEST_CASE("messages before, between and after exchanges match as those with requests") {
  for (const Shape& shape : shapes_of_64())
    for (const int ppn : {1, 4}) {
      CAPTURE(shape.name);
      platforms::Machine machine = machine_of(shape);
      machine.inter.eager_max = machine.intra.eager_max = 1000;
      const platforms::Placement placement = test_placement(48, ppn);
      const Pair pair = checked({.machine = machine, .placement = placement, .program = irregular});
      CHECK(pair.whole.most_records < pair.each.most_records);
    }
}

TEST_CASE("the records of an exchange grow with the ranks, not with their messages") {
  constexpr int most_per_rank = 24;
  platforms::Machine machine = test_machine(512);
  machine.inter.isend_overhead = machine.inter.recv_overhead = platforms::Piecewise(0.4e-6);
  for (const int procs : {128, 512}) {
    const platforms::Placement placement = test_placement(procs);
    const Pair pair = checked(
        {.machine = machine, .placement = placement, .program = program_of(exchanging[0], 100)});
    CHECK(pair.whole.most_records < most_per_rank * procs);
    CHECK(pair.each.most_records == 3 * procs * (procs - 1));
  }
}

TEST_CASE("an exchange with more messages in flight than fit into memory is given up") {
  const platforms::Machine machine = test_machine(64);  // sends all at once: it has no overheads
  const platforms::Placement placement = test_placement(64);
  Job job{.machine = machine, .placement = placement, .program = program_of(exchanging[0], 100)};
  job.most_messages = 64 * 63 + 8;
  CHECK(engines::run_flow(job).problems.empty());
  job.most_messages = 1000;
  try {
    engines::run_flow(job);
    FAIL("4032 messages fit");
  } catch (const ThrownError& thrown) {
    CHECK(thrown.error.kind == ErrorKind::run);
    CHECK(thrown.error.message ==
          "the exchange of 64 processes has more than 1000 messages in flight, for which memory "
          "does not suffice");
  }
}

TEST_CASE("a rank that is missing in an exchange is named") {
  const platforms::Machine machine = test_machine(4);
  const platforms::Placement placement = test_placement(4);
  const auto program = [](Rank& me) -> Task {
    if (me.id() != 2) co_await program_of(exchanging[0], 100)(me);
  };
  const auto problems =
      engines::run_flow({.machine = machine, .placement = placement, .program = program}).problems;
  REQUIRE(problems.size() == 6);
  CHECK(problems[0] == "deadlock: rank 0 waits for a message from rank 2, tag 0");
  CHECK(problems[3] == "rank 2 never received 100 bytes from rank 0, tag 0");
}

TEST_CASE("a set of ascending numbers contains what was inserted in any order") {
  runtime::AscendingSet set;
  for (const std::uint32_t number : {70u, 3u, 200u, 5u}) set.insert(number);
  for (std::uint32_t number = 0; number < 300; ++number)
    CHECK(set.contains(number) == (number == 3 || number == 5 || number == 70 || number == 200));
  for (std::uint32_t number = 0; number < 130; ++number)
    if (!set.contains(number)) set.insert(number);
  for (std::uint32_t number = 0; number < 300; ++number)
    CHECK(set.contains(number) == (number < 130 || number == 200));
}
