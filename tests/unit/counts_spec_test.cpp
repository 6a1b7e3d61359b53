// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/counts_spec.hpp"

#include <doctest/doctest.h>

#include "tests/support/files.hpp"

using namespace tutti;
using workloads::make_counts;
using workloads::parse_counts;

namespace {

std::vector<Bytes> bytes_of(std::string_view spec, int procs, Bytes mean, Bytes element = 1) {
  const auto parsed = parse_counts(spec);
  REQUIRE(parsed);
  const auto counts = make_counts(*parsed, procs, mean, element);
  REQUIRE(counts);
  std::vector<Bytes> bytes;
  for (int rank = 0; rank < procs; ++rank) bytes.push_back((*counts)->bytes(rank));
  return bytes;
}

}  // namespace

TEST_CASE("linear counts grow from nothing to twice the mean, in whole elements") {
  CHECK(bytes_of("linear", 5, 100) == std::vector<Bytes>{0, 50, 100, 150, 200});
  CHECK(bytes_of("linear", 1, 100) == std::vector<Bytes>{100});
  CHECK(bytes_of("linear", 4, 8, 4) == std::vector<Bytes>{0, 4, 12, 16});
}

TEST_CASE("random counts are the seed's, between nothing and twice the mean") {
  const auto first = bytes_of("random:7", 1000, 4000, 8);
  CHECK(first == bytes_of("random:7", 1000, 4000, 8));
  CHECK(first != bytes_of("random:8", 1000, 4000, 8));
  Bytes sum = 0;
  for (const Bytes bytes : first) {
    CHECK(bytes % 8 == 0);
    CHECK(bytes <= 8000);
    sum += bytes;
  }
  CHECK(sum > 3800 * 1000);
  CHECK(sum < 4200 * 1000);
}

TEST_CASE("equal counts need no table") {
  CHECK(*make_counts(*parse_counts("equal"), 4, 100, 1) == nullptr);
}

TEST_CASE("counts from a file") {
  const tests::TemporaryFolder folder;
  const std::string path = folder.write("counts.csv", "rank,bytes\n1,2KiB\n0,8\n2,0\n");
  CHECK(bytes_of("file:" + path, 3, 1) == std::vector<Bytes>{8, 2048, 0});
  const auto missing = make_counts(*parse_counts("file:" + path), 4, 1, 1);
  REQUIRE_FALSE(missing);
  CHECK(missing.error().message == "rank 3 has no bytes");
  const auto uneven = make_counts(*parse_counts("file:" + path), 3, 1, 16);
  REQUIRE_FALSE(uneven);
  CHECK(uneven.error().line == 3);
  CHECK(uneven.error().message == "8 B are not a whole number of elements of 16 B");
}

TEST_CASE("what is no counts is an error") {
  CHECK(parse_counts("liner").error().hint == "did you mean 'linear'?");
  CHECK(parse_counts("random:x").error().message == "'x' is no seed");
  CHECK_FALSE(parse_counts("file:/nonexistent"));
}
