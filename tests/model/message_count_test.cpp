// SPDX-License-Identifier: BSD-3-Clause
// The formulas for the number of messages of a call, against what the ideal engine delivers.
#include <doctest/doctest.h>

#include <set>
#include <vector>

#include "algorithms/collective.hpp"
#include "algorithms/counts.hpp"
#include "tests/support/message_ledger.hpp"

namespace {

using tutti::Bytes;
using tutti::algorithms::Algorithm;
using tutti::algorithms::CollectiveArgs;
using tutti::tests::check_messages;

std::vector<int> fanouts_of(const Algorithm& algorithm) {
  if (algorithm.default_fanout == 0) return {0};
  return {algorithm.least_fanout, 2, 3, algorithm.default_fanout, 7};
}

std::vector<Bytes> segments_of(const Algorithm& algorithm) {
  if (!algorithm.segmented) return {0};
  return {0, 1, 7, 8, 20, 50, 99, 1000};
}

// Elements around the process count too: there the blocks of a scatter run out.
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

TEST_CASE("the number of messages is known before the run, for every algorithm") {
  for (const Algorithm* algorithm : tutti::tests::plain_algorithms())
    for (int procs = 1; procs <= 40; ++procs)
      for (const Bytes elements : sizes_in_elements(procs))
        for (const Bytes element_bytes : {1, 4})
          for (const Bytes segment : segments_of(*algorithm))
            for (const int fanout : fanouts_of(*algorithm))
              check_messages(*algorithm, procs,
                             {.message_bytes = elements * element_bytes,
                              .segment_bytes = segment,
                              .fanout = fanout,
                              .element_bytes = element_bytes});
}

TEST_CASE("the number of messages holds for every root, operation and limit of requests") {
  for (const Algorithm* algorithm : tutti::tests::plain_algorithms()) {
    const auto& collective = *tutti::algorithms::find_collective(algorithm->collective);
    for (const int procs : {1, 2, 5, 8, 13})
      for (int root = 0; root < (collective.rooted ? procs : 1); ++root)
        for (const bool commutative : {true, false})
          for (const int max_requests : {0, 2})
            for (const Bytes bytes : {Bytes{3}, Bytes{100}})
              check_messages(*algorithm, procs,
                             {.message_bytes = bytes,
                              .segment_bytes = algorithm->segmented ? 30 : 0,
                              .fanout = algorithm->default_fanout,
                              .root = root,
                              .max_requests = algorithm->limits_requests ? max_requests : 0,
                              .commutative = commutative || !collective.reduces});
  }
}

TEST_CASE("the number of messages holds for counts that differ") {
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

TEST_CASE("the number of messages holds for many processes") {
  for (const Algorithm* algorithm : tutti::tests::plain_algorithms())
    for (const int procs : {255, 256, 257, 300, 511, 600})
      for (const Bytes bytes : {Bytes{1}, Bytes{procs} + 3, Bytes{5000}})
        check_messages(*algorithm, procs,
                       {.message_bytes = bytes, .fanout = algorithm->default_fanout});
}

// Those with P^2 messages are in tests/slow/message_count_at_scale_test.cpp.
TEST_CASE("the number of messages holds for 4,096 processes") {
  constexpr std::int64_t most_messages = 500'000;
  for (const Algorithm* algorithm : tutti::tests::plain_algorithms())
    for (const int procs : {1000, 1024, 4095, 4096}) {
      const CollectiveArgs args{.message_bytes = 9000, .fanout = algorithm->default_fanout};
      if (algorithm->messages({procs, args}) <= most_messages)
        check_messages(*algorithm, procs, args);
    }
}

TEST_CASE("numbers of messages beyond 2^31 are no trouble") {
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
