// SPDX-License-Identifier: BSD-3-Clause
// `sim fireworks check` with its defaults: 500 random node sets of 8 to 64 nodes.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/support/files.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti::tests;

TEST_CASE("the best form ranks 500 node sets as the simulation does, also by number of nodes") {
  TemporaryFolder folder;
  for (const char* machine : {"tachyon1", "tachyon2"}) {
    const auto model = folder.file(std::string(machine) + ".toml");
    out_of({"fireworks", "--platform", machine, "--costs", model, "-q"});
    const auto checked = nlohmann::json::parse(out_of(
        {"fireworks", "check", "--costs", model, "--part", "ordering", "--format", "json", "-q"}));
    int rows = 0;
    for (const auto& row : checked["points"]) {
      if (row["form"] != "bottleneck") continue;
      CAPTURE(row.dump());
      CHECK(row["correct_fraction"].get<double>() >= 0.95);
      ++rows;
    }
    CHECK(rows == 5);
  }
}

TEST_CASE("on tori, with several NICs and with limited cores the chosen form ranks node sets") {
  for (const char* machine : {"juqueen", "fugaku", "vsc3", "opuntia", "roce", "alps"}) {
    CAPTURE(machine);
    const auto trial =
        nlohmann::json::parse(out_of({"fireworks", "--platform", machine, "--order", "intra-first",
                                      "--part", "trial", "--format", "json", "-q"}));
    REQUIRE(trial["points"].size() == 1);
    CHECK(trial["points"][0]["correct_fraction"].get<double>() >= 0.95);
  }
}
