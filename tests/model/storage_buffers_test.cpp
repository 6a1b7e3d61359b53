// SPDX-License-Identifier: BSD-3-Clause
// Caches, burst buffers, read-ahead and the metadata server in cases calculated by hand, to 1e-9
// relative; the engines flow and simgrid agree on every rank. As in storage_test.cpp: L = 2 us,
// links of 1 GB/s (1 ms per MB), targets of 500 MB/s (2 ms per MB).
#include <doctest/doctest.h>

#include "tests/support/close_to.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/storage_jobs.hpp"

using namespace tutti;
using io_models::access_extents;
using io_models::Extent;
using io_models::open_file;
using io_models::Storage;
using io_models::StorageSpec;
using io_models::TargetDisk;
using runtime::Rank;
using runtime::Task;
using tests::exactly;
using tests::machine_at_one_switch;
using tests::run_with_storage;

namespace {

constexpr double ms = 1e-3;
constexpr double L = 2e-6;
constexpr Bytes MB = 1'000'000;

StorageSpec buffered(const std::string& more) {
  const auto spec = io_models::parse_storage("targets=1,bandwidth=500MBps" + more);
  REQUIRE(spec);
  return *spec;
}

// The time of a client that writes all extents in one call.
Seconds write_once(const StorageSpec& spec, const std::vector<Extent>& extents) {
  return run_with_storage(machine_at_one_switch(1), 1, spec,
                          [extents](Rank& me, Storage& on) -> Task {
                            co_await access_extents(me, on, extents, true);
                          })
      .done_s[0];
}

// Pieces of 1 MB with gaps: separate requests, which arrive together.
std::vector<Extent> separate_MBs(int count) {
  std::vector<Extent> extents;
  for (Bytes i = 0; i < count; ++i) extents.push_back({2 * i * MB, (2 * i + 1) * MB});
  return extents;
}

}  // namespace

TEST_CASE("a write that fits is acknowledged when it is in the cache") {
  CHECK(write_once(buffered(",cache=3MB"), {{0, MB}}) == exactly(3 * L + 1 * ms + L));
  CHECK(write_once(buffered(",cache=3MB,cache_bandwidth=1GBps"), {{0, MB}}) ==
        exactly(3 * L + 1 * ms + 1 * ms + L));
  CHECK(write_once(buffered(",burst=3MB,burst_bandwidth=2GBps"), {{0, MB}}) ==
        exactly(3 * L + 1 * ms + 0.5 * ms + L));
}

TEST_CASE("a write waits until the disk has made room in the cache") {
  // Both have arrived at 4 ms. The first is in the cache at 6 ms and on the disk at 10 ms.
  CHECK(write_once(buffered(",cache=3MB,cache_bandwidth=1GBps"), {{0, 2 * MB}, {3 * MB, 5 * MB}}) ==
        exactly(3 * L + 10 * ms + 2 * ms + L));
  CHECK(write_once(buffered(",cache=4MB,cache_bandwidth=1GBps"), {{0, 2 * MB}, {3 * MB, 5 * MB}}) ==
        exactly(3 * L + 6 * ms + 2 * ms + L));
}

TEST_CASE("a write larger than the cache goes to the disk, after earlier writes") {
  CHECK(write_once(buffered(",cache=3MB"), {{0, 4 * MB}}) == exactly(3 * L + 4 * ms + 8 * ms + L));
  // 2 MB arrive at 4 ms, are in the cache at 6 ms and on the disk at 10 ms; 4 MB arrive at 6 ms.
  CHECK(write_once(buffered(",cache=3MB,cache_bandwidth=1GBps"), {{0, 2 * MB}, {3 * MB, 7 * MB}}) ==
        exactly(3 * L + 10 * ms + 8 * ms + L));
}

TEST_CASE("a request time is part of the drain") {
  // Both arrive at 2 ms; the first is on the disk at 2 + 0.5 + 2 ms.
  CHECK(write_once(buffered(",cache=1MB,request=0.5ms"), separate_MBs(2)) ==
        exactly(3 * L + 2 * ms + 2.5 * ms + L));
}

TEST_CASE("a cache drains into a burst buffer, which drains to the disk") {
  const auto spec = buffered(",cache=1MB,burst=2MB,burst_bandwidth=1GBps");
  // Arrival a = 3 ms; in the burst buffer at a + 1 and a + 2; so the third is in the cache at a
  // + 2.
  CHECK(write_once(spec, separate_MBs(3)) == exactly(3 * L + 3 * ms + 2 * ms + L));
  // a = 4 ms; the first is on the disk at a + 3, so the third enters the burst buffer until a + 4.
  CHECK(write_once(spec, separate_MBs(4)) == exactly(3 * L + 4 * ms + 4 * ms + L));
}

TEST_CASE("the targets of a server divide its cache equally") {
  const auto time = [](const std::string& cache) {
    auto spec = buffered(",stripe=2MB,cache=" + cache);
    spec.targets = 2;
    spec.servers = 1;
    return write_once(spec, {{0, 2 * MB}});
  };
  CHECK(time("3MB") == exactly(3 * L + 2 * ms + 4 * ms + L));  // 1.5 MB each
  CHECK(time("4MB") == exactly(3 * L + 2 * ms + L));
}

TEST_CASE("a lock is revoked before the write is acknowledged") {
  const auto outcome =
      run_with_storage(machine_at_one_switch(2), 2, buffered(",cache=9MB,lock_penalty=5ms"),
                       [](Rank& me, Storage& on) -> Task {
                         const Bytes at = me.id() * MB;
                         const std::vector<Extent> own{{at, at + MB}};
                         co_await access_extents(me, on, own, true);
                       });
  CHECK(outcome.done_s[0] == exactly(3 * L + 2 * ms + L));
  CHECK(outcome.done_s[1] == exactly(3 * L + 2 * ms + 5 * ms + L));
}

TEST_CASE("a read waits until earlier writes are on the disk") {
  const auto outcome = run_with_storage(machine_at_one_switch(1), 1, buffered(",cache=9MB"),
                                        [](Rank& me, Storage& on) -> Task {
                                          const std::vector<Extent> one{{0, MB}};
                                          const std::vector<Extent> two{{MB, 2 * MB}};
                                          co_await access_extents(me, on, one, true);
                                          CHECK(me.now() == exactly(3 * L + 1 * ms + L));
                                          co_await access_extents(me, on, two, false);
                                        });
  CHECK(outcome.done_s[0] == exactly(3 * L + 3 * ms + 2 * ms + 3 * L + 1 * ms));
}

TEST_CASE("sequential reads within the read-ahead window cost no request time") {
  const auto time = [](const std::vector<Bytes>& order, const std::string& more) {
    const auto outcome =
        run_with_storage(machine_at_one_switch(1), 1, buffered(",request=0.5ms" + more),
                         [&order](Rank& me, Storage& on) -> Task {
                           for (const Bytes i : order) {
                             const std::vector<Extent> next{{i * MB, (i + 1) * MB}};
                             co_await access_extents(me, on, next, false);
                           }
                         });
    return outcome.done_s[0];
  };
  const Seconds each = L + 2 * ms + 3 * L + 1 * ms;
  CHECK(time({0, 1, 2, 3}, "") == exactly(4 * each + 4 * 0.5 * ms));
  CHECK(time({0, 1, 2, 3}, ",read_ahead=2MB") == exactly(4 * each + 2 * 0.5 * ms));
  CHECK(time({0, 1, 2, 3}, ",read_ahead=9MB") == exactly(4 * each + 1 * 0.5 * ms));
  CHECK(time({0, 1, 0, 2}, ",read_ahead=9MB") == exactly(4 * each + 3 * 0.5 * ms));
  CHECK(time({0, 1}, ",read_ahead=1MB") == exactly(2 * each + 2 * 0.5 * ms));
}

TEST_CASE("every client has a read-ahead window of its own") {
  TargetDisk disk(buffered(",request=0.5ms,read_ahead=4MB"));
  CHECK(disk.read(0, 1, 0, MB) == exactly(2.5 * ms));
  CHECK(disk.read(0, 2, MB, MB) == exactly(2.5 * ms));
  CHECK(disk.read(0, 1, MB, MB) == exactly(2 * ms));
  CHECK(disk.read(0, 2, 2 * MB, MB) == exactly(2 * ms));
}

TEST_CASE("the metadata server opens files one after the other") {
  const auto open_all = [](Rank& me, Storage& on) -> Task { co_await open_file(me, on); };
  const auto outcome =
      run_with_storage(machine_at_one_switch(3), 3, buffered(",metadata=3ms"), open_all);
  for (int i = 0; i < 3; ++i)
    CHECK(outcome.done_s[static_cast<std::size_t>(i)] == exactly(L + (i + 1) * 3 * ms + L));
  const auto none = run_with_storage(machine_at_one_switch(1), 1, buffered(""), open_all);
  CHECK(none.done_s[0] == 0);
}

TEST_CASE("an unlimited cache hides the disk, and a tiny one changes nothing") {
  const auto time = [](const std::string& more) {
    return run_with_storage(machine_at_one_switch(4), 4, buffered(",request=20us" + more),
                            [](Rank& me, Storage& on) -> Task {
                              tests::Draw draw(7 + static_cast<std::uint64_t>(me.id()));
                              for (Bytes call = 0; call < 6; ++call) {
                                const Bytes at = (4 * call + me.id()) * MB;
                                const std::vector<Extent> own{
                                    {at, at + 1 + static_cast<Bytes>(draw.below(600'000))}};
                                co_await access_extents(me, on, own, true);
                              }
                            })
        .done_s;
  };
  const auto plain = time("");
  const auto tiny = time(",cache=1");
  const auto middle = time(",cache=1MB");
  const auto large = time(",cache=1GiB");
  for (std::size_t i = 0; i < plain.size(); ++i) {
    CHECK(tiny[i] == exactly(plain[i]));
    CHECK(middle[i] < plain[i]);
    CHECK(large[i] < middle[i]);
  }
}
