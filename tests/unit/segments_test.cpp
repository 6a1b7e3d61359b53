// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/segments.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "sim/base/check.hpp"

namespace {

using tutti::Bytes;
using tutti::algorithms::cut_into_segments;
using tutti::algorithms::Segments;

std::vector<Bytes> sizes_of(const Segments& segments) {
  std::vector<Bytes> sizes;
  for (std::int64_t i = 0; i < segments.count(); ++i) sizes.push_back(segments.bytes(i));
  return sizes;
}

TEST_CASE("a message is cut into segments of whole elements") {
  struct Case {
    Bytes message;
    Bytes segment;
    Bytes element;
    std::vector<Bytes> sizes;
  };
  const std::vector<Case> cases{
      {0, 0, 1, {0}},           {0, 8, 1, {0}},    {1, 8, 1, {1}},           {7, 8, 1, {7}},
      {8, 8, 1, {8}},           {9, 8, 1, {8, 1}}, {25, 8, 1, {8, 8, 8, 1}}, {24, 8, 1, {8, 8, 8}},
      {100, 0, 1, {100}},       {8, 1, 4, {8}},  // below one element: not segmented
      {8, 3, 4, {8}},                            //
      {16, 6, 4, {4, 4, 4, 4}},                  // a remainder of half an element: dropped
      {16, 7, 4, {8, 8}},                        // more than half: one element more
      {15, 7, 5, {5, 5, 5}},                     // 2 of 5 is not above 5 / 2 = 2
      {15, 8, 5, {10, 5}},                       // 3 of 5 is
      {8, 7, 4, {8}},                            // rounded up to the whole message
  };
  for (const Case& c : cases) {
    CAPTURE(c.message);
    CAPTURE(c.segment);
    CAPTURE(c.element);
    CHECK(sizes_of(cut_into_segments(c.message, c.segment, c.element)) == c.sizes);
  }
}

TEST_CASE("segments tile their message") {
  const tutti::runtime::Slice message{.offset = 100, .bytes = 25, .buffer = 3};
  const Segments segments(25, 8);
  Bytes next = message.offset;
  for (std::int64_t i = 0; i < segments.count(); ++i) {
    const auto slice = segments.of(message, i);
    CHECK(slice.offset == next);
    CHECK(slice.buffer == 3);
    next += slice.bytes;
  }
  CHECK(next == 125);
}

TEST_CASE("a message with partial elements is a bug of the caller") {
  CHECK_THROWS_AS(cut_into_segments(7, 0, 4), tutti::BrokenInvariant);
  CHECK_THROWS_AS(cut_into_segments(7, 0, 0), tutti::BrokenInvariant);
}

}  // namespace
