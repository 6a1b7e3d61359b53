// SPDX-License-Identifier: BSD-3-Clause
// Tables 5.3 to 5.5 of the dissertation with all points: some minutes.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/support/subprocess.hpp"

using namespace tutti::tests;

TEST_CASE("on crill the model of collective I/O follows the simulation as often as in the paper") {
  const Ended ended =
      run_sim({"validate", "io", "--cases", "--fail-below", "paper", "--format", "json", "-q"});
  CAPTURE(ended.err);
  REQUIRE(ended.exit_code == 0);
  const auto all = nlohmann::json::parse(ended.out);
  CHECK(all["points"].size() == 576);
  for (const auto& point : all["points"]) CHECK(point["extrapolation"] != "sampled");
  for (const auto& table : all["tables"])
    for (const auto& row : table["rows"]) {
      if (table["name"] == "cases") CHECK(row["no_worse"] == true);
      if (table["name"] == "causes") CHECK(row["cause"] != "unknown");
    }
}
