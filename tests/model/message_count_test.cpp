// SPDX-License-Identifier: BSD-3-Clause
// The formulas for the number of messages of a call, against the messages that the ideal engine
// delivers.
#include <doctest/doctest.h>

#include <set>
#include <vector>

#include "algorithms/collective.hpp"
#include "algorithms/counts.hpp"
#include "tests/support/covering.hpp"
#include "tests/support/message_ledger.hpp"

namespace {

using tutti::Bytes;
using tutti::algorithms::Algorithm;
using tutti::algorithms::CollectiveArgs;
using tutti::tests::at_level;
using tutti::tests::check_messages;
using tutti::tests::for_each_case;
using tutti::tests::seed_of;

std::set<int> fanouts_of(const Algorithm& algorithm) {
  if (algorithm.default_fanout == 0) return {0};
  return {algorithm.least_fanout, 2, 3, algorithm.default_fanout, 7};
}

std::vector<Bytes> segments_of(const Algorithm& algorithm) {
  if (!algorithm.segmented) return {0};
  return {0, 1, 7, 8, 20, 50, 99, 1000};
}

// Includes element counts around the process count, where some blocks of a scatter are empty.
constexpr std::size_t most_sizes = 15;
std::set<Bytes> sizes_in_elements(int procs) {
  return {0,
          1,
          2,
          3,
          7,
          8,
          9,
          100,
          101,
          procs - 1,
          procs,
          procs + 1,
          2 * procs,
          2 * procs + 1,
          3 * procs - 2};
}

// An algorithm that rejects non-commutative operations runs with a commutative one.
CollectiveArgs accepted(const Algorithm& algorithm, int procs, CollectiveArgs args) {
  if (algorithm.runs != nullptr && !algorithm.runs({procs, args})) args.commutative = true;
  return args;
}

TEST_CASE("the number of messages is known before the run, for every algorithm") {
  for (const Algorithm* algorithm : tutti::tests::plain_algorithms()) {
    const auto segments = segments_of(*algorithm);
    const auto fanouts = fanouts_of(*algorithm);
    const auto check = [&](const auto& levels) {
      const auto [p, size, element, segment, fanout] = levels;
      const int procs = 1 + static_cast<int>(p);
      const Bytes element_bytes = element == 0 ? 1 : 4;
      check_messages(*algorithm, procs,
                     {.message_bytes = at_level(sizes_in_elements(procs), size) * element_bytes,
                      .segment_bytes = segments[segment],
                      .fanout = at_level(fanouts, fanout),
                      .element_bytes = element_bytes});
    };
    for_each_case<5>({40, most_sizes, 2, segments.size(), fanouts.size()},
                     {.seed = seed_of(*algorithm)}, check);
  }
}

TEST_CASE("the number of messages equals the formula for every root, operation and request limit") {
  constexpr int all_procs[] = {1, 2, 5, 8, 13};
  for (const Algorithm* algorithm : tutti::tests::plain_algorithms()) {
    const auto& collective = *tutti::algorithms::find_collective(algorithm->collective);
    const auto check = [&](const auto& levels) {
      const auto [p, root, operation, limit, size] = levels;
      const int procs = all_procs[p];
      const CollectiveArgs args{.message_bytes = size == 0 ? 3 : 100,
                                .segment_bytes = algorithm->segmented ? 30 : 0,
                                .fanout = algorithm->default_fanout,
                                .root = static_cast<int>(root) % procs,
                                .max_requests = limit == 0 ? 0 : 2,
                                .commutative = operation == 0};
      check_messages(*algorithm, procs, accepted(*algorithm, procs, args));
    };
    for_each_case<5>({std::size(all_procs), collective.rooted ? 13U : 1U,
                      collective.reduces ? 2U : 1U, algorithm->limits_requests ? 2U : 1U, 2},
                     {.strength = 3, .seed = seed_of(*algorithm)}, check);
  }
}

TEST_CASE("the number of messages equals the formula for uneven counts") {
  for (const Algorithm* algorithm : tutti::tests::plain_algorithms()) {
    const auto& collective = *tutti::algorithms::find_collective(algorithm->collective);
    if (!collective.has_counts) continue;
    for (const int procs : {1, 2, 3, 8, 13, 32})
      for (int root = 0; root < (collective.rooted ? procs : 1); ++root)
        for (const int every : {1, 2, 5}) {
          std::vector<Bytes> bytes(procs);
          for (int rank = 0; rank < procs; ++rank) bytes[rank] = rank % every == 0 ? rank + 1 : 0;
          const tutti::algorithms::Counts counts(bytes);
          check_messages(*algorithm, procs,
                         {.message_bytes = counts.total(), .root = root, .counts = &counts});
        }
  }
}

TEST_CASE("the number of messages equals the formula for many processes") {
  constexpr int all_procs[] = {255, 256, 257, 300, 511, 600};
  const auto algorithms = tutti::tests::plain_algorithms();
  const auto check = [&](const auto& levels) {
    const auto [algorithm, p, size] = levels;
    const int procs = all_procs[p];
    const Bytes sizes[] = {1, procs + 3, 5000};
    check_messages(*algorithms[algorithm], procs,
                   {.message_bytes = sizes[size], .fanout = algorithms[algorithm]->default_fanout});
  };
  for_each_case<3>({algorithms.size(), std::size(all_procs), 3},
                   {.strength = 1, .seed = 1, .times = 3}, check);
}

// Algorithms with P^2 messages are in tests/slow/message_count_at_scale_test.cpp.
TEST_CASE("the number of messages equals the formula for 4,096 processes") {
  constexpr std::int64_t most_messages = 500'000;
  constexpr int all_procs[] = {1000, 1024, 4095, 4096};
  const auto algorithms = tutti::tests::plain_algorithms();
  const auto check = [&](const auto& levels) {
    const Algorithm& algorithm = *algorithms[levels[0]];
    const int procs = all_procs[levels[1]];
    const CollectiveArgs args{.message_bytes = 9000, .fanout = algorithm.default_fanout};
    if (algorithm.messages({procs, args}) <= most_messages) check_messages(algorithm, procs, args);
  };
  for_each_case<2>({algorithms.size(), std::size(all_procs)},
                   {.strength = 1, .seed = 1, .times = 2}, check);
}

TEST_CASE("numbers of messages beyond 2^31 do not overflow") {
  const auto count = [](std::string_view collective, std::string_view name, int procs,
                        const CollectiveArgs& args) {
    return tutti::algorithms::find_algorithm(collective, name)->messages({procs, args});
  };
  const std::int64_t P = 250000;
  CHECK(count("bcast", "scatter_allgather_ring", 250000, {.message_bytes = 1000000}) ==
        P - 1 + P * (P - 1));
  CHECK(count("bcast", "pipeline", 250000,
              {.message_bytes = Bytes{1} << 30, .segment_bytes = Bytes{1} << 14}) ==
        (P - 1) * (1 << 16));
  CHECK(count("allgather", "recursive_doubling", 1 << 24, {.message_bytes = 64}) ==
        (std::int64_t{1} << 24) * 24);
}

}  // namespace
