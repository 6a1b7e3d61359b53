// SPDX-License-Identifier: BSD-3-Clause
// Messages before a long simulation, and while it runs.
#include "sim/jobs/io_limits.hpp"

#include <doctest/doctest.h>

#include "io_models/access.hpp"
#include "platforms/reader.hpp"
#include "sim/commands/progress.hpp"

using namespace tutti;
using jobs::IoPoint;

namespace {

IoPoint point_with_buffer(Bytes buffer_bytes) {
  IoPoint point;
  constexpr int procs = 576;
  point.access = std::make_shared<io_models::GridAccess>(
      io_models::GridAccess::blocks({24, 24}, 24 * 8192, 24 * 8192));
  point.plan = {.aggregators = 64, .buffer_bytes = buffer_bytes};
  point.placement.procs = procs;
  return point;
}

}  // namespace

TEST_CASE("a simulation of minutes is announced, one of seconds or a sample is not") {
  const auto machine = platforms::load_machine(TUTTI_SOURCE_DIR "/platforms/catalog/crill.xml");
  REQUIRE(machine);
  IoPoint point = point_with_buffer(2048);
  const auto warning = jobs::long_run_warning(jobs::IoSize{point, *machine});
  CHECK(!warning);  // of 19 million messages a million are simulated
  point.extrapolates = false;
  const auto of_all = jobs::long_run_warning(jobs::IoSize{point, *machine});
  REQUIRE(of_all);
  CHECK(of_all->find(" million messages are simulated, which takes about ") != std::string::npos);
  CHECK(!jobs::long_run_warning(jobs::IoSize{point_with_buffer(32 << 20), *machine}));
}

TEST_CASE("if all rates of a cycle depend on each other, fewer messages take minutes") {
  const std::string catalog = TUTTI_SOURCE_DIR "/platforms/catalog/";
  const auto limited = platforms::load_machine(catalog + "opuntia-10k.xml");
  auto free = *limited;
  free.rank_Bps.reset();
  IoPoint point;
  point.access = std::make_shared<io_models::GridAccess>(
      io_models::GridAccess::blocks({100, 100}, 819'200, 819'200));
  point.plan = {.partitioning = io_models::Partitioning::static_,
                .aggregators = 1024,
                .buffer_bytes = 32 << 20,
                .stripe_bytes = 32 << 20};
  point.placement.procs = 10'000;
  const auto warning = jobs::long_run_warning(jobs::IoSize{point, *limited});
  REQUIRE(warning);
  CHECK_MESSAGE(warning->starts_with("up to 2.0 million"), *warning);
  CHECK(!jobs::long_run_warning(jobs::IoSize{point, free}));
  point.plan.partitioning = io_models::Partitioning::even;
  point.plan.aggregators = 64;
  CHECK(!jobs::long_run_warning(jobs::IoSize{point, *limited}));
}

TEST_CASE("if few ranks have the data of a cycle, flows form bundles") {
  const auto machine =
      platforms::load_machine(TUTTI_SOURCE_DIR "/platforms/catalog/opuntia-10k.xml");
  REQUIRE(machine);
  const auto warning_of = [&](Bytes bytes) {
    IoPoint point;
    point.access = std::make_shared<io_models::GridAccess>(
        io_models::GridAccess::blocks({10'000, 1}, 10'000, bytes));
    point.plan = {.partitioning = io_models::Partitioning::static_,
                  .aggregators = 8192,
                  .buffer_bytes = 1 << 20};
    point.placement.procs = 10'000;
    return jobs::long_run_warning(jobs::IoSize{point, *machine});
  };
  CHECK(!warning_of(64 << 20));
  CHECK(warning_of(256 << 20));
}

TEST_CASE("groups that read do not depend on each other") {
  const auto machine =
      platforms::load_machine(TUTTI_SOURCE_DIR "/platforms/catalog/opuntia-10k.xml");
  REQUIRE(machine);
  IoPoint point;
  point.access = std::make_shared<io_models::GridAccess>(
      io_models::GridAccess::blocks({10'000, 1}, 10'000, 1 << 30));
  point.plan = {.implementation = &io_models::vulcan,
                .aggregators = 512,
                .buffer_bytes = 32 << 20,
                .reads = true};
  point.placement.procs = 10'000;
  CHECK(!jobs::long_run_warning(jobs::IoSize{point, *machine}));
}

TEST_CASE("a log reports a long point at doubling intervals, then each minute") {
  CHECK(commands::next_log_line_s(10) == 20);
  CHECK(commands::next_log_line_s(40) == 80);
  CHECK(commands::next_log_line_s(200) == 260);
}
