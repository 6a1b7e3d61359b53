// SPDX-License-Identifier: BSD-3-Clause
// The model of the storage, against cases worked out by hand.
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

// 50 bytes of each aggregator are 2 requests of 25 bytes, 4 on 2 targets: 2 (1 + 0.25) = 2.5 s.
const StorageSpec two_targets{
    .targets = 2, .write_Bps = 100, .read_Bps = 100, .stripe_bytes = 25, .request_s = 1};

Seconds storage_s(Bytes proc_bytes, Direction direction, const StorageSpec& storage = two_targets,
                  double G_s_per_B = 0) {
  return storage_time(job(proc_bytes), G_s_per_B, storage, direction).value();
}

}  // namespace

TEST_CASE("the targets of a server share its link in the model") {
  StorageSpec storage = two_targets;
  storage.network_Bps = 10;
  // In all, 200 bytes on each target: 20 s on two links, 40 s on one.
  CHECK(storage_s(100, Direction::write, storage) == exactly(20));
  storage.servers = 1;
  CHECK(storage_s(100, Direction::write, storage) == exactly(40));
}

TEST_CASE("the model rejects storage whose times depend on earlier requests") {
  const auto cost = [](const StorageSpec& storage) {
    return storage_time(job(100), 0, storage, Direction::write);
  };
  StorageSpec cached = two_targets;
  cached.cache_bytes = 100;
  CHECK_FALSE(cost(cached));
  StorageSpec with_metadata = two_targets;
  with_metadata.metadata_s = 1;
  CHECK_FALSE(cost(with_metadata));
}

TEST_CASE("the cycles of the storage follow each other, and the last has the remaining data") {
  CHECK(storage_s(100, Direction::write) == exactly(4 * 2.5));
  CHECK(storage_s(25, Direction::read) == exactly(2.5));
  // 180 bytes per aggregator: three times 50, then 30: bytes 150 to 180 and 330 to 360. Target 0
  // has 25 of the former and 10 of the latter: 2 + 0.35 s.
  CHECK(storage_s(90, Direction::write) == exactly(3 * 2.5 + 2.35));
}

TEST_CASE("targets have the requests that follow from the stripes of the domains") {
  StorageSpec storage = two_targets;
  const auto all_s = [&](double G_s_per_B = 0) {
    return storage_s(100, Direction::write, storage, G_s_per_B);
  };
  storage.targets = 3;  // target 0 has 6 of the 16 stripes
  CHECK(all_s() == exactly(6 * 1.25));
  storage.targets = 4;  // domains of 8 stripes meet on two targets first, then are out of step
  CHECK(all_s() == exactly(4 * 1.25 + 1.25));
  storage.targets = 1000;  // most targets are idle
  CHECK(all_s() == exactly(4 * 1.25));
  CHECK(all_s(1) == exactly(4 * (50 + 1.25)));  // first through the aggregator's NIC
  storage.stripe_bytes = 1000;                  // all on one target, a request of 50 bytes each
  CHECK(all_s() == exactly(4 * (2 + 1)));
  storage.write_Bps = std::numeric_limits<double>::infinity();
  CHECK(all_s() == exactly(4 * 2));
}

TEST_CASE("data cross the links of servers and of the aggregators' nodes") {
  StorageSpec storage = two_targets;
  storage.network_Bps = 10;  // 200 bytes of a target
  for (const auto direction : {Direction::write, Direction::read})
    CHECK(storage_s(100, direction, storage) == exactly(20));
  const auto on_one_node =
      storage_time(job(100), 0, two_targets, Direction::write, {.aggregators = 2, .nic_Bps = 16});
  CHECK(on_one_node.value() == exactly(400.0 / 16));
}

TEST_CASE("static domains are adjacent in each cycle") {
  ShuffleModelArgs args = job(100);
  args.partitioning = Partitioning::static_;
  StorageSpec storage = two_targets;
  storage.targets = 4;  // stripes 4c to 4c + 3: one request per target
  CHECK(storage_time(args, 0, storage).value() == exactly(4 * 1.25));
}

TEST_CASE("no number of targets is faster than an even share of the stripes") {
  // 64 aggregators of 1 MiB per cycle in stripes of 1 MiB: 640 stripes in all.
  const ShuffleModelArgs args{
      .procs = 64, .row_bytes = 10 << 20, .aggregators = 64, .buffer_bytes = 1 << 20};
  StorageSpec storage{.write_Bps = 1e9, .read_Bps = 1e9, .stripe_bytes = 1 << 20};
  for (int targets = 1; targets <= 100; ++targets) {
    storage.targets = targets;
    CAPTURE(targets);
    CHECK(storage_time(args, 0, storage).value() * (1 + 1e-9) >= 640.0 / targets * 1048576 / 1e9);
  }
}
