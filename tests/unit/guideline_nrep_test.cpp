// SPDX-License-Identifier: BSD-3-Clause
// The number of repetitions for given latencies.
#include <doctest/doctest.h>

#include <cmath>

#include "sim/base/result.hpp"
#include "sim/guidelines/measuring.hpp"
#include "tests/support/close_to.hpp"

using namespace tutti;
using namespace tutti::studies::guidelines;
using tests::close_to;
using tests::exactly;

namespace {

// Returns the latencies one after the other and counts; afterwards an error.
struct Sequence {
  std::vector<Seconds> latencies_s;
  std::size_t taken = 0;

  NextLatency next() {
    return [this]() -> Result<Seconds> {
      if (taken == latencies_s.size()) return make_error(ErrorKind::run, "", "one too many");
      return latencies_s[taken++];
    };
  }
};

}  // namespace

TEST_CASE("the relative standard error is the sample's deviation by root n and mean") {
  const std::vector<Seconds> values{2, 4, 4, 4, 5, 5, 7, 9};  // mean 5, sum of squares 32
  CHECK(*relative_standard_error(values) == close_to(std::sqrt(32.0 / 7 / 8) / 5, 1e-12));
  const std::vector<Seconds> one{3};
  CHECK_FALSE(relative_standard_error(one));
  const std::vector<Seconds> zeros{0, 0};
  CHECK(*relative_standard_error(zeros) == 0);
}

TEST_CASE("step 1: repeated until the error is below 1%, and the time is that of all") {
  // After two: |a - b| / (a + b) = 1/21; after three, with 1, 1.1, 1.05: 0.0289/1.05 = 2.7%.
  Sequence sequence{{1, 1.1, 1.05, 1.05, 1.05, 1.05, 1.05, 1.05, 1.05, 1.05}};
  const auto settled = settle(sequence.next(), {});
  REQUIRE(settled);
  // n values with a sum of squares of 0.005: sqrt(0.005 / (n (n - 1))) / 1.05 < 0.01 from 8 on.
  CHECK(settled->repetitions == 8);
  CHECK(sequence.taken == 8);
  CHECK(settled->time_s == close_to(8 * 1.05, 1e-12));
  CHECK(settled->settled);
}

TEST_CASE("step 1: equal latencies settle after two, strongly varying ones never") {
  Sequence equal{{2, 2, 2}};
  CHECK(settle(equal.next(), {})->time_s == exactly(4));
  Sequence wild{{1, 9, 1, 9, 1}};
  const auto settled = settle(wild.next(), {.most = 4});
  CHECK(settled->repetitions == 4);
  CHECK(settled->time_s == exactly(20));
  CHECK_FALSE(settled->settled);
}

TEST_CASE("step 2: one batch if its error is small, otherwise a second one; the smallest counts") {
  Sequence calm{{5, 4.9, 5, 5, 5, 1}};
  CHECK(*expected_latency(calm.next(), {}) == 4.9);
  CHECK(calm.taken == 5);
  Sequence restless{{5, 9, 5, 9, 5, 8, 4, 8, 8, 8, 1}};
  CHECK(*expected_latency(restless.next(), {}) == 4);
  CHECK(restless.taken == 10);
  Sequence without_second{{5, 9, 3, 1}};
  CHECK(*expected_latency(without_second.next(), {.first_batch = 3, .second_batch = 0}) == 3);
  // A single value has no error, so the second batch follows.
  Sequence single{{5, 6, 1}};
  CHECK(*expected_latency(single.next(), {.first_batch = 1, .second_batch = 1}) == 5);
  CHECK(single.taken == 2);
}

TEST_CASE("step 3: the number that fills the time, but at least K") {
  CHECK(repetitions_for(10, 0.5, {.least = 1}) == 20);
  CHECK(repetitions_for(10, 0.51, {.least = 1}) == 20);
  CHECK(repetitions_for(10, 0.49, {.least = 1}) == 21);
  CHECK(repetitions_for(10, 100, {.least = 1}) == 1);
  CHECK(repetitions_for(10, 100, {.least = 7}) == 7);
  CHECK(repetitions_for(10, 0, {.least = 7}) == 7);
  CHECK(repetitions_for(1e300, 1e-300, {.most = 50}) == 50);
  CHECK(repetitions_for(10, 0.01, {.least = 70, .most = 50}) == 70);
}

TEST_CASE("a simulation that fails ends the estimate") {
  Sequence none;
  CHECK(settle(none.next(), {}).error().message == "one too many");
  CHECK(expected_latency(none.next(), {}).error().message == "one too many");
}
