// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/support/files.hpp"
#include "workloads/collective_call.hpp"

using namespace tutti;
using workloads::make_counts;
using workloads::parse_counts;

namespace {

std::vector<Bytes> bytes_of(std::string_view spec, int procs, Bytes total, Bytes element = 1) {
  const auto parsed = parse_counts(spec);
  REQUIRE(parsed);
  const auto counts = make_counts(*parsed, procs, total, element);
  REQUIRE(counts);
  std::vector<Bytes> bytes;
  for (int rank = 0; rank < procs; ++rank) bytes.push_back((*counts)->bytes(rank));
  return bytes;
}

}  // namespace

TEST_CASE("linear counts grow from zero to twice the mean, in whole elements") {
  CHECK(bytes_of("linear", 5, 500) == std::vector<Bytes>{0, 50, 100, 150, 200});
  CHECK(bytes_of("linear", 1, 100) == std::vector<Bytes>{100});
  CHECK(bytes_of("linear", 4, 32, 4) == std::vector<Bytes>{0, 4, 12, 16});
}

TEST_CASE("exactly the total is distributed, for any number of elements") {
  for (const char* spec : {"linear", "random:1", "random:2"})
    for (const int procs : {1, 2, 3, 7, 100, 4096})
      for (const Bytes element : {1, 8, 48})
        for (const Bytes elements :
             {Bytes{0}, Bytes{1}, Bytes{2}, Bytes{190}, Bytes{1} << 30, Bytes{1} << 49}) {
          const auto bytes = bytes_of(spec, procs, elements * element, element);
          CAPTURE(spec);
          CAPTURE(procs);
          CAPTURE(elements);
          CHECK(std::accumulate(bytes.begin(), bytes.end(), Bytes{0}) == elements * element);
          CHECK(std::ranges::all_of(bytes,
                                    [&](Bytes each) { return each >= 0 && each % element == 0; }));
        }
}

TEST_CASE("the largest remainders get the elements left after rounding") {
  // Of one element the last rank's share is largest; of 190 the shares are 0.038 times the rank.
  CHECK(bytes_of("linear", 8, 8, 8) == std::vector<Bytes>{0, 0, 0, 0, 0, 0, 0, 8});
  const auto bytes = bytes_of("linear", 100, 190);
  for (std::size_t rank = 0; rank < bytes.size(); ++rank) {
    const double share = 190.0 * static_cast<double>(rank) / 4950;
    CHECK(std::abs(static_cast<double>(bytes[rank]) - share) < 1);
  }
}

TEST_CASE("random counts depend on the seed, in proportion to uniform numbers") {
  const auto first = bytes_of("random:7", 1000, 4'000'000, 8);
  CHECK(first == bytes_of("random:7", 1000, 4'000'000, 8));
  CHECK(first != bytes_of("random:8", 1000, 4'000'000, 8));
  CHECK(*std::ranges::max_element(first) < 2.2 * 4000);
  CHECK(std::ranges::count_if(first, [](Bytes bytes) { return bytes < 4000; }) > 400);
  CHECK(std::ranges::count_if(first, [](Bytes bytes) { return bytes > 4000; }) > 400);
}

TEST_CASE("equal counts need no table") {
  CHECK(*make_counts(*parse_counts("equal"), 4, 100, 1) == nullptr);
}

TEST_CASE("counts are read from a file") {
  const tests::TemporaryFolder folder;
  const std::string path = folder.write("counts.csv", "rank,bytes\n1,2KiB\n0,8\n2,0\n");
  CHECK(bytes_of("file:" + path, 3, 1) == std::vector<Bytes>{8, 2048, 0});
  const auto missing = make_counts(*parse_counts("file:" + path), 4, 1, 1);
  REQUIRE_FALSE(missing);
  CHECK(missing.error().message == "rank 3 has no byte count");
  const auto uneven = make_counts(*parse_counts("file:" + path), 3, 1, 16);
  REQUIRE_FALSE(uneven);
  CHECK(uneven.error().line == 3);
  CHECK(uneven.error().message == "8 B is not a multiple of the element size (16 B)");
}

TEST_CASE("a counts file whose sum no collective could send is an error with the line") {
  const tests::TemporaryFolder folder;
  const std::string path = folder.write("big.csv", [] {
    std::string rows = "rank,bytes\n";
    for (int rank = 0; rank < 64; ++rank) rows += std::to_string(rank) + ",1PiB\n";
    return rows;
  }());
  const auto counts = make_counts(*parse_counts("file:" + path), 64, 1, 1);
  REQUIRE_FALSE(counts);
  CHECK(counts.error().kind == ErrorKind::input);
  CHECK(counts.error().place == path);
  CHECK(counts.error().line == 34);  // the 33rd of 2^50 B: 64 times that number exceeds 2^61
  CHECK(counts.error().message ==
        "the blocks up to this line, sent to each of 64 processes, exceed 2^61 B");
}

TEST_CASE("invalid counts are an error") {
  CHECK(parse_counts("liner").error().hint == "did you mean 'linear'?");
  CHECK(parse_counts("random:x").error().message == "invalid seed 'x'");
  CHECK_FALSE(parse_counts("file:/nonexistent"));
}
