// SPDX-License-Identifier: BSD-3-Clause
// How neighbouring points are found and counted, with hand-made values.
#include <doctest/doctest.h>

#include "sim/studies/papers/printed_tables.hpp"
#include "sim/validate/io_cause.hpp"
#include "tests/support/close_to.hpp"

using namespace tutti;
using namespace tutti::studies;

namespace {

// 16 processes, 1 MB each; the varying values are arguments.
TendencyPoint point(std::int64_t aggregators, Seconds simulated_s, Seconds model_s,
                    const std::string& model = "even 1d") {
  return {model, 16, 1'000'000, aggregators, simulated_s, model_s};
}

TendencyCount count_of(const std::vector<TendencyPoint>& points, TendencyCase varied,
                       double least = 0.01) {
  const std::vector<std::string> models{points.front().model};
  for (const auto& count : count_tendencies(points, tendency_pairs(points, least), models))
    if (count.varied == varied) return count;
  return {};
}

}  // namespace

TEST_CASE("two changes agree if they have the same sign") {
  CHECK(agreement_of(0.5, 0.02, 0.01) == Agreement::match);
  CHECK(agreement_of(-0.5, -0.02, 0.01) == Agreement::match);
  CHECK(agreement_of(0.5, -0.02, 0.01) == Agreement::mismatch);
  CHECK(agreement_of(-0.5, 0.02, 0.01) == Agreement::mismatch);
}

TEST_CASE("a change below the threshold does not count as a change") {
  CHECK(agreement_of(0.009, -0.009, 0.01) == Agreement::no_change);
  CHECK(agreement_of(0.5, 0.009, 0.01) == Agreement::only_simulated);
  CHECK(agreement_of(-0.009, 0.5, 0.01) == Agreement::only_model);
  CHECK(agreement_of(0.01, 0.01, 0.01) == Agreement::match);
}

TEST_CASE("equal values do not change, for any threshold") {
  CHECK(agreement_of(0, 0, 0) == Agreement::no_change);
  CHECK(agreement_of(0, 1e-12, 0) == Agreement::only_model);
  CHECK(agreement_of(1e-12, 1e-12, 0) == Agreement::match);
}

TEST_CASE("growth, shrinking, small and no changes are counted separately") {
  const std::vector points{point(1, 10, 10), point(2, 5, 5),       point(4, 6, 2.5),
                           point(8, 6, 2.4), point(16, 7, 2.4001), point(32, 7, 2.4001)};
  const TendencyCount count = count_of(points, TendencyCase::aggregators);
  CHECK(count.match == 1);           // 1-2
  CHECK(count.mismatch == 1);        // 2-4
  CHECK(count.only_model == 1);      // 4-8
  CHECK(count.only_simulated == 1);  // 8-16
  CHECK(count.no_change == 1);       // 16-32
  CHECK(count.apart() == 3);
  CHECK(count.rate() == 0.5);
}

TEST_CASE("with a threshold of 0 the smallest change counts") {
  const std::vector points{point(1, 10, 10), point(2, 10.001, 10.001)};
  CHECK(count_of(points, TendencyCase::aggregators, 0).match == 1);
  CHECK(!count_of(points, TendencyCase::aggregators).has_rate());
}

TEST_CASE("neighbours are adjacent values, for any order of the points") {
  const std::vector points{point(4, 6, 6), point(1, 10, 10), point(2, 8, 12)};
  const auto pairs = tendency_pairs(points, 0.01);
  REQUIRE(pairs.size() == 2);
  CHECK(pairs[0].from == 1);
  CHECK(pairs[0].to == 2);
  CHECK(pairs[0].simulated_change == tests::exactly(-0.2));
  CHECK(pairs[0].model_change == tests::exactly(0.2));
  CHECK(pairs[1].from == 2);
  CHECK(pairs[1].to == 0);
}

TEST_CASE("one parameter varies, the others and the model are fixed") {
  std::vector points{point(1, 10, 10), point(2, 5, 5), point(2, 5, 5, "even 2d")};
  points.push_back({"even 1d", 16, 2'000'000, 1, 20, 20});  // data of (1)
  points.push_back({"even 1d", 32, 1'000'000, 2, 9, 4});    // processes of (2)
  points.push_back({"even 1d", 32, 2'000'000, 4, 9, 4});    // differs in two from all
  const auto pairs = tendency_pairs(points, 0.01);
  REQUIRE(pairs.size() == 3);
  CHECK(pairs[0].varied == TendencyCase::data);
  CHECK(pairs[1].varied == TendencyCase::aggregators);
  CHECK(pairs[2].varied == TendencyCase::procs);
  CHECK(pairs[2].agreement == Agreement::mismatch);
}

TEST_CASE("without neighbours there is no rate") {
  const std::vector points{point(1, 10, 10)};
  CHECK(tendency_pairs(points, 0.01).empty());
  CHECK(!count_of(points, TendencyCase::data).has_rate());
}

TEST_CASE("the printed tables are complete with all their pairs") {
  const auto printed = papers::printed_tendencies();
  REQUIRE(printed.size() == 12);
  std::int64_t match = 0;
  std::int64_t mismatch = 0;
  for (const auto& each : printed) {
    match += each.match;
    mismatch += each.mismatch;
  }
  CHECK(match == 356);
  CHECK(mismatch == 29);
  CHECK(printed[6].model == "static 1d");
  CHECK(printed[6].rate() == 37. / 45);
}
