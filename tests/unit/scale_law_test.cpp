// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/scale_law.hpp"

#include <doctest/doctest.h>

using namespace tutti;
using namespace tutti::studies;

namespace {

std::vector<MeasuredRun> runs_of(const std::vector<std::pair<std::int64_t, double>>& runs) {
  std::vector<MeasuredRun> all;
  for (const auto& [nodes, log_latency] : runs)
    all.push_back({fmt::format("run {}", all.size()), nodes, log_latency});
  return all;
}

TEST_CASE("several slow runs on either side show a law, with its upper end") {
  const auto law = clearest_scale_law(runs_of({{4, 0},
                                               {4, 0.02},
                                               {8, -0.03},
                                               {16, 0.01},
                                               {32, -0.02},
                                               {64, 0.03},
                                               {128, 0.9},
                                               {200, 0.95},
                                               {254, 0.88},
                                               {256, 0.93},
                                               {512, 0}}));
  REQUIRE(law);
  CHECK(law->rejected.empty());
  CHECK(law->law == ScaleLaw{.above = 64, .up_to = 256});
  CHECK(law->inside == 4);
  CHECK(law->outside == 7);
  CHECK(law->chance < 0.05);
  CHECK(std::abs(law->log_difference - 0.915) < 0.02);
  CHECK(law_text(law->law) == "jobs on 65 to 256 nodes");
  CHECK(law_text({.above = 64}) == "jobs on more than 64 nodes");
}

TEST_CASE("one slow day does not make a law") {
  const auto law = clearest_scale_law(
      runs_of({{4, 0}, {8, 0.02}, {16, -0.02}, {32, 0.01}, {64, 0.03}, {128, 0.9}}));
  REQUIRE(law);
  CHECK(!law->rejected.empty());
}

TEST_CASE("runs that differ without regard to their size show no law") {
  const auto law = clearest_scale_law(runs_of(
      {{4, 0.5}, {4, 0}, {8, 0.1}, {8, 0.6}, {16, 0.55}, {16, 0.05}, {32, 0.02}, {32, 0.5}}));
  REQUIRE(law);
  CHECK(!law->rejected.empty());
  CHECK(law->chance > 0.05);
}

TEST_CASE("jobs of one size, or few runs, show nothing") {
  CHECK(!clearest_scale_law(runs_of({{8, 0}, {8, 1}, {8, 0}, {8, 1}})));
  CHECK(!clearest_scale_law(runs_of({{8, 0}, {16, 1}, {32, 0}})));
  CHECK(!clearest_scale_law({}));
}

}  // namespace
