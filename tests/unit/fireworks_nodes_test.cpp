// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "platforms/reader.hpp"
#include "sim/fireworks/node_set_check.hpp"
#include "sim/fireworks/node_sets.hpp"
#include "sim/fireworks/surface.hpp"
#include "tests/support/close_to.hpp"

using namespace tutti;
using namespace tutti::studies::fireworks;
using tests::close_to;

namespace {

const std::vector<int> t16_01{4, 4, 2, 2, 1, 1, 1, 1};

// 1 GiB in 4 x 4 tiles, eight aggregators, cycles of 16 MiB: messages of 4 MiB.
Exchange paper_exchange() {
  auto job = tiled_file({4, 4}, Bytes{1} << 30);
  job.aggregators = 8;
  job.buffer_bytes = Bytes{16} << 20;
  return Exchange(job);
}

}  // namespace

TEST_CASE("the tiles of the paper make eight equal cycles of messages of 4 MiB") {
  const auto exchange = paper_exchange();
  CHECK(exchange.cycles() == 8);
  CHECK(exchange.largest_message() == Bytes{4} << 20);
  REQUIRE(exchange.rounds().size() == 1);
  CHECK(exchange.rounds().front().transfers.size() == 32);
}

TEST_CASE("a file has the requested size if its tiles allow it, otherwise a little less") {
  constexpr Bytes gib = Bytes{1} << 30;
  CHECK(tiled_file({16, 8}, gib).file_bytes() == gib);
  CHECK(tiled_file({1, 1}, 7).file_bytes() <= 7);
  for (const Bytes bytes : {gib, gib + 1, Bytes{1'000'003}}) {
    const auto job = tiled_file({4, 3}, bytes);
    CHECK(job.file_bytes() <= bytes);
    CHECK(static_cast<double>(job.file_bytes()) > 0.99 * static_cast<double>(bytes));
  }
}

TEST_CASE("the loads of nodes, and those of a read, which have the opposite direction") {
  const auto exchange = paper_exchange();
  const auto nodes = nodes_in_order(t16_01, 8);
  const auto matches = count_matches(exchange.rounds(), nodes);
  CHECK(matches.pairs == 32);
  CHECK(matches.inside == 6);
  const auto& transfers = exchange.rounds().front().transfers;
  const auto write = count_messages(transfers, nodes, true),
             read = count_messages(transfers, nodes, false);
  CHECK(write.message_bytes == Bytes{4} << 20);
  // Node 1 has the processes of the second row of tiles, and a domain of the first.
  CHECK(write.of_node[1].intra == 0);
  CHECK(write.of_node[1].in == 4);
  CHECK(write.of_node[1].out == 8);
  for (int node = 0; node < 8; ++node) {
    CHECK(write.of_node[node].in == read.of_node[node].out);
    CHECK(write.of_node[node].out == read.of_node[node].in);
    CHECK(write.of_node[node].intra == read.of_node[node].intra);
  }
}

TEST_CASE("messages truncated at borders count by their size") {
  const auto nodes = nodes_in_order({1, 1}, 2);
  const auto load = count_messages({{0, 1, 1000}, {1, 0, 10}}, nodes, true);
  CHECK(load.message_bytes == 1000);
  CHECK(load.of_node[0].out == 1);
  CHECK(load.of_node[0].in == close_to(0.01, 1e-12));
}

TEST_CASE("a single cycle takes about its share of the whole, on real nodes") {
  const auto exchange = paper_exchange();
  const auto machine = platforms::load_machine("tachyon1").value();
  const auto nodes = nodes_in_order(t16_01, 8);
  const Seconds all_s = exchange.simulate(nodes, {}, machine).value();
  const Seconds one_s = exchange.simulate(nodes, {.cycle = 0}, machine).value();
  CHECK(8 * one_s == close_to(all_s, 0.02));
  CHECK(exchange.simulate(nodes, {.writes = false}, machine).value() > 0);
}

TEST_CASE("all orders are tried if there are few") {
  // The best order is the descending one, the worst the ascending one.
  const auto predict = [](const std::vector<int>& order) {
    double sum = 0;
    for (std::size_t i = 0; i < order.size(); ++i) sum += order[i] * static_cast<double>(i + 1);
    return sum;
  };
  const std::vector<int> given{1, 2, 2, 3, 1};
  const auto found = find_orders(given, predict, {.keep = 3});
  CHECK(found.are_all);
  CHECK(found.evaluated == 30);  // 5! / (2! 2!)
  CHECK(found.best.front().order == std::vector<int>{3, 2, 2, 1, 1});
  CHECK(found.worst.order == std::vector<int>{1, 1, 2, 2, 3});
  CHECK(found.best.size() == 3);
}

TEST_CASE("a search finds the best order of many, never one that is worse than the given one") {
  const auto predict = [](const std::vector<int>& order) {
    double sum = 0;
    for (std::size_t i = 0; i < order.size(); ++i) sum += order[i] * static_cast<double>(i + 1);
    return sum;
  };
  std::vector<int> given(20);
  std::iota(given.begin(), given.end(), 1);
  const auto found = find_orders(given, predict, {.keep = 2, .most_evaluated = 20'000, .seed = 3});
  CHECK_FALSE(found.are_all);
  CHECK(found.evaluated == 20'000);
  auto best = given;
  std::ranges::reverse(best);
  CHECK(found.best.front().order == best);
  const auto again = find_orders(given, predict, {.keep = 2, .most_evaluated = 20'000, .seed = 3});
  CHECK(again.best.front().order == found.best.front().order);
  const auto flat = find_orders(given, [](const auto&) { return 1.0; }, {.most_evaluated = 100});
  CHECK(flat.best.front().order == given);
}

TEST_CASE("random node sets have a process on each node, and cores for all") {
  std::map<std::vector<int>, int> seen;
  for (std::uint64_t seed = 0; seed < 6000; ++seed) {
    const auto set = random_node_set({.nodes = 3, .procs = 6, .cores = 3}, seed);
    REQUIRE(set.size() == 3);
    CHECK(std::accumulate(set.begin(), set.end(), 0) == 6);
    CHECK(std::ranges::min(set) >= 1);
    CHECK(std::ranges::max(set) <= 3);
    ++seen[set];
  }
  CHECK(seen.size() == 7);  // (2,2,2) and the six orders of (1,2,3)
  for (const auto& [set, count] : seen) CHECK(std::abs(count - 6000 / 7) < 150);
}

TEST_CASE("only pairs of one group with a clear difference are counted") {
  const std::vector<PredictedTime> times{
      {1, 1.0, 10}, {1, 1.04, 5}, {1, 2.0, 20}, {1, 3.0, 15}, {2, 9.0, 1}};
  const auto ordering = count_ordered_pairs(times, 0.05);
  CHECK(ordering.pairs == 5);
  CHECK(ordering.right == 4);
}

namespace {

ExchangeSpec exchange_of(const platforms::Machine& on) {
  const SurfaceSpec spec{.message_bytes = {Bytes{1} << 20},
                         .orders = {workloads::PostingOrder::intra_first},
                         .hot_spots = {1},
                         .intra_pairs = {0, 1, 2},
                         .inter_pairs = {0, 1, 2}};
  ExchangeSpec exchange;
  exchange.costs =
      measure_costs(spec, engines::EngineKind::flow, on, studies::quiet_runner({.jobs = 2})).costs;
  return exchange;
}

}  // namespace

TEST_CASE("studies of exchanges run without a command") {
  const auto on = platforms::load_machine("crill", {}).value();
  const auto exchange = exchange_of(on);
  const auto run = studies::quiet_runner({.jobs = 2});

  SUBCASE("node sets, and orders of their nodes") {
    NodeSetsSpec spec{.node_sets = {{3, 2, 1}},
                      .tiles = {3, 2},
                      .file_bytes = Bytes{8} << 20,
                      .aggregators = {},
                      .orders = 1};
    REQUIRE(errors_in(exchange, spec, on).empty());
    const auto found = predict_exchange(exchange, spec, on, run);
    CHECK(found.job.aggregators == 3);
    REQUIRE(found.sets.size() == 1);
    const auto& set = found.sets.front();
    CHECK(set.are_all_orders);
    CHECK(set.write_s().value() > *set.one_cycle_s * 0.99);
    REQUIRE(set.proposal() != nullptr);
    CHECK(*set.proposal()->simulated_s <= set.write_s());
    for (const auto& each : set.candidates) CHECK(each.simulated_s);

    spec.node_sets = {std::vector<int>(17, 49)};
    const auto errors = errors_in(exchange, spec, on);
    REQUIRE(errors.size() == 2);
    CHECK(errors.back().place == "--node-set");
  }

  SUBCASE("random node sets") {
    const RandomSetsSpec spec{.count = 3, .nodes = {3, 4}, .proc_bytes = Bytes{1} << 20};
    REQUIRE(errors_in(exchange, spec, on).empty());
    const auto found = check_exchanges(exchange, spec, on, run);
    CHECK_FALSE(found.is_requested);
    CHECK(found.chosen.has_value());
    REQUIRE(found.sets.size() == 3);
    CHECK(found.sets[1].procs_of_node.size() == 4);
    CHECK(found.sets[0].expected_s[0].value() > 0);
    CHECK(errors_in(exchange, {.nodes = {17}}, on).front().place == "--nodes");
    CHECK(errors_in(exchange, {.ppn = 49}, on).front().place == "--ppn");
  }
}
