// SPDX-License-Identifier: BSD-3-Clause
// Reads and writes of a storage in cases calculated by hand, to 1e-9 relative; the engines flow and
// simgrid agree on every rank. L = 2 us, links of 1 GB/s, targets of 500 MB/s.
#include <doctest/doctest.h>

#include <ctime>

#include "sim/engines/ideal/ideal.hpp"
#include "tests/support/agreement.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/storage_jobs.hpp"

using namespace tutti;
using io_models::access_extents;
using io_models::Extent;
using io_models::start_access;
using io_models::Storage;
using io_models::StorageSpec;
using runtime::Rank;
using runtime::Request;
using runtime::Task;
using tests::exactly;
using tests::machine_at_one_switch;
using tests::run_with_storage;

namespace {

constexpr double us = 1e-6;
constexpr double ms = 1e-3;
constexpr double L = 2 * us;
constexpr double G = 1e-9;  // s/B of a link
constexpr double D = 2e-9;  // s/B of a target
constexpr Bytes MB = 1'000'000;

StorageSpec storage(const std::string& more = "") {
  const auto spec = io_models::parse_storage("targets=1,bandwidth=500MBps" + more);
  REQUIRE(spec);
  return *spec;
}
StorageSpec four_targets(const std::string& more = "") {
  StorageSpec spec = storage(more);
  spec.targets = 4;
  return spec;
}

// Every client writes its own extents.
tests::ClientProgram write_own(std::vector<std::vector<Extent>> extents) {
  return [extents](Rank& me, Storage& on) -> Task {
    co_await access_extents(me, on, extents[static_cast<std::size_t>(me.id())], true);
  };
}

std::vector<Seconds> write_times(const StorageSpec& spec,
                                 const std::vector<std::vector<Extent>>& extents) {
  const int clients = static_cast<int>(extents.size());
  return run_with_storage(machine_at_one_switch(clients), clients, spec, write_own(extents)).done_s;
}

}  // namespace

TEST_CASE("a write costs the network, then the disk, then the acknowledgement") {
  for (const Bytes bytes : {Bytes{1}, Bytes{1000}})  // eager
    CHECK(write_times(storage(), {{{0, bytes}}})[0] ==
          exactly(L + static_cast<double>(bytes) * (G + D) + L));
  CHECK(write_times(storage(), {{{0, MB}}})[0] == exactly(3 * L + 1 * ms + 2 * ms + L));
}

TEST_CASE("a request costs the target a fixed time, for any size") {
  CHECK(write_times(storage(",request=0.5ms"), {{{0, MB}}})[0] ==
        exactly(3 * L + 1 * ms + 0.5 * ms + 2 * ms + L));
  // Two pieces that are not adjacent: two requests, which arrive at once.
  CHECK(write_times(storage(",request=0.5ms"), {{{0, MB}, {2 * MB, 3 * MB}}})[0] ==
        exactly(3 * L + 2 * ms + 2 * (0.5 * ms + 2 * ms) + L));
}

TEST_CASE("a read costs the request, then the disk, then the network") {
  const auto read = [](const StorageSpec& spec) {
    return run_with_storage(machine_at_one_switch(1), 1, spec, [](Rank& me, Storage& on) -> Task {
      const std::vector<Extent> all{{0, MB}};
      co_await access_extents(me, on, all, false);
    });
  };
  const auto outcome = read(storage(",request=0.5ms,read_bandwidth=1GBps"));
  CHECK(outcome.done_s[0] == exactly(L + 0.5 * ms + 1 * ms + 3 * L + 1 * ms));
  CHECK(outcome.use[0].reads == 1);
  CHECK(outcome.use[0].read == MB);
  CHECK(outcome.use[0].writes == 0);
  CHECK(outcome.use[0].busy_s == exactly(1.5 * ms));
}

TEST_CASE("two clients of one target share its link, then wait for its disk") {
  const auto equal = write_times(storage(), {{{0, MB}}, {{MB, 2 * MB}}});
  CHECK(equal[0] == exactly(3 * L + 2 * ms + 2 * ms + L));  // at one instant: by rank
  CHECK(equal[1] == exactly(3 * L + 2 * ms + 4 * ms + L));
  // Rank 1 sends less and arrives first; while its data are written, the rest of the other's
  // arrive.
  const auto unequal = write_times(storage(), {{{0, 3 * MB}}, {{3 * MB, 4 * MB}}});
  CHECK(unequal[1] == exactly(3 * L + 2 * ms + 2 * ms + L));
  CHECK(unequal[0] == exactly(3 * L + 4 * ms + 6 * ms + L));
}

TEST_CASE("a server with one thread accepts the next data when the disk is done") {
  const auto times = write_times(storage(",threads=1"), {{{0, MB}}, {{MB, 2 * MB}}});
  const double first = 3 * L + 1 * ms + 2 * ms;
  CHECK(times[0] == exactly(first + L));
  CHECK(times[1] == exactly(first + 2 * L + 1 * ms + 2 * ms + L));
}

TEST_CASE("a file striped over four targets is written by four disks") {
  const auto spec = four_targets(",stripe=1MB");
  CHECK(write_times(spec, {{{0, 4 * MB}}})[0] == exactly(3 * L + 4 * ms + 2 * ms + L));
  CHECK(write_times(spec, {{{0, 8 * MB}}})[0] == exactly(3 * L + 8 * ms + 4 * ms + L));
  // Four clients with a separate target each: nothing is shared.
  const auto apart =
      write_times(spec, {{{0, MB}}, {{MB, 2 * MB}}, {{2 * MB, 3 * MB}}, {{3 * MB, 4 * MB}}});
  for (const Seconds time_s : apart) CHECK(time_s == exactly(3 * L + 1 * ms + 2 * ms + L));
}

TEST_CASE("the targets of a server share its link, but not their disks") {
  StorageSpec spec = four_targets(",stripe=1MB");
  spec.servers = 2;  // targets 0 and 2 are on server 0
  const auto same = write_times(spec, {{{0, MB}}, {{2 * MB, 3 * MB}}});
  for (const Seconds time_s : same) CHECK(time_s == exactly(3 * L + 2 * ms + 2 * ms + L));
  const auto other = write_times(spec, {{{0, MB}}, {{MB, 2 * MB}}});
  for (const Seconds time_s : other) CHECK(time_s == exactly(3 * L + 1 * ms + 2 * ms + L));
}

TEST_CASE("a file on some of the targets is written by their disks only") {
  StorageSpec spec = four_targets(",stripe=1MB");
  spec.stripe_count = 2;
  CHECK(write_times(spec, {{{0, 4 * MB}}})[0] == exactly(3 * L + 4 * ms + 4 * ms + L));
}

TEST_CASE("a write to a region last written by another client pays for its lock") {
  const auto spec = storage(",lock=1MiB,lock_penalty=5ms");
  const auto outcome = run_with_storage(machine_at_one_switch(2), 2, spec,
                                        write_own({{{0, MB}}, {{MB, 2 * MB}}}));  // unit 0: both
  CHECK(outcome.done_s[0] == exactly(3 * L + 2 * ms + 2 * ms + L));
  CHECK(outcome.done_s[1] == exactly(3 * L + 2 * ms + 4 * ms + 5 * ms + L));
  CHECK(outcome.use[0].locks_called_back == 1);
  const Bytes unit = 1 << 20;
  const auto aligned = run_with_storage(machine_at_one_switch(2), 2, spec,
                                        write_own({{{0, unit}}, {{unit, 2 * unit}}}));
  CHECK(aligned.use[0].locks_called_back == 0);
}

TEST_CASE("a write continues while the client does other work") {
  const auto outcome =
      run_with_storage(machine_at_one_switch(1), 1, storage(), [](Rank& me, Storage& on) -> Task {
        const std::vector<Extent> first{{0, MB}};
        const std::vector<Extent> second{{MB, 2 * MB}};
        const auto one = start_access(me, on, first, true);
        const auto two = start_access(me, on, second, true);
        me.compute(4 * ms);
        co_await me.wait_all(one);
        CHECK(me.now() == exactly(3 * L + 2 * ms + 2 * ms + L));
        co_await me.wait_all(two);
      });
  CHECK(outcome.done_s[0] == exactly(3 * L + 2 * ms + 4 * ms + L));
}

TEST_CASE("a server's link may be faster than a node's") {
  const auto times =
      write_times(storage(",network=2GBps,network_latency=0"), {{{0, MB}}, {{MB, 2 * MB}}});
  CHECK(times[0] == exactly(3 * us + 1 * ms + 2 * ms + 1 * us));
  CHECK(times[1] == exactly(3 * us + 1 * ms + 4 * ms + 1 * us));
}

TEST_CASE("without a storage all operations take no time") {
  const platforms::Machine machine = machine_at_one_switch(2);
  const auto placement = tests::test_placement(2);
  Storage none({}, 2);
  const runtime::Program program = [&](Rank& me) -> Task {
    CHECK_FALSE(none.is_server(me.id()));
    const std::vector<Extent> all{{0, MB}};
    CHECK(start_access(me, none, all, true).empty());
    co_await access_extents(me, none, all, true);
    co_await access_extents(me, none, all, false);
    co_await io_models::close_storage(me, none, runtime::Group(0, 2), me.id());
    CHECK(me.now() == 0);
  };
  const auto outcome =
      engines::run_flow({.machine = machine, .placement = placement, .program = program});
  CHECK(outcome.problems.empty());
  CHECK(outcome.counts.messages == 0);
}

namespace {

// Writes, reads and read-modify-writes of a client at places drawn from the seed.
Task random_calls(Rank& me, Storage& on, std::uint64_t seed, Bytes largest) {
  tests::Draw draw(seed + 1000 * static_cast<std::uint64_t>(me.id()));
  for (int call = 0; call < 5; ++call) {
    std::vector<Extent> extents;
    Bytes at = 0;
    for (int i = 0; i < 3; ++i) {
      at += static_cast<Bytes>(draw.below(static_cast<std::uint64_t>(largest)));
      const Bytes end = at + static_cast<Bytes>(draw.below(static_cast<std::uint64_t>(largest)));
      extents.push_back({at, end});
      at = end;
    }
    me.compute(1e-6 * static_cast<double>(draw.below(500)));
    if (draw.chance(50)) co_await access_extents(me, on, extents, false);
    co_await access_extents(me, on, extents, true);
  }
}

tests::ClientProgram calls_of(std::uint64_t seed, Bytes largest) {
  return [=](Rank& me, Storage& on) { return random_calls(me, on, seed, largest); };
}

void check_same_use(const tests::StorageOutcome& a, const tests::StorageOutcome& b) {
  for (std::size_t target = 0; target < a.use.size(); ++target) {
    CHECK(a.use[target].written == b.use[target].written);
    CHECK(a.use[target].read == b.use[target].read);
    CHECK(a.use[target].writes == b.use[target].writes);
  }
}

}  // namespace

TEST_CASE("random calls of several clients end on all engines, and all bytes arrive") {
  const auto spec = *io_models::parse_storage(
      "targets=3,bandwidth=1GBps,stripe=10kB,request=20us,lock=5kB,"
      "lock_penalty=30us,threads=2");
  for (std::uint64_t seed = 1; seed <= 6; ++seed)
    for (const Bytes largest : {Bytes{700}, Bytes{90'000}}) {
      CAPTURE(seed);
      const platforms::Machine machine = machine_at_one_switch(6);
      const auto timed = run_with_storage(machine, 6, spec, calls_of(seed, largest));
      tests::StorageJob job(machine, 6, spec, calls_of(seed, largest));
      const auto ideal = job.outcome(engines::run_ideal(job.job()));
      CHECK(ideal.problems == std::vector<std::string>{});
      check_same_use(timed, ideal);
      Bytes written = 0;
      Seconds busy_s = 0;
      for (const auto& use : timed.use) {
        written += use.written;
        busy_s += use.busy_s;
      }
      CHECK(written > 0);
      CHECK(busy_s > static_cast<double>(written) / spec.write_Bps);
    }
}

TEST_CASE("the engines agree with a storage on machines of every shape") {
  const auto spec = *io_models::parse_storage("targets=5,bandwidth=2GBps,stripe=16KiB,request=5us");
  for (const auto& shape : tests::shapes_of_64()) {
    CAPTURE(shape.name);
    const auto outcome = run_with_storage(tests::machine_of(shape), 64, spec, calls_of(3, 60'000));
    CHECK(outcome.use.size() == 5);
  }
}

TEST_CASE("a machine without eager messages may have a storage") {
  platforms::Machine machine = machine_at_one_switch(3);
  machine.inter.eager_max = machine.inter.detached_max = -1;
  const auto outcome = run_with_storage(machine, 3, four_targets(), calls_of(1, 3 * MB));
  CHECK(outcome.done_s.size() == 3);
}

TEST_CASE("the simulation cost of a request does not depend on the length of its server's queue") {
  // Pieces of 500 B with gaps between them: each is a separate request, and all are sent at once.
  const auto cpu_s_of = [](Bytes requests) {
    std::vector<Extent> pieces;
    for (Bytes i = 0; i < requests; ++i) pieces.push_back({i * 510, i * 510 + 500});
    tests::StorageJob job(machine_at_one_switch(1), 1, storage(), write_own({pieces}));
    const std::clock_t start = std::clock();
    const auto outcome = job.outcome(engines::run_flow(job.job()));
    CHECK(outcome.use[0].writes == requests);
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  };
  CHECK(cpu_s_of(24'000) < 2.5 * 4 * cpu_s_of(6'000));  // quadratic: 16 times
}
