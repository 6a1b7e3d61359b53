// SPDX-License-Identifier: BSD-3-Clause
// Circulant graphs and their broadcast schedules, by the conditions of Traeff (arXiv 2407.18004,
// section 2) and by the schedule for 17 ranks that the paper and MPICH's sources print.
#include "algorithms/circulant.hpp"

#include <doctest/doctest.h>

#include <numeric>
#include <set>
#include <vector>

using namespace tutti;
using namespace tutti::algorithms;
using circulant::Graph;
using circulant::Schedule;

namespace {

std::vector<Schedule> schedules_of(const Graph& graph) {
  std::vector<Schedule> all;
  for (std::int64_t v = 0; v < graph.procs(); ++v) all.push_back(circulant::schedule_of(graph, v));
  return all;
}

bool is_before(const std::vector<int>& blocks, int end, int block) {
  return std::find(blocks.begin(), blocks.begin() + end, block) != blocks.begin() + end;
}

}  // namespace

TEST_CASE("skips are halves of P, rounded up") {
  const auto skips = [](std::int64_t procs) {
    const Graph graph(procs);
    std::vector<std::int64_t> all;
    for (int k = 0; k <= graph.rounds(); ++k) all.push_back(graph.skip(k));
    return all;
  };
  CHECK(skips(1) == std::vector<std::int64_t>{1});
  CHECK(skips(2) == std::vector<std::int64_t>{1, 2});
  CHECK(skips(17) == std::vector<std::int64_t>{1, 2, 3, 5, 9, 17});
  CHECK(skips(32) == std::vector<std::int64_t>{1, 2, 4, 8, 16, 32});
}

TEST_CASE("the schedule of 17 ranks is the published one") {
  using Blocks = std::vector<int>;
  const auto all = schedules_of(Graph(17));
  CHECK(all[0].sent == Blocks{0, 1, 2, 3, 4});
  CHECK(all[1].received == Blocks{0, -4, -2, -3, -1});
  CHECK(all[3].received == Blocks{-4, -5, 2, -2, -1});
  CHECK(all[4].received == Blocks{-3, -4, 0, -2, -1});
  CHECK(all[8].received == Blocks{-4, -5, -2, 2, -1});
  CHECK(all[8].sent == Blocks{-3, -3, -3, -2, -3});
  CHECK(all[16].received == Blocks{-5, -2, -3, -1, 1});
}

TEST_CASE("a rank receives different blocks in q rounds, and sends only what it has received") {
  std::vector<std::int64_t> all_procs(300);
  std::iota(all_procs.begin(), all_procs.end(), 2);
  all_procs.insert(all_procs.end(), {1000, 1023, 1024, 1025});
  for (const std::int64_t procs : all_procs) {
    const Graph graph(procs);
    const int q = graph.rounds();
    const auto all = schedules_of(graph);
    bool holds = true;
    for (std::int64_t v = 1; v < procs; ++v) {
      const auto& [received, sent] = all[static_cast<std::size_t>(v)];
      const std::set<int> different(received.begin(), received.end());
      const int base = *different.rbegin();
      // The base block, and all negative ones but that of the last q rounds.
      holds &= std::ssize(different) == q && base >= 0 && *different.begin() >= -q;
      holds &= !different.contains(base - q);
      for (int k = 0; k < q; ++k) {
        const auto to = static_cast<std::size_t>((v + graph.skip(k)) % procs);
        holds &= sent[k] == all[to].received[k];
        holds &= sent[k] == base - q || is_before(received, k, sent[k]);
      }
    }
    CAPTURE(procs);
    CHECK(holds);
  }
}

TEST_CASE("a broadcast of n blocks takes n-1+q rounds, and each rank receives each block once") {
  for (const std::int64_t procs : {2, 3, 5, 16, 17, 33, 64, 65})
    for (std::int64_t blocks = 1; blocks <= 13; ++blocks)
      for (std::int64_t v = 1; v < procs; ++v) {
        const Graph graph(procs);
        const circulant::BlockRounds rounds(graph, blocks, v);
        std::set<std::int64_t> received;
        std::int64_t count = 0;
        for (std::int64_t round = rounds.begin(); round < rounds.end(); ++round)
          if (const auto block = rounds.received(round)) {
            received.insert(*block);
            ++count;
          }
        CAPTURE(procs);
        CAPTURE(blocks);
        CAPTURE(v);
        CHECK(rounds.end() - rounds.begin() == blocks - 1 + graph.rounds());
        CHECK(count == blocks);
        CHECK(std::ssize(received) == blocks);
      }
}
