// SPDX-License-Identifier: BSD-3-Clause
#include "sim/tune/tune_run.hpp"

#include <doctest/doctest.h>

#include "sim/studies/study_points.hpp"

using namespace tutti;
using namespace tutti::studies::tuning;

TEST_CASE("a tuning study runs without a command") {
  auto file = read_tune_file(R"([study]
name = "eager"
[[objective]]
workload = "bcast"
platform = "crill"
procs = 4
ppn = 1
message_size = "16KiB"
[[parameter]]
name = "mpi/eager_limit"
values = ["12KiB", "48KiB"]
default = "12KiB"
[search]
method = "brute-force"
)",
                             "t.toml", studies::study_options());
  REQUIRE(bool(file));
  REQUIRE(complete(*file).empty());
  std::size_t simulated = 0;
  const auto quiet = studies::quiet_runner({.jobs = 2});
  TuneRun tuning(*file, [&](const auto& points) {
    simulated += points.size();
    return quiet(points);
  });
  REQUIRE(tuning.prepare().empty());
  const auto found = tuning.run();
  REQUIRE(bool(found));
  CHECK(found->simulations == simulated);
  REQUIRE(found->best() != nullptr);
  CHECK(found->best()->combination == Combination{1});
  CHECK(*found->best()->value < *found->default_value);

  SUBCASE("the runner stops it") {
    TuneRun stopped(*file, [](const auto& points) {
      return studies::PointsRun{.answers = std::vector<std::optional<Row>>(points.size()),
                                .not_run = points.size()};
    });
    REQUIRE(stopped.prepare().empty());
    CHECK(stopped.run().error().message == "stopped: the search is not finished");
  }
}
