// SPDX-License-Identifier: BSD-3-Clause
// The model of shuffle and storage, against cases worked out by hand.
#include "io_models/two_phase_model.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "tests/support/close_to.hpp"

using namespace tutti;
using namespace tutti::io_models;
using tests::exactly;

namespace {

// 4 processes with `proc_bytes` each, 2 aggregators with buffers of 50 bytes.
ShuffleModelArgs job(Bytes proc_bytes) {
  return {.procs = 4, .row_bytes = proc_bytes, .aggregators = 2, .buffer_bytes = 50};
}

// A message takes 2 `latency_s`, its bytes no time.
platforms::LogGPParameters network(double latency_s, double G_s_per_B = 0) {
  return {.set = "test",
          .L_s = latency_s,
          .o_s = latency_s / 2,
          .g_s = platforms::Piecewise(1.0),
          .G_s_per_B = G_s_per_B};
}

// 50 bytes of each aggregator are 2 requests of 25 bytes, 4 on 2 targets: 2 (1 + 0.25) = 2.5 s.
const StorageSpec two_targets{
    .targets = 2, .write_Bps = 100, .read_Bps = 100, .stripe_bytes = 25, .request_s = 1};

TwoPhaseCost cost_of(Bytes proc_bytes, double latency_s, Direction direction,
                     const StorageSpec& storage = two_targets, double G_s_per_B = 0) {
  return two_phase_cost(job(proc_bytes), network(latency_s, G_s_per_B), storage, direction).value();
}

}  // namespace

TEST_CASE("the targets of a server share its link in the model") {
  StorageSpec storage = two_targets;
  storage.network_Bps = 10;
  // In all, 200 bytes on each target: 20 s on two links, 40 s on one.
  CHECK(cost_of(100, 1, Direction::write, storage).storage_s == exactly(20));
  storage.servers = 1;
  CHECK(cost_of(100, 1, Direction::write, storage).storage_s == exactly(40));
}

TEST_CASE("the model rejects storage whose times depend on earlier requests") {
  const auto cost = [](const StorageSpec& storage) {
    return two_phase_cost(job(100), network(1), storage, Direction::write);
  };
  StorageSpec cached = two_targets;
  cached.cache_bytes = 100;
  CHECK_FALSE(cost(cached));
  StorageSpec with_metadata = two_targets;
  with_metadata.metadata_s = 1;
  CHECK_FALSE(cost(with_metadata));
}

TEST_CASE("without overlap a cycle is the shuffle, then the storage") {
  // n_s = 2, n_r = 4: 6 cycles of 2 s.
  const auto cost = cost_of(100, 1, Direction::write);
  CHECK(cost.shuffle.total_s() == exactly(12));
  CHECK(cost.storage_s == exactly(4 * 2.5));
  CHECK(cost.separate_s() == exactly(22));
}

TEST_CASE("with overlap a cycle takes the longer of both") {
  for (const auto direction : {Direction::write, Direction::read}) {
    // A shuffle of 3 s per cycle hides the storage of all cycles but one.
    const auto long_shuffle = cost_of(100, 1, direction);
    CHECK(long_shuffle.overlapped_s == exactly(4 * 3 + 2.5));
    CHECK(long_shuffle.separate_s() - long_shuffle.overlapped_s == exactly(3 * 2.5));
    // A shuffle of 0.3 s is hidden.
    const auto short_shuffle = cost_of(100, 0.1, direction);
    CHECK(short_shuffle.overlapped_s == exactly(0.3 + 4 * 2.5));
  }
}

TEST_CASE("the last cycle has the remaining data") {
  // 180 bytes per aggregator: three times 50, then 30: bytes 150 to 180 and 330 to 360. Target 0
  // has 25 of the former and 10 of the latter: 2 + 0.35 s.
  const auto write = cost_of(90, 1, Direction::write);
  CHECK(write.storage_s == exactly(3 * 2.5 + 2.35));
  CHECK(write.overlapped_s == exactly(4 * 3 + 2.35));
  // A read can hide its last access, not its first.
  CHECK(cost_of(90, 1, Direction::read).overlapped_s == exactly(4 * 3 + 2.5));
  CHECK(cost_of(90, 0.1, Direction::write).overlapped_s == exactly(0.3 + 3 * 2.5 + 2.35));
}

TEST_CASE("one cycle hides nothing") {
  for (const auto direction : {Direction::write, Direction::read}) {
    const auto cost = cost_of(25, 1, direction);
    CHECK(cost.overlapped_s == exactly(cost.separate_s()));
    CHECK(cost.storage_s == exactly(2.5));
  }
}

TEST_CASE("targets have the requests that follow from the stripes of the domains") {
  StorageSpec storage = two_targets;
  const auto storage_s = [&](double G_s_per_B = 0) {
    return cost_of(100, 1, Direction::write, storage, G_s_per_B).storage_s;
  };
  storage.targets = 3;  // target 0 has 6 of the 16 stripes
  CHECK(storage_s() == exactly(6 * 1.25));
  storage.targets = 4;  // domains of 8 stripes meet on two targets first, then are out of step
  CHECK(storage_s() == exactly(4 * 1.25 + 1.25));
  storage.targets = 1000;  // most targets are idle
  CHECK(storage_s() == exactly(4 * 1.25));
  CHECK(storage_s(1) == exactly(4 * (50 + 1.25)));  // first through the aggregator's NIC
  storage.stripe_bytes = 1000;                      // all on one target, a request of 50 bytes each
  CHECK(storage_s() == exactly(4 * (2 + 1)));
  storage.write_Bps = std::numeric_limits<double>::infinity();
  CHECK(storage_s() == exactly(4 * 2));
}

TEST_CASE("data cross the links of servers and of the aggregators' nodes") {
  StorageSpec storage = two_targets;
  storage.network_Bps = 10;  // 200 bytes of a target
  for (const auto direction : {Direction::write, Direction::read})
    CHECK(cost_of(100, 1, direction, storage).storage_s == exactly(20));
  const auto on_one_node = two_phase_cost(job(100), network(1), two_targets, Direction::write,
                                          {.aggregators = 2, .nic_Bps = 16});
  CHECK(on_one_node->storage_s == exactly(400.0 / 16));
}

TEST_CASE("static domains are adjacent in each cycle") {
  ShuffleModelArgs args = job(100);
  args.partitioning = Partitioning::static_;
  StorageSpec storage = two_targets;
  storage.targets = 4;  // stripes 4c to 4c + 3: one request per target
  const auto cost = two_phase_cost(args, network(1), storage, Direction::write).value();
  CHECK(cost.storage_s == exactly(4 * 1.25));
}

TEST_CASE("no number of targets is faster than an even share of the stripes") {
  // 64 aggregators of 1 MiB per cycle in stripes of 1 MiB: 640 stripes in all.
  const ShuffleModelArgs args{
      .procs = 64, .row_bytes = 10 << 20, .aggregators = 64, .buffer_bytes = 1 << 20};
  StorageSpec storage{.write_Bps = 1e9, .read_Bps = 1e9, .stripe_bytes = 1 << 20};
  for (int targets = 1; targets <= 100; ++targets) {
    storage.targets = targets;
    CAPTURE(targets);
    CHECK(two_phase_cost(args, network(0), storage)->storage_s * (1 + 1e-9) >=
          640.0 / targets * 1048576 / 1e9);
  }
}

TEST_CASE("an invalid storage is rejected") {
  const auto rejected = [](const StorageSpec& storage) {
    const auto cost = two_phase_cost(job(100), network(1), storage);
    return !cost && cost.error().place == "--storage";
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(!rejected(two_targets));
  CHECK(rejected({.targets = 0, .write_Bps = 1, .stripe_bytes = 1}));
  CHECK(rejected({.targets = 1, .write_Bps = 0, .stripe_bytes = 1}));
  CHECK(rejected({.targets = 1, .write_Bps = nan, .stripe_bytes = 1}));
  CHECK(rejected({.targets = 1, .write_Bps = 1, .stripe_bytes = 1, .request_s = -1}));
  CHECK(rejected({.targets = 1, .write_Bps = 1, .stripe_bytes = 1, .request_s = nan}));
  CHECK(rejected({.targets = 1, .write_Bps = 1, .stripe_bytes = 0}));
  CHECK(two_phase_cost(job(0), network(1), two_targets).error().place == "--bytes-per-proc");
}
