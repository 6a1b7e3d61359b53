// SPDX-License-Identifier: BSD-3-Clause
// A fit separates what differs between runs from what the machine is.
#include <doctest/doctest.h>

#include "tests/support/hidden_machine.hpp"

using namespace tutti;
using namespace tutti::tests;

namespace {

struct Run {
  int nodes = 0;
  double latency = 0, byte = 0;  // logarithms of factors
  double more_us = 0;            // additional latency
};

// The hidden machine with latencies e^latency and times per byte e^byte as long.
platforms::Machine machine_in(const Run& run) {
  const double l = std::exp(run.latency), b = std::exp(-run.byte);
  const auto us = [&](double time) { return fmt::format("{}us", l * time); };
  const auto GBps = [&](double rate) { return fmt::format("{}GBps", b * rate); };
  std::string extra = "0:0";
  for (const auto& [size, time] : {std::pair(64, 0.1),
                                   {256, 0.3},
                                   {1024, 0.6},
                                   {4096, 1.4},
                                   {16384, 1.8},
                                   {65536, 3.3},
                                   {262144, 13.3},
                                   {1048576, 25.3}})
    extra += fmt::format(";{}:{}", size, size > 65536 ? fmt::format("{}us", time / b) : us(time));
  return platforms::read_machine(
             hidden_xml, "hidden.xml",
             {{"link/bandwidth", GBps(12)},
              {"link/latency", us(0.5)},
              {"mpi/send_overhead", us(0.25)},
              {"mpi/recv_overhead", us(0.25)},
              {"mpi/copy_bandwidth", GBps(6)},
              {"mpi/extra_latency", extra},
              {"mpi/scale_latency", fmt::format("0:{}us", run.more_us)},
              {"mpi/arrival_skew", us(1.3)},
              {"mpi/combine_bandwidth", "0:" + GBps(14) + ";32MiB:" + GBps(4)},
              {"mpi/local_copy_bandwidth", "0:" + GBps(12) + ";32MiB:" + GBps(6)}})
      .value();
}

std::vector<studies::MeasuredCollective> measured_in(const std::vector<Run>& runs) {
  std::vector<studies::MeasuredCollective> all;
  for (const auto& run : runs) {
    const auto machine = machine_in(run);
    for (auto row : hidden_calls_of(
             {{"allgather", "ring"}, {"allreduce", "recursive_doubling"}, {"bcast", "binomial"}},
             {run.nodes}, 2 << 20)) {
      row.run = fmt::format("run {}", &run - runs.data());
      row.time_s = studies::simulated_time(row, machine).value();
      all.push_back(std::move(row));
    }
  }
  return with_noise(std::move(all), 0.03, 1);
}

TEST_CASE("a fit estimates how far runs differ, and takes no law from it") {
  const std::vector<Run> runs{{4, 0.25, 0.05}, {4, -0.2, 0},     {8, 0.1, -0.1},
                              {8, -0.15, 0.1}, {16, 0.2, -0.05}, {16, -0.2, 0}};
  const auto fit =
      studies::fit_to_collectives(measured_in(runs), flat_machine(64), {.cross_validate = false})
          .value();
  REQUIRE(fit.runs.latency);
  CHECK(fit.runs.count == runs.size());
  CHECK(*fit.runs.latency > 0.1);
  CHECK(*fit.runs.latency < 0.35);
  CHECK(*fit.runs.byte > 0.02);
  CHECK(*fit.runs.byte < 0.15);
  REQUIRE(fit.runs.all.size() == runs.size());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    CAPTURE(i);
    CHECK(std::abs(fit.runs.all[i].log_latency - runs[i].latency) < 0.08);
  }
  CHECK(!fit.system->scale_law);
  REQUIRE(fit.runs.law);
  CHECK(!fit.runs.law->rejected.empty());
}

TEST_CASE("a fit takes a law by the size of jobs that several runs show") {
  const std::vector<Run> runs{{4, 0.03, 0, 0},  {4, -0.02, 0, 0},  {8, -0.03, 0, 0},
                              {8, 0.02, 0, 0},  {16, 0.02, 0, 3},  {16, -0.03, 0, 3},
                              {20, 0.01, 0, 3}, {32, -0.01, 0, 0}, {32, 0.02, 0, 0}};
  const auto fit =
      studies::fit_to_collectives(measured_in(runs), flat_machine(64), {.cross_validate = false})
          .value();
  REQUIRE(fit.system->scale_law);
  CHECK(*fit.system->scale_law == studies::ScaleLaw{.above = 8, .up_to = 20});
  CHECK(std::abs(fit.system->scale_latency_s / 3e-6 - 1) < 0.15);
  CHECK(*fit.runs.latency < 0.08);
}

}  // namespace
