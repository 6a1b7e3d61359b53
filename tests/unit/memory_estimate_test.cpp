// SPDX-License-Identifier: BSD-3-Clause
#include "sim/jobs/memory_estimate.hpp"

#include <doctest/doctest.h>

#include <sstream>

#include "platforms/reader.hpp"

using namespace tutti;
using engines::EngineKind;
using jobs::Point;

namespace {

constexpr Bytes kibibyte = 1024;
constexpr Bytes gibibyte = 1024 * 1024 * 1024;
constexpr Bytes program = 10 * 1024 * 1024;  // without a job

Point point_of(EngineKind engine, int procs, std::int64_t segments) {
  Point point;
  point.engine = engine;
  point.placement.procs = procs;
  point.call.algorithm = algorithms::find_algorithm("bcast", "chain");
  point.call.args = {.message_bytes = segments * 64, .segment_bytes = 64};
  return point;
}

}  // namespace

TEST_CASE("ranks and segments need memory") {
  const struct {
    EngineKind engine;
    int procs;
    std::int64_t segments;
    Bytes need;
  } cases[] = {{EngineKind::simgrid, 1, 1, 28 * kibibyte + program},
               {EngineKind::simgrid, 1000, 10, (1000 * 20 + 10 * 8) * kibibyte + program},
               {EngineKind::simgrid, 1 << 24, 1, 320 * gibibyte + 8 * kibibyte + program},
               {EngineKind::ideal, 1000, 10, 1010 * kibibyte + program},
               {EngineKind::ideal, 1, 1 << 24, 16 * gibibyte + kibibyte + program}};
  for (const auto& [engine, procs, segments, need] : cases) {
    const Point point = point_of(engine, procs, segments);
    CHECK(jobs::memory_estimate(point) == need);
    CHECK(!jobs::check_memory(point, need));
    CHECK(jobs::check_memory(point, need - 1));
  }
}

TEST_CASE("verification needs the memory of SimGrid") {
  Point point = point_of(EngineKind::flow, 1000, 10);
  point.verify = true;
  const Bytes need = jobs::memory_estimate(point);
  CHECK(need == jobs::memory_estimate(point_of(EngineKind::simgrid, 1000, 10)));
  const auto error = jobs::check_memory(point, need - 1);
  REQUIRE(error);
  CHECK(error->message.find("in the simgrid engine") != std::string::npos);
  CHECK(error->hint == "use fewer, or omit --verify; --force simulates anyway");
}

TEST_CASE("a job that does not fit is rejected with numbers and a hint") {
  auto error = jobs::check_memory(point_of(EngineKind::simgrid, 1 << 24, 1), 20 * gibibyte);
  REQUIRE(error);
  CHECK(error->kind == ErrorKind::usage);
  CHECK(error->place == "--procs");
  CHECK(error->message ==
        "16777216 processes need about 320 GiB of memory in the simgrid engine; 20 GiB are free");
  CHECK(error->hint == "use fewer, or --engine flow; --force simulates anyway");
  error = jobs::check_memory(point_of(EngineKind::ideal, 2, 1 << 20), gibibyte / 2);
  REQUIRE(error);
  CHECK(error->place == "--segment-size");
  CHECK(error->message ==
        "1048576 segments need about 1034 MiB of memory in the ideal engine; 512 MiB are free");
  CHECK(error->hint == "use fewer; --force simulates anyway");
}

TEST_CASE("data for detailed outputs need memory, and are bounded") {
  Point point = point_of(EngineKind::flow, 1000, 16);
  const Bytes alone = jobs::memory_estimate(point);
  point.inside.histogram = true;
  CHECK(jobs::memory_estimate(point) == alone);
  point.inside.links = true;
  CHECK(jobs::memory_estimate(point) == alone + 500 * kibibyte);
  point.inside.path = true;
  const Bytes with_path = jobs::memory_estimate(point);
  CHECK(with_path == alone + 1000 * kibibyte + 16'000 * 160);
  point.inside.trace = {{0, 9}};
  CHECK(jobs::memory_estimate(point) == with_path + 500 * kibibyte + 80 * 16 * kibibyte / 2);
  const auto error = jobs::check_memory(point, alone);
  REQUIRE(error);
  CHECK(error->hint.find("--trace-ranks") != std::string::npos);
  point = point_of(EngineKind::flow, 1 << 24, 1 << 24);
  point.inside = {.path = true, .trace = {{0, (1 << 24) - 1}}};
  CHECK(jobs::memory_estimate(point) < 90 * gibibyte);
}

TEST_CASE("concurrent messages from all ranks to all others need memory") {
  Point point = point_of(EngineKind::flow, 16384, 1);
  const auto estimate_of = [&](const char* collective, const char* algorithm, int max_requests) {
    point.call.algorithm = algorithms::find_algorithm(collective, algorithm);
    point.call.args.max_requests = max_requests;
    return jobs::memory_estimate(point);
  };
  const Bytes pairwise = estimate_of("alltoall", "pairwise", 0);
  CHECK(pairwise < gibibyte);
  const Bytes limited = estimate_of("alltoall", "linear_sync", 4);
  CHECK(limited > pairwise);
  CHECK(limited < gibibyte);
  for (const char* name : {"linear", "linear_sync"})
    CHECK(estimate_of("alltoall", name, 0) > 50 * gibibyte);
  CHECK(estimate_of("alltoallv", "basic_linear", 0) > 50 * gibibyte);
  const auto error = jobs::check_memory(point, 20 * gibibyte);
  REQUIRE(error);
  CHECK(
      error->message.starts_with("16384 processes with 268419072 messages in flight need about "));
  CHECK(error->hint == "use fewer, or another algorithm; --force simulates anyway");
}

TEST_CASE("the rejection of an exchange names the algorithms that fit into the memory") {
  const auto machine = platforms::load_machine("fat-tree-262144");
  REQUIRE(machine);
  Point point = point_of(EngineKind::flow, 12'288, 1);
  point.extrapolates = true;
  point.placement.ppn = 1;  // so that no rank represents others
  point.call.algorithm = algorithms::find_algorithm("alltoall", "linear");
  point.call.args = {.message_bytes = 64 * 1024};
  const Bytes free_bytes = 8 * gibibyte;
  auto error = jobs::check_memory(point, free_bytes, &*machine);
  REQUIRE(error);
  // Measured: modified_bruck 1 s, pairwise 6 s (972 of 12,287 steps).
  CHECK(error->hint.starts_with("use fewer, or another algorithm: modified_bruck, "));
  CHECK(error->hint.find(", pairwise (sampled), ") != std::string::npos);
  // linear_sync posts to all, too; two_proc is for two processes.
  for (const char* other : {"linear_sync", "two_proc"})
    CHECK(error->hint.find(other) == std::string::npos);
  // It costs what is simulated: without samples, all messages.
  point.extrapolates = false;
  error = jobs::check_memory(point, free_bytes, &*machine);
  REQUIRE(error);
  CHECK(error->hint.find(", pairwise (about ") != std::string::npos);
}

TEST_CASE("an exchange that the links carry as fast as it is sent needs little memory") {
  const auto machine = platforms::load_machine("fat-tree-262144");
  REQUIRE(machine);
  Point point = point_of(EngineKind::flow, 10'000, 1);
  point.call.algorithm = algorithms::find_algorithm("alltoall", "linear");
  point.placement.ppn = 16;
  const auto estimate_of = [&](Bytes bytes) {
    point.call.args = {.message_bytes = bytes};
    return jobs::memory_estimate(point, &*machine);
  };
  CHECK(estimate_of(64) < gibibyte / 4);
  // A few in flight per rank (measured: 8), fewer than all.
  CHECK(estimate_of(64) > 10'000 * 8 * 130);
  // Links are overloaded: most messages are in flight at once, without requests.
  CHECK(estimate_of(1024) > 20 * gibibyte);
  CHECK(estimate_of(1024) < 30 * gibibyte);
  // Rendezvous.
  const Bytes with_requests = estimate_of(64 * 1024);
  CHECK(with_requests > 40 * gibibyte);
  // What is simulated message by message.
  point.want_traffic = true;
  CHECK(estimate_of(64) == with_requests);
  point.want_traffic = false;
  point.benchmark.noise = *workloads::parse_noise("additive:1us");
  CHECK(estimate_of(64) == with_requests);
}

TEST_CASE("the estimate is close to measured peaks") {
  constexpr Bytes mebibyte = 1024 * kibibyte;
  const struct {
    const char* platform;
    int procs;
    int ppn;
    Bytes measured;  // alltoall linear, 32 KiB
  } cases[] = {{"opuntia-10k", 96, 4, 20 * mebibyte},
               {"opuntia-10k", 128, 4, 30 * mebibyte},
               {"opuntia-10k", 256, 4, 336 * mebibyte},
               {"crill", 128, 48, 18 * mebibyte},
               {"lumi", 128, 4, 36 * mebibyte},
               {"leonardo", 128, 4, 42 * mebibyte},
               {"fat-tree-262144", 128, 1, 29 * mebibyte},
               {"fat-tree-262144", 256, 1, 79 * mebibyte},
               {"fat-tree-262144", 1024, 16, 300 * mebibyte}};
  for (const auto& [platform, procs, ppn, measured] : cases) {
    CAPTURE(platform);
    CAPTURE(procs);
    const auto machine = platforms::load_machine(platform);
    REQUIRE(machine);
    Point point = point_of(EngineKind::flow, procs, 1);
    point.call.algorithm = algorithms::find_algorithm("alltoall", "linear");
    point.call.args = {.message_bytes = 32 * kibibyte};
    point.placement.ppn = ppn;
    const auto ratio = static_cast<double>(jobs::memory_estimate(point, &*machine)) /
                       static_cast<double>(measured);
    CAPTURE(ratio);
    CHECK(ratio > 0.85);
    CHECK(ratio < 1.6);
  }
}

TEST_CASE("the free memory is read from /proc/meminfo") {
  const struct {
    const char* text;
    std::optional<Bytes> bytes;
  } cases[] = {{"MemTotal:  10 kB\nMemFree:  5 kB\nMemAvailable:    7 kB\n", 7 * kibibyte},
               {"MemTotal:  10 kB\n", std::nullopt},
               {"MemAvailable: much\n", std::nullopt},
               {"", std::nullopt}};
  for (const auto& [text, bytes] : cases) {
    std::istringstream meminfo(text);
    CHECK(jobs::available_memory(meminfo) == bytes);
  }
}
