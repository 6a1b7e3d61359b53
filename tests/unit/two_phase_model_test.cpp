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

// A message takes 2 `latency_s`, its bytes nothing.
platforms::LogGPParameters network(double latency_s, double G_s_per_B = 0) {
  return {.set = "test",
          .L_s = latency_s,
          .o_s = latency_s / 2,
          .g_s = platforms::Piecewise(1.0),
          .G_s_per_B = G_s_per_B};
}

// 50 bytes of each aggregator are 2 requests of 25 bytes, 4 on 2 targets: 2 (1 + 0.25) = 2.5 s.
constexpr StorageModelArgs two_targets{
    .targets = 2, .target_Bps = 100, .request_s = 1, .stripe_bytes = 25};

TwoPhaseCost cost_of(Bytes proc_bytes, double latency_s, Direction direction,
                     const StorageModelArgs& storage = two_targets, double G_s_per_B = 0) {
  return two_phase_cost(job(proc_bytes), network(latency_s, G_s_per_B), storage, direction).value();
}

}  // namespace

TEST_CASE("without overlap a cycle is the shuffle, then the storage") {
  // n_s = 2, n_r = 4: 6 cycles of 2 s.
  const auto cost = cost_of(100, 1, Direction::write);
  CHECK(cost.shuffle.total_s() == exactly(12));
  CHECK(cost.storage_s == exactly(4 * 2.5));
  CHECK(cost.separate_s() == exactly(22));
}

TEST_CASE("with overlap a cycle takes the longer of both") {
  for (const auto direction : {Direction::write, Direction::read}) {
    // A shuffle of 3 s a cycle hides the storage of all cycles but one.
    const auto long_shuffle = cost_of(100, 1, direction);
    CHECK(long_shuffle.overlapped_s == exactly(4 * 3 + 2.5));
    CHECK(long_shuffle.hidden_s() == exactly(3 * 2.5));
    // One of 0.3 s is hidden.
    const auto short_shuffle = cost_of(100, 0.1, direction);
    CHECK(short_shuffle.overlapped_s == exactly(0.3 + 4 * 2.5));
  }
}

TEST_CASE("the last cycle has what is left") {
  // 180 bytes an aggregator: three times 50, then 30 in 2 requests of 15 bytes: 2 (1 + 0.15) s.
  const auto write = cost_of(90, 1, Direction::write);
  CHECK(write.storage_s == exactly(3 * 2.5 + 2.3));
  CHECK(write.overlapped_s == exactly(4 * 3 + 2.3));
  // A read can hide its last access, not its first.
  CHECK(cost_of(90, 1, Direction::read).overlapped_s == exactly(4 * 3 + 2.5));
  CHECK(cost_of(90, 0.1, Direction::write).overlapped_s == exactly(0.3 + 3 * 2.5 + 2.3));
}

TEST_CASE("one cycle hides nothing") {
  for (const auto direction : {Direction::write, Direction::read}) {
    const auto cost = cost_of(25, 1, direction);
    CHECK(cost.overlapped_s == exactly(cost.separate_s()));
    CHECK(cost.storage_s == exactly(2.5));
  }
}

TEST_CASE("targets share the requests, and an aggregator is no faster than its card") {
  auto storage = two_targets;
  const auto storage_s = [&](double G_s_per_B = 0) {
    return cost_of(100, 1, Direction::write, storage, G_s_per_B).storage_s;
  };
  storage.targets = 3;  // one has 2 of the 4
  CHECK(storage_s() == exactly(4 * 2.5));
  storage.targets = 4;
  CHECK(storage_s() == exactly(4 * 1.25));
  storage.targets = 1000;  // most have nothing to do
  CHECK(storage_s() == exactly(4 * 1.25));
  CHECK(storage_s(1) == exactly(4 * 50));
  storage.stripe_bytes = 1000;  // one request each
  CHECK(storage_s() == exactly(4 * 1.5));
  storage.target_Bps = std::numeric_limits<double>::infinity();
  CHECK(storage_s() == exactly(4));
}

TEST_CASE("a storage that is none is refused") {
  const auto refused = [](const StorageModelArgs& storage) {
    const auto cost = two_phase_cost(job(100), network(1), storage);
    return !cost && cost.error().place == "--storage";
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(!refused(two_targets));
  CHECK(refused({.targets = 0, .target_Bps = 1, .stripe_bytes = 1}));
  CHECK(refused({.target_Bps = 0, .stripe_bytes = 1}));
  CHECK(refused({.target_Bps = nan, .stripe_bytes = 1}));
  CHECK(refused({.target_Bps = 1, .request_s = -1, .stripe_bytes = 1}));
  CHECK(refused({.target_Bps = 1, .request_s = nan, .stripe_bytes = 1}));
  CHECK(refused({.target_Bps = 1, .stripe_bytes = 0}));
  CHECK(two_phase_cost(job(0), network(1), two_targets).error().place == "--bytes-per-proc");
}
