// SPDX-License-Identifier: BSD-3-Clause
#include "sim/options/axis.hpp"

#include <doctest/doctest.h>

#include "sim/base/units.hpp"

using namespace tutti;
using options::AxisKind;
using options::parse_axis;
using options::too_many_points;

namespace {

constexpr AxisKind bytes{parse_bytes, 0};
constexpr AxisKind counts{parse_integer, 1, 1000};
using Values = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("an axis is a value, a list or a range") {
  const struct {
    const char* text;
    AxisKind kind;
    Values values;
  } cases[] = {
      {"64KiB", bytes, {65536}},
      {"0", bytes, {0}},
      {"1,3,5", counts, {1, 3, 5}},
      {"5,1", counts, {5, 1}},
      {"1:8", counts, {1, 2, 4, 8}},
      {"1:9", counts, {1, 2, 4, 8, 9}},
      {"3:3", counts, {3}},
      {"3:20", counts, {3, 6, 12, 20}},
      {"1:1000:*10", counts, {1, 10, 100, 1000}},
      {"2:8:+2", counts, {2, 4, 6, 8}},
      {"2:9:+2", counts, {2, 4, 6, 8, 9}},
      {"0:10:+5", bytes, {0, 5, 10}},
      {"1KiB:3KiB:+1KiB", bytes, {1024, 2048, 3072}},
      {"0,1:4", bytes, {0, 1, 2, 4}},
      {"1:2,7,10:30:+10", counts, {1, 2, 7, 10, 20, 30}},
      // The end is the largest number: the step past it must not overflow.
      {"4611686018427387904:9223372036854775807", bytes, {INT64_MAX / 2 + 1, INT64_MAX}},
  };
  for (const auto& [text, kind, values] : cases) {
    CAPTURE(text);
    const auto parsed = parse_axis(text, kind);
    REQUIRE(parsed);
    CHECK(*parsed == values);
  }
}

TEST_CASE("an invalid axis is rejected with a reason") {
  const struct {
    const char* text;
    AxisKind kind;
    const char* part;  // of message or hint
  } cases[] = {
      {"", counts, "empty"},
      {"1,,2", counts, "empty"},
      {"1,", counts, "empty"},
      {"x", counts, "'x'"},
      {"-1", bytes, "'-1'"},
      {"0", counts, "out of range: 1 to 1000"},
      {"1001", counts, "out of range: 1 to 1000"},
      {"8:1", counts, "starts above its end"},
      {"0:8", bytes, "0,1:B"},
      {"0:8:*4", bytes, "0,1:B"},
      {"1:8:*1", counts, "invalid step"},
      {"1:8:*0", counts, "invalid step"},
      {"1:8:+0", counts, "invalid step"},
      {"1:8:-1", counts, "invalid step"},
      {"1:8:", counts, "invalid step"},
      {"1:8:3", counts, "invalid step"},
      {"1:2:*2:*2", counts, "too many colons"},
      {"1:64QiB", bytes, "QiB"},
      {"1:100001:+1", bytes, "more than 100000"},
      {"1:60000:+1,1:60000:+1", bytes, "more than 100000"},
  };
  for (const auto& [text, kind, part] : cases) {
    CAPTURE(text);
    const auto parsed = parse_axis(text, kind);
    REQUIRE(!parsed);
    const std::string reported = parsed.error().message + "\n" + parsed.error().hint;
    CAPTURE(reported);
    CHECK(reported.find(part) != std::string::npos);
    CHECK(parsed.error().kind == ErrorKind::usage);
  }
}

TEST_CASE("an axis has at most 100,000 values") {
  const auto most = parse_axis("1:100000:+1", bytes);
  REQUIRE(most);
  CHECK(most->size() == 100'000);
  CHECK(most->back() == 100'000);
}

TEST_CASE("the product of axes is known before any point is created") {
  CHECK_FALSE(too_many_points({}));
  CHECK_FALSE(too_many_points({100'000, 0, 1}));
  CHECK(too_many_points({50'001, 2})->message ==
        "the lists and ranges make 100002 points, more than 100000");
  CHECK(too_many_points(std::vector<std::size_t>(40, 100'000)));
}
