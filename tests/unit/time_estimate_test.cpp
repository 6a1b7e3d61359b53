// SPDX-License-Identifier: BSD-3-Clause
#include "sim/jobs/time_estimate.hpp"

#include <doctest/doctest.h>

#include "platforms/reader.hpp"
#include "tests/support/close_to.hpp"

using namespace tutti;
using jobs::Point;

namespace {

Point alltoall(const char* algorithm, int procs, Bytes bytes) {
  Point point;
  point.placement.procs = procs;
  point.call.algorithm = algorithms::find_algorithm("alltoall", algorithm);
  point.call.args = {.message_bytes = bytes};
  return point;
}

Seconds estimated_s(const char* platform, const Point& point) {
  const auto machine = platforms::load_machine(platform);
  REQUIRE(machine);
  return jobs::estimated_seconds(point, *machine);
}

}  // namespace

TEST_CASE("estimated times are close to measured ones") {
  const struct {
    const char* platform;
    int procs;
    int ppn;
    Seconds measured_s;  // CPU time of alltoall linear, 32 KiB
  } cases[] = {{"opuntia-10k", 64, 4, 0.07},      {"opuntia-10k", 96, 4, 1.67},
               {"opuntia-10k", 128, 4, 7.84},     {"opuntia-10k", 256, 4, 265},
               {"crill", 128, 48, 0.09},          {"lumi", 128, 4, 3.8},
               {"leonardo", 128, 4, 20.2},        {"fat-tree-262144", 128, 1, 0.31},
               {"fat-tree-262144", 256, 1, 3.51}, {"fat-tree-262144", 1024, 16, 3.36}};
  for (const auto& [platform, procs, ppn, measured_s] : cases) {
    CAPTURE(platform);
    CAPTURE(procs);
    Point point = alltoall("linear", procs, 32 * 1024);
    point.placement.ppn = ppn;
    const double ratio = estimated_s(platform, point) / measured_s;
    CAPTURE(ratio);
    CHECK(ratio > 1.0 / 3);
    CHECK(ratio < 3);
  }
}

TEST_CASE("groups of ranks are estimated by the messages of their representatives") {
  const struct {
    const char* algorithm;
    Bytes bytes;
    Seconds measured_s;  // CPU time on 128 nodes of lumi-c, 96 ranks each
  } cases[] = {{"pairwise", 65536, 8.4}, {"scattered", 65536, 8.5}, {"linear", 4096, 18}};
  for (const auto& [algorithm, bytes, measured_s] : cases) {
    CAPTURE(algorithm);
    Point point = alltoall(algorithm, 12'288, bytes);
    point.placement.ppn = 96;
    point.extrapolates = true;
    const double ratio = estimated_s("lumi-c", point) / measured_s;
    CAPTURE(ratio);
    CHECK(ratio > 1.0 / 3);
    CHECK(ratio < 3);
    point.model_only = true;
    CHECK(estimated_s("lumi-c", point) == 0);
  }
}

TEST_CASE("messages that links carry as fast as they are sent do not compete") {
  Point point = alltoall("linear", 1024, 64);
  point.placement.ppn = 4;
  CHECK(estimated_s("opuntia-10k", point) < 5);
  point.call.args.message_bytes = 32 * 1024;
  CHECK(estimated_s("opuntia-10k", point) > 3600);
}

TEST_CASE("starts, engines and formulas determine the estimated time") {
  Point point = alltoall("pairwise", 128, 1024);
  const Seconds three_s = estimated_s("crill", point);
  CHECK(three_s == tests::exactly(3 * 128 * 127 * jobs::message_cost_s));
  point.starts.runs = 0;
  CHECK(3 * estimated_s("crill", point) == tests::exactly(three_s));
  point.engine = engines::EngineKind::simgrid;
  CHECK(estimated_s("crill", point) > three_s);
  point.model_only = true;
  CHECK(estimated_s("crill", point) == 0);
}

TEST_CASE("a simulation of a minute or more is announced") {
  CHECK_FALSE(jobs::long_run_warning(6, 59, 2));
  CHECK(jobs::long_run_warning(6, 221, 2) ==
        "the simulation of 6 points takes about 4 minutes on 2 cores");
  CHECK(jobs::long_run_warning(1, 9000, 1) ==
        "the simulation of 1 point takes about 2.5 hours on 1 core");
}

TEST_CASE("a point of more than two billion messages is reported with the time") {
  Point point = alltoall("pairwise", 65'536, 64);
  CHECK(jobs::many_messages_warning(point) ==
        "4.3 billion messages, which take 1.2 hours at about a million per second");
  point.placement.procs = 40'000;
  CHECK_FALSE(jobs::many_messages_warning(point));
  point.benchmark = {.repetitions = 10, .noise = *workloads::parse_noise("additive:1us")};
  CHECK(jobs::many_messages_warning(point)->starts_with("16.0 billion messages"));
}

TEST_CASE("a note gives the number of runs of a large point that may depend on its start") {
  const auto machine = platforms::load_machine("juqueen");
  REQUIRE(machine);
  Point point = alltoall("pairwise", 1024, 1024);
  point.placement.ppn = 16;
  CHECK(jobs::starts_note(point, *machine) ==
        "1.0 million messages are simulated twice, up to 8 times if the ranks' start matters; "
        "--exact-start simulates them once");
  point.starts.runs = 0;
  CHECK_FALSE(jobs::starts_note(point, *machine));
  point.starts = {.runs = 3, .are_given = true};
  CHECK(jobs::starts_note(point, *machine)->find("up to 4 times") != std::string::npos);
  point.placement.procs = 512;
  CHECK_FALSE(jobs::starts_note(point, *machine));
}
