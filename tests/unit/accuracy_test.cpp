// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/accuracy.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "algorithms/collective.hpp"
#include "platforms/parameters/keys.hpp"

using namespace tutti;
using studies::ComparedTime;

namespace {

// Ten times of one size with errors of 1 to 10%, every second one too short.
void add(std::vector<ComparedTime>& times, const char* collective, Bytes bytes, int count = 10) {
  for (int i = 1; i <= count; ++i) {
    const double factor = 1 + i / 100.0;
    times.push_back({collective, bytes, i % 2 == 0 ? factor : 1 / factor});
  }
}

}  // namespace

TEST_CASE("90% of the times are within the factor, by ranges of sizes") {
  std::vector<ComparedTime> times;
  add(times, "bcast", 1024);
  for (int i = 1; i <= 10; ++i) times.push_back({"bcast", 1025, 1 + i / 10.0});
  add(times, "reduce", 1 << 20);
  const auto found = studies::accuracy_parameters({times});
  REQUIRE(found.size() == 3);
  CHECK(found[0].key == "accuracy/bcast");
  CHECK(found[0].value == "0:1.090;1024:1.900");
  CHECK(found[0].rows == 20);
  CHECK(found[1].key == "accuracy/reduce");
  CHECK(found[1].value == "0:1.090");
  CHECK(found[2].key == "accuracy/all");
  CHECK(found[2].rows == 30);
}

TEST_CASE("ranges with fewer than five times join their neighbour") {
  std::vector<ComparedTime> times;
  add(times, "bcast", 8, 4);
  add(times, "bcast", 2048, 4);
  add(times, "bcast", 65536);
  const auto found = studies::accuracy_parameters({times});
  CHECK(found[0].value == "0:1.040;32768:1.090");
  CHECK(found.size() == 1);  // one collective does not determine all
  CHECK(studies::accuracy_parameters({}).empty());
}

TEST_CASE("every collective has a key for its accuracy") {
  auto keys = platforms::accuracy_keys();
  CHECK(keys.size() == algorithms::all_collectives().size() + 1);
  for (const auto& collective : algorithms::all_collectives())
    CHECK(std::ranges::find(keys, "accuracy/" + std::string(collective.name)) != keys.end());
}
