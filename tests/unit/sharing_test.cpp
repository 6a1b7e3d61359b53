// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/sharing.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "platforms/reader.hpp"
#include "platforms/writer/platform_file.hpp"
#include "tests/support/close_to.hpp"

using namespace tutti;
using namespace tutti::studies;

namespace {

using tests::close_to;
using workloads::SharedPattern;

// 12 nodes, 1 GB/s, messages without overheads.
platforms::Machine machine(bool half_duplex, const std::string& backbone = "") {
  platforms::PlatformFile file;
  file.id = "shared";
  file.nodes = 12;
  file.bandwidth = "1GBps";
  file.latency = "1us";
  file.half_duplex = half_duplex;
  file.backbone = backbone;
  file.groups = {{"none", {}}};
  return platforms::read_machine(platforms::platform_xml(file), "shared.xml").value();
}

std::vector<SharedTime> times_on(const platforms::Machine& machine) {
  std::vector<SharedTime> times;
  for (const auto pattern :
       {SharedPattern::send, SharedPattern::sendrecv_same, SharedPattern::sendrecv_diff})
    for (const std::int64_t ranks : {4, 6, 8, 10, 12}) {
      times.push_back({pattern, ranks, 4'000'000, 0});
      times.back().time_s = simulated_time(times.back(), machine).value();
    }
  return times;
}

TEST_CASE("full-duplex NICs are distinguished from half-duplex ones") {
  const auto full = fit_sharing(times_on(machine(false))).value();
  CHECK(full.two_way_factor == close_to(1, 0.01));
  CHECK(!full.half_duplex);
  CHECK(full.clear);
  CHECK(!full.limited);
  CHECK(full.most_Bps == close_to(6e9, 0.02 * 6e9));
  CHECK(full.most_ranks == 12);
  const auto half = fit_sharing(times_on(machine(true))).value();
  CHECK(half.two_way_factor == close_to(2, 0.02));
  CHECK(half.half_duplex);
}

TEST_CASE("a limit shared by all pairs is found") {
  const auto sharing = fit_sharing(times_on(machine(false, "3GBps"))).value();
  CHECK(sharing.limited);
  CHECK(sharing.most_Bps == close_to(3e9, 0.02 * 3e9));
}

TEST_CASE("a table of the benchmark is read, and an invalid time is rejected") {
  const std::vector<std::string> columns{"pattern", "active_ranks", "bytes_per_message",
                                         "t_median_s"};
  const auto row = [](const char* pattern, std::int64_t ranks, double time_s) {
    return std::vector<Cell>{std::string(pattern), ranks, std::int64_t{4'000'000}, time_s};
  };
  const auto found =
      shared_times({columns, {row("send", 2, 3e-3), row("alltoall", 4, 9e-3), row("x", 3, 0)}});
  REQUIRE(found->found.size() == 2);
  CHECK(found->found.back().pattern == SharedPattern::alltoall);
  CHECK(!shared_times({columns, {row("send", 3, 1e-3)}}));
  CHECK(!shared_times({columns, {row("send", 2, 0)}}));
  CHECK(!shared_times({columns, {row("x", 2, 1)}}));
  CHECK(!fit_sharing({{SharedPattern::send, 2, 1, 1e-6}}));
  CHECK(!simulated_time(SharedTime{SharedPattern::send, 14, 1, 0}, machine(false)));
}

}  // namespace
