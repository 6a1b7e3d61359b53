// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/memory_estimate.hpp"

#include <doctest/doctest.h>

#include <sstream>

#include "platforms/reader.hpp"

using namespace tutti;
using engines::EngineKind;
using studies::Point;

namespace {

constexpr Bytes kibibyte = 1024;
constexpr Bytes gibibyte = 1024 * 1024 * 1024;

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
  } cases[] = {{EngineKind::simgrid, 1, 1, 28 * kibibyte},
               {EngineKind::simgrid, 1000, 10, (1000 * 20 + 10 * 8) * kibibyte},
               {EngineKind::simgrid, 1 << 24, 1, 320 * gibibyte + 8 * kibibyte},
               {EngineKind::ideal, 1000, 10, 1010 * kibibyte},
               {EngineKind::ideal, 1, 1 << 24, 16 * gibibyte + kibibyte}};
  for (const auto& [engine, procs, segments, need] : cases) {
    const Point point = point_of(engine, procs, segments);
    CHECK(studies::memory_estimate(point) == need);
    CHECK(!studies::check_memory(point, need));
    CHECK(studies::check_memory(point, need - 1));
  }
}

TEST_CASE("verification needs the memory of SimGrid") {
  Point point = point_of(EngineKind::flow, 1000, 10);
  point.verify = true;
  const Bytes need = studies::memory_estimate(point);
  CHECK(need == studies::memory_estimate(point_of(EngineKind::simgrid, 1000, 10)));
  const auto error = studies::check_memory(point, need - 1);
  REQUIRE(error);
  CHECK(error->message.find("in the simgrid engine") != std::string::npos);
  CHECK(error->hint == "use fewer, or omit --verify; --force simulates anyway");
}

TEST_CASE("a job that does not fit is rejected with numbers and a hint") {
  auto error = studies::check_memory(point_of(EngineKind::simgrid, 1 << 24, 1), 20 * gibibyte);
  REQUIRE(error);
  CHECK(error->kind == ErrorKind::usage);
  CHECK(error->place == "--procs");
  CHECK(error->message ==
        "16777216 processes need about 320 GiB of memory in the simgrid engine; 20 GiB are free");
  CHECK(error->hint == "use fewer, or --engine flow; --force simulates anyway");
  error = studies::check_memory(point_of(EngineKind::ideal, 2, 1 << 20), gibibyte / 2);
  REQUIRE(error);
  CHECK(error->place == "--segment-size");
  CHECK(error->message ==
        "1048576 segments need about 1024 MiB of memory in the ideal engine; 512 MiB are free");
  CHECK(error->hint == "use fewer; --force simulates anyway");
}

TEST_CASE("data for detailed outputs need memory, and are bounded") {
  Point point = point_of(EngineKind::flow, 1000, 16);
  const Bytes alone = studies::memory_estimate(point);
  point.inside.histogram = true;
  CHECK(studies::memory_estimate(point) == alone);
  point.inside.links = true;
  CHECK(studies::memory_estimate(point) == alone + 500 * kibibyte);
  point.inside.path = true;
  const Bytes with_path = studies::memory_estimate(point);
  CHECK(with_path == alone + 1000 * kibibyte + 16'000 * 160);
  point.inside.trace = {{0, 9}};
  CHECK(studies::memory_estimate(point) == with_path + 500 * kibibyte + 80 * 16 * kibibyte / 2);
  const auto error = studies::check_memory(point, alone);
  REQUIRE(error);
  CHECK(error->hint.find("--trace-ranks") != std::string::npos);
  point = point_of(EngineKind::flow, 1 << 24, 1 << 24);
  point.inside = {.path = true, .trace = {{0, (1 << 24) - 1}}};
  CHECK(studies::memory_estimate(point) < 90 * gibibyte);
}

TEST_CASE("concurrent messages from all ranks to all others need memory") {
  Point point = point_of(EngineKind::flow, 16384, 1);
  const auto estimate_of = [&](const char* collective, const char* algorithm, int max_requests) {
    point.call.algorithm = algorithms::find_algorithm(collective, algorithm);
    point.call.args.max_requests = max_requests;
    return studies::memory_estimate(point);
  };
  const Bytes pairwise = estimate_of("alltoall", "pairwise", 0);
  CHECK(pairwise < gibibyte);
  const Bytes limited = estimate_of("alltoall", "linear_sync", 4);
  CHECK(limited > pairwise);
  CHECK(limited < gibibyte);
  for (const char* name : {"linear", "linear_sync"})
    CHECK(estimate_of("alltoall", name, 0) > 50 * gibibyte);
  CHECK(estimate_of("alltoallv", "basic_linear", 0) > 50 * gibibyte);
  const auto error = studies::check_memory(point, 20 * gibibyte);
  REQUIRE(error);
  CHECK(
      error->message.starts_with("16384 processes with 268419072 messages in flight need about "));
  CHECK(error->hint == "use fewer, or another algorithm; --force simulates anyway");
}

TEST_CASE("an exchange that the links carry as fast as it is sent needs little memory") {
  const auto machine = platforms::load_machine("fat-tree-262144");
  REQUIRE(machine);
  Point point = point_of(EngineKind::flow, 10'000, 1);
  point.call.algorithm = algorithms::find_algorithm("alltoall", "linear");
  point.placement.ppn = 16;
  const auto estimate_of = [&](Bytes bytes) {
    point.call.args = {.message_bytes = bytes};
    return studies::memory_estimate(point, &*machine);
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

TEST_CASE("a point of more than two billion messages is reported with the time") {
  Point point = point_of(EngineKind::flow, 65536, 1);
  CHECK_FALSE(studies::long_run_warning(point));
  point.call.algorithm = algorithms::find_algorithm("alltoall", "pairwise");
  CHECK(studies::long_run_warning(point) ==
        "4.3 billion messages, which take 1.2 hours at about a million per second");
  point.placement.procs = 40'000;
  CHECK_FALSE(studies::long_run_warning(point));
  point.benchmark = {.repetitions = 10, .noise = *workloads::parse_noise("additive:1us")};
  CHECK(studies::long_run_warning(point)->starts_with("16.0 billion messages"));
}

TEST_CASE("a note gives the number of runs of a large point that may depend on its start") {
  const auto machine = platforms::load_machine("juqueen");
  REQUIRE(machine);
  Point point = point_of(EngineKind::flow, 1024, 1);
  point.call.algorithm = algorithms::find_algorithm("alltoall", "pairwise");
  point.call.args = {.message_bytes = 1024};
  point.placement.ppn = 16;
  CHECK(studies::starts_note(point, *machine) ==
        "1.0 million messages are simulated twice, up to 8 times if the ranks' start matters; "
        "--exact-start simulates them once");
  point.starts.runs = 0;
  CHECK_FALSE(studies::starts_note(point, *machine));
  point.starts = {.runs = 3, .are_given = true};
  CHECK(studies::starts_note(point, *machine)->find("up to 4 times") != std::string::npos);
  point.placement.procs = 512;
  CHECK_FALSE(studies::starts_note(point, *machine));
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
    CHECK(studies::available_memory(meminfo) == bytes);
  }
}
