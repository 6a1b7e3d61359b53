// SPDX-License-Identifier: BSD-3-Clause
// tests/model/message_count_test.cpp at up to 4,096 processes instead of 600, for every algorithm
// including those with a message for each pair of ranks.
#include <doctest/doctest.h>

#include "tests/support/message_ledger.hpp"

using namespace tutti;

TEST_CASE("all messages are received, and their number equals the formula, up to 4,096 processes") {
  for (const auto* algorithm : tests::plain_algorithms())
    for (const int procs : {1000, 1024, 2047, 2048, 4095, 4096})
      for (const Bytes bytes : {Bytes{1}, Bytes{procs} + 3, Bytes{70'000}}) {
        const algorithms::CollectiveArgs args{.message_bytes = bytes,
                                              .segment_bytes = algorithm->segmented ? bytes / 3 : 0,
                                              .fanout = algorithm->default_fanout,
                                              .max_requests = algorithm->limits_requests ? 4 : 0};
        // Algorithms with a message per pair of ranks run only with two process counts and one
        // size.
        const bool sends_to_all = algorithm->messages({procs, args}) > 900'000;
        if (sends_to_all && !((procs == 1000 || procs == 4096) && bytes == procs + 3)) continue;
        tests::check_messages(*algorithm, procs, args);
      }
}
