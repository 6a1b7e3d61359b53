// SPDX-License-Identifier: BSD-3-Clause
#include "sim/jobs/io_event_window.hpp"

#include <doctest/doctest.h>

#include "io_models/access.hpp"
#include "io_models/implementations/plan.hpp"
#include "platforms/reader.hpp"
#include "sim/jobs/io_limits.hpp"
#include "tests/support/close_to.hpp"

using namespace tutti;
using io_models::Partitioning;

namespace {

constexpr int procs = 100'000;
constexpr int procs_per_node = 20;

Seconds window_s(const platforms::Machine& machine, int aggregators, Partitioning partitioning) {
  platforms::Placement placement;
  placement.nodes = procs / procs_per_node;
  for (int rank = 0; rank < procs; ++rank)
    placement.host_of.push_back(static_cast<platforms::HostId>(rank / procs_per_node));
  const auto access = io_models::GridAccess::blocks({procs, 1}, procs, 1 << 30);
  const io_models::Plan plan(
      access, placement,
      {.partitioning = partitioning, .aggregators = aggregators, .buffer_bytes = 1 << 20});
  const auto choice = io_models::sampled_cycles(plan.redistribution(), {});
  REQUIRE(choice.method == io_models::CycleMethod::sampled);
  const io_models::Schedule schedule(plan.redistribution(), choice.cycles());
  return jobs::io_event_window_s(choice, schedule, machine, placement);
}

}  // namespace

TEST_CASE("samples merge events if a few nodes have the data of 50,000 aggregators") {
  const auto machine =
      platforms::load_machine(TUTTI_SOURCE_DIR "/platforms/catalog/opuntia-250k.xml");
  REQUIRE(machine);
  auto nodes = *machine;
  nodes.rank_send_Bps.reset();
  nodes.rank_receive_Bps.reset();
  const double node_Bps = nodes.path(0, 1).nic_bandwidth_Bps;
  // In a cycle, each of the 20 ranks of a busy node has 1 GiB. The last cycle is partial, which
  // reduces the mean number of messages by 3 %.
  const Seconds cycle_s = 20 * 0x1p30 / node_Bps;
  const double density = 65'536 / 250'000.0;
  CHECK(window_s(*machine, 65'536, Partitioning::static_) ==
        tests::close_to(1e-3 * density * density * cycle_s, 0.1));
  CHECK(window_s(*machine, 32'768, Partitioning::static_) == 0);
  CHECK(window_s(*machine, 65'536, Partitioning::even) == 0);
}

TEST_CASE("points with servers do not merge events in windows of time") {
  jobs::IoPoint point;
  point.plan.implementation = &io_models::generic;
  CHECK(jobs::may_merge_io_events(point));
  auto stored = point;
  stored.storage.targets = 4;
  CHECK_FALSE(jobs::may_merge_io_events(stored));
}

TEST_CASE("merged events are announced as a shorter simulation") {
  const auto machine =
      platforms::load_machine(TUTTI_SOURCE_DIR "/platforms/catalog/opuntia-250k.xml");
  REQUIRE(machine);
  jobs::IoPoint point;
  point.access = std::make_shared<io_models::GridAccess>(
      io_models::GridAccess::blocks({procs, 1}, procs, 1 << 30));
  point.plan = {
      .partitioning = Partitioning::static_, .aggregators = 65'536, .buffer_bytes = 1 << 20};
  point.placement.procs = procs;
  const Seconds merged_s = jobs::estimated_seconds(jobs::IoSize{point, *machine});
  CHECK(!jobs::long_run_warning(jobs::IoSize{point, *machine}));
  point.contention = engines::Contention::off;
  CHECK(jobs::estimated_seconds(jobs::IoSize{point, *machine}) > 2 * merged_s);
}
