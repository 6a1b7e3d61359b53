// SPDX-License-Identifier: BSD-3-Clause
// When Open MPI's fbtl/posix sieves data, and in which spans.
#include <doctest/doctest.h>

#include "io_models/shuffle.hpp"

using namespace tutti;
using io_models::Extent;
using io_models::sieved_spans;
using Extents = std::vector<Extent>;

namespace {

// `number` extents of `bytes`, beginning `stride` apart.
Extents regular(int number, Bytes bytes, Bytes stride) {
  Extents extents;
  for (int i = 0; i < number; ++i) extents.push_back({i * stride, i * stride + bytes});
  return extents;
}

}  // namespace

TEST_CASE("small extents that are close to each other are accessed in one span") {
  CHECK(sieved_spans(Extents{{1234, 1300}, {1600, 1634}}) == Extents{{1234, 1634}});
  CHECK(sieved_spans(regular(100, 10, 4000)) == Extents{{0, 99 * 4000 + 10}});
}

TEST_CASE("a single extent, large ones, and distant ones are accessed as they are") {
  CHECK(sieved_spans({}).empty());
  CHECK(sieved_spans(Extents{{0, 100}}).empty());
  CHECK(sieved_spans(regular(100, 10, 4200)).empty());
  const Bytes large = (Bytes{1} << 20) + 1;
  CHECK(sieved_spans(Extents{{0, large}, {large + 1, 2 * large + 1}}).empty());
  // The distance is divided by the number of extents, not of gaps.
  CHECK_FALSE(sieved_spans(Extents{{0, 1}, {8192, 8193}}).empty());
  CHECK(sieved_spans(Extents{{0, 1}, {8194, 8195}}).empty());
}

TEST_CASE("spans have at most 64 MiB") {
  const Bytes most = Bytes{64} << 20;
  const Extents spans = sieved_spans(regular(20'000, 4000, 4096));
  REQUIRE(spans.size() == 2);
  CHECK(spans[0].bytes() <= most);
  CHECK(spans[0].bytes() + 4096 > most);
  CHECK(spans[1].begin == spans[0].begin + 4096 * (most / 4096));
  CHECK(spans[1].end == 19'999 * 4096 + 4000);
}
