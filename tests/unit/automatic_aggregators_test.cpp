// SPDX-License-Identifier: BSD-3-Clause
// Open MPI's number of aggregators: the steps of the rule, and numbers from a second program that
// was written from the rule alone.
#include <doctest/doctest.h>

#include <limits>

#include "io_models/aggregators.hpp"

using namespace tutti;
using namespace tutti::io_models;
using Args = AutomaticAggregatorsArgs;

namespace {

constexpr Bytes KiB = 1 << 10, MiB = 1 << 20, GiB = 1 << 30;

int aggregators(const Args& args) { return automatic_aggregators(args).value(); }

}  // namespace

TEST_CASE("the cap is one aggregator per eight processes, and at least one") {
  CHECK(aggregators({.procs = 1, .piece_bytes = GiB}) == 1);
  CHECK(aggregators({.procs = 8, .piece_bytes = 64 * MiB}) == 1);
  CHECK(aggregators({.procs = 16, .piece_bytes = 64 * MiB}) == 2);
  CHECK(aggregators({.procs = 64, .piece_bytes = 64 * MiB}) == 8);
  CHECK(aggregators({.procs = 64, .piece_bytes = 64 * MiB, .max_ratio = 1}) == 24);
}

TEST_CASE("the number of processes determines the steps") {
  // With so large an amount of data every step is worthwhile until the gain of a step has shrunk.
  const auto uncapped = [](int procs) {
    return aggregators({.procs = procs, .piece_bytes = 64 * MiB, .max_ratio = 1});
  };
  CHECK(uncapped(8) == 8);
  CHECK(uncapped(15) == 2);
  CHECK(uncapped(16) == 16);
  CHECK(uncapped(127) == 24);
  CHECK(uncapped(128) == 96);
  CHECK(uncapped(576) == 96);
  CHECK(uncapped(4096) == 192);
}

TEST_CASE("a step that gains less than a millisecond is the last") {
  CHECK(aggregators({.procs = 16, .piece_bytes = KiB}) == 1);
  CHECK(aggregators({.procs = 96, .piece_bytes = 16 * KiB}) == 1);
  CHECK(aggregators({.procs = 100, .piece_bytes = MiB, .max_ratio = 1}) == 16);
}

TEST_CASE("a smaller threshold gives more aggregators") {
  CHECK(aggregators({.procs = 64, .piece_bytes = 64 * MiB, .max_ratio = 1, .cutoff_percent = 0}) ==
        64);
}

TEST_CASE("2-D jobs are evaluated by a piece of a row") {
  const auto of_pieces = [](int procs, Bytes bytes) {
    return aggregators({.procs = procs, .piece_bytes = bytes, .layout = Layout::two_d});
  };
  CHECK(of_pieces(64, 4 * KiB) == 1);
  CHECK(of_pieces(576, 8 * KiB) == 1);
  CHECK(of_pieces(576, MiB) == 64);
  CHECK(of_pieces(576, 64 * MiB) == 72);
  CHECK(of_pieces(250000, 32 * KiB) == 192);
}

TEST_CASE("the rule terminates for large jobs") {
  CHECK(aggregators({.procs = 250000, .piece_bytes = GiB}) == 192);
  CHECK(aggregators({.procs = 4096, .piece_bytes = GiB}) == 192);
  CHECK(aggregators({.procs = std::numeric_limits<int>::max(), .piece_bytes = GiB}) == 192);
}

TEST_CASE("meaningless numbers are rejected") {
  const auto place = [](const Args& args) { return automatic_aggregators(args).error().place; };
  CHECK(place({.procs = 0, .piece_bytes = 1}) == "--procs");
  CHECK(place({.procs = 2, .piece_bytes = 0}) == "--bytes-per-proc");
  CHECK(place({.procs = 3, .piece_bytes = std::numeric_limits<Bytes>::max() / 2}) ==
        "--bytes-per-proc");
  CHECK(place({.procs = 2, .piece_bytes = 1, .buffer_bytes = 0}) == "--buffer-size");
  CHECK(place({.procs = 2, .piece_bytes = 1, .max_ratio = 0}) == "--aggregators");
}
