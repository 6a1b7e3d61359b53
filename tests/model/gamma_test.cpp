// SPDX-License-Identifier: BSD-3-Clause
// gamma(P) of the simulated Grisou and Gros against Nuriyev and Lastovetsky, table 1.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>

#include "platforms/reader.hpp"
#include "sim/fit/model_fit.hpp"

using namespace tutti;
using namespace tutti::studies;

namespace {

GammaFit simulated(const char* platform) {
  ::setenv("TUTTI_CATALOG", TUTTI_SOURCE_DIR "/platforms/catalog", 1);
  const auto machine = platforms::load_machine(platform).value();
  std::vector<Seconds> times;
  const auto experiments = gamma_experiments(machine, 8192, 7, {}).value();
  for (const auto& each : experiments) times.push_back(experiment_time(each, machine)->mean_s);
  return gamma_of(times);
}

constexpr double table_1[2][6] = {{1, 1.114, 1.219, 1.283, 1.451, 1.540},
                                  {1, 1.084, 1.170, 1.254, 1.339, 1.424}};

}  // namespace

TEST_CASE("gamma is near-linear on both machines, and within 4.5% of the published values") {
  const char* platforms[] = {"grisou", "gros"};
  for (int p = 0; p < 2; ++p) {
    const auto fit = simulated(platforms[p]);
    CAPTURE(platforms[p]);
    CHECK(fit.largest_residual < 0.01);
    REQUIRE(fit.gamma.measured().size() == 6);
    for (std::size_t i = 0; i < 6; ++i)
      CHECK(std::fabs(fit.gamma.measured()[i] / table_1[p][i] - 1) < 0.045);
    // The printed table ends at 7; a root of 90 or 124 ranks has 7 children.
    CHECK(fit.gamma.of_procs(8) > fit.gamma.measured().back());
  }
}

TEST_CASE("a machine of one node has no gamma") {
  const auto one = platforms::read_machine(
      R"(<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><cluster id="c" prefix="n" suffix="" radical="0-0" speed="1Gf"
bw="1GBps" lat="1us"/></platform>)",
      "one.xml");
  REQUIRE(bool(one));
  const auto none = gamma_experiments(*one, 8192, 7, {});
  REQUIRE_FALSE(bool(none));
  CHECK(none.error().message.find("one node") != std::string::npos);
}
