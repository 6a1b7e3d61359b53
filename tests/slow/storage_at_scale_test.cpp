// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>

#include "io_models/storage/storage.hpp"
#include "platforms/reader.hpp"
#include "sim/engines/flow/flow_engine.hpp"

using namespace tutti;
using io_models::Extent;
using io_models::Storage;
using runtime::Rank;
using runtime::Task;

TEST_CASE("512 of 250,000 ranks write to 16 servers, whose disks are the bottleneck") {
  constexpr int procs = 250'000;
  constexpr int writers = 512;
  constexpr Bytes bytes = Bytes{16} << 20;  // a stripe per target
  const auto machine =
      platforms::load_machine(TUTTI_SOURCE_DIR "/platforms/catalog/opuntia-250k.xml");
  REQUIRE(machine);
  Storage storage(*io_models::parse_storage("targets=16,bandwidth=500MBps,stripe=1MiB"), procs);
  const auto with = platforms::with_servers(*machine, storage.servers());
  auto ranks = platforms::place(*machine, {.procs = procs, .ppn = {}, .file = {}});
  REQUIRE(ranks);
  const auto placement =
      platforms::with_server_ranks(*std::move(ranks), with, storage.rank_servers());
  Seconds done_s = 0;
  const auto program = [&](Rank& me) -> Task {
    if (storage.is_server(me.id())) {
      co_await io_models::storage_server(me, storage);
      co_return;
    }
    const int writer = me.id() / (procs / writers);
    if (me.id() % (procs / writers) == 0 && writer < writers) {
      const std::vector<Extent> own{{writer * bytes, (writer + 1) * bytes}};
      co_await io_models::access_extents(me, storage, own, true);
      done_s = std::max(done_s, me.now());
    }
    co_await io_models::close_storage(me, storage, runtime::Group(0, procs), me.id());
  };
  const auto outcome =
      engines::run_flow({.machine = with, .placement = placement, .program = program});
  CHECK(outcome.problems == std::vector<std::string>{});
  for (const auto& use : storage.use()) {
    CHECK(use.writes == writers);
    CHECK(use.written == writers * (bytes / 16));
  }
  const Seconds disk_s = storage.use()[0].busy_s;
  CHECK(done_s > disk_s);
  CHECK(done_s < 1.1 * disk_s);
}
