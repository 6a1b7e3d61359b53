// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/file_domains.hpp"

#include <doctest/doctest.h>

#include "io_models/access.hpp"

using namespace tutti;
using namespace tutti::io_models;

namespace {

// Checks the owner of every byte, by `owner` and by the parts of `own`.
void check_consistent(const FileDomains& domains) {
  const Extent range = domains.range();
  std::vector<int> times(range.bytes());
  for (int i = 0; i < domains.aggregators(); ++i) {
    std::vector<Extent> parts;
    domains.own(i, {0, domains.own_bytes(i)}, parts);
    Bytes bytes = 0;
    for (const Extent& part : parts)
      for (Bytes at = part.begin; at < part.end; ++at, ++bytes) {
        CHECK(domains.owner(at) == i);
        ++times[at - range.begin];
      }
    CHECK(bytes == domains.own_bytes(i));
  }
  for (const int count : times) CHECK(count == 1);
}

}  // namespace

TEST_CASE("every byte has one owner, and owners agree with the parts of the file") {
  for (const Bytes begin : {0, 1, 5, 13})
    for (const Bytes bytes : {0, 1, 7, 40})
      for (const int aggregators : {1, 2, 3, 7, 50}) {
        const Extent range{begin, begin + bytes};
        check_consistent(FileDomains::even(range, aggregators));
        check_consistent(FileDomains::even(range, aggregators, 4));
        check_consistent(FileDomains::even_from_zero(range, aggregators));
        for (const Bytes unit : {1, 3, 8, 100})
          check_consistent(FileDomains::round_robin(range, aggregators, unit));
      }
}

TEST_CASE("even domains are ceil(range / A), vulcan counts them from byte 0 of the file") {
  const FileDomains even = FileDomains::even({10, 21}, 3);
  CHECK(even.owner(10) == 0);
  CHECK(even.owner(13) == 0);
  CHECK(even.owner(14) == 1);
  CHECK(even.own_bytes(2) == 3);
  const FileDomains vulcan = FileDomains::even_from_zero({10, 21}, 3);
  CHECK(vulcan.owner(10) == 2);  // floor(10 / 4) mod 3
  CHECK(vulcan.owner(12) == 0);
  CHECK(vulcan.owner(20) == 2);
}

TEST_CASE("borders of aligned domains move to the nearer multiple") {
  const FileDomains aligned = FileDomains::even({0, 100}, 3, 16);  // 34 -> 32, 68 -> 64
  CHECK(aligned.own_bytes(0) == 32);
  CHECK(aligned.own_bytes(1) == 32);
  CHECK(aligned.own_bytes(2) == 36);
}

TEST_CASE("units are assigned round robin, and a slice of own bytes is cut at their borders") {
  const FileDomains units = FileDomains::round_robin({2, 40}, 3, 5);
  std::vector<Extent> parts;
  units.own(0, {1, 10}, parts);  // aggregator 0 owns [2,5), [15,20), [30,35)
  CHECK(parts == std::vector<Extent>{{3, 5}, {15, 20}, {30, 32}});
}

TEST_CASE("the squarest grid has at most as many columns as rows") {
  const auto is = [](int procs, int rows, int columns) {
    const Grid grid = squarest_grid(procs);
    return grid.rows == rows && grid.columns == columns;
  };
  CHECK(is(1, 1, 1));
  CHECK(is(12, 4, 3));
  CHECK(is(576, 24, 24));
  CHECK(is(13, 13, 1));
  CHECK(is(250000, 500, 500));
}
