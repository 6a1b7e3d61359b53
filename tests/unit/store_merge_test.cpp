// SPDX-License-Identifier: BSD-3-Clause
// Merging stores: equal points, contradicting points, and atomicity.
#include <doctest/doctest.h>

#include "sim/base/result.hpp"
#include "sim/store/merge.hpp"
#include "tests/support/files.hpp"
#include "tests/support/stores.hpp"

using namespace tutti;
using namespace tutti::tests;
using store::Status;
using store::Store;
using store::StoredPoint;

namespace {

StoredPoint timed(std::size_t i, double time_s, double wall_s) {
  return {key_of(i), Status::done, {{"time_s", time_s}, {"wall_s", wall_s}}};
}

StoredPoint failed(std::size_t i) {
  return {key_of(i), Status::failed, {{"error", std::string("killed")}}};
}

void make(const std::string& path, const std::vector<StoredPoint>& points,
          const std::string& study = "s") {
  Store store = opened(path);
  std::vector<std::string> keys;
  for (const auto& point : points) {
    put(store, point);
    keys.push_back(point.key);
  }
  set_members(store, study, keys);
}

}  // namespace

TEST_CASE("shards merge into the complete store in any order") {
  const TemporaryFolder folder;
  const auto points = sample_points(40);
  std::vector<std::string> shards;
  for (std::size_t shard = 0; shard < 4; ++shard) {
    std::vector<StoredPoint> part;
    for (std::size_t i = shard; i < points.size(); i += 4) part.push_back(points[i]);
    shards.push_back(folder.file("shard" + std::to_string(shard) + ".db"));
    make(shards.back(), part);
  }
  make(folder.file("whole.db"), points);
  const auto whole = points_of(folder.file("whole.db"));
  for (const char* name : {"a.db", "b.db"}) {
    Store out = opened(folder.file(name));
    const auto merged = store::merge(out, shards, false);
    REQUIRE(merged);
    CHECK(merged->added == 40);
    CHECK(same(points_of(out, true), whole));
    CHECK(out.studies()->size() == 1);
    std::reverse(shards.begin(), shards.end());
  }
}

TEST_CASE("points that differ only in cost are equal, and done takes precedence over failed") {
  const TemporaryFolder folder;
  make(folder.file("a.db"), {timed(1, 0.5, 10), failed(2), timed(3, 0.7, 1)});
  make(folder.file("b.db"), {timed(1, 0.5, 20), timed(2, 0.6, 1), failed(3)}, "t");
  Store out = opened(folder.file("out.db"));
  const auto merged = store::merge(out, {folder.file("a.db"), folder.file("b.db")}, false);
  REQUIRE(merged);
  CHECK(merged->added == 3);
  CHECK(merged->known == 2);
  CHECK(merged->replaced == 1);
  CHECK(same(points_of(out, true), {timed(1, 0.5, 10), timed(2, 0.6, 1), timed(3, 0.7, 1)}));
  CHECK(out.studies()->size() == 2);
}

TEST_CASE("different results for a point are an error, and nothing is merged") {
  const TemporaryFolder folder;
  make(folder.file("a.db"), {timed(1, 0.5, 10)});
  make(folder.file("b.db"), {timed(0, 0.1, 1), timed(1, 0.50000001, 10)});
  make(folder.file("out.db"), {timed(7, 0.5, 1)}, "before");
  Store out = opened(folder.file("out.db"));
  const auto merged = store::merge(out, {folder.file("a.db"), folder.file("b.db")}, false);
  REQUIRE_FALSE(merged);
  CHECK(merged.error().kind == ErrorKind::store);
  CHECK(merged.error().place == folder.file("b.db"));
  CHECK(mentions(merged.error().message, key_of(1)));
  CHECK(same(points_of(out), {timed(7, 0.5, 1)}));
  CHECK(out.studies()->size() == 1);
  put(out, {key_of(8), Status::done, {{"new", true}}});  // its tables are unchanged
  CHECK(points_of(out).size() == 2);
}

TEST_CASE("points without a study are removed, and others remain") {
  const TemporaryFolder folder;
  const std::string path = folder.file("s.db");
  make(path, sample_points(30));
  {
    Store store = opened(path);
    set_members(store, "s", {key_of(0), sample_points(3)[2].key});
    CHECK(*store.remove_orphans() == 28);
    CHECK(*store.remove_orphans() == 0);
    CHECK(store.verify()->points == 2);
  }
  CHECK(points_of(path).size() == 2);
}

TEST_CASE("several changes are made together or not at all") {
  const TemporaryFolder folder;
  Store store = opened(folder.file("s.db"));
  const auto error = store.atomically([&]() -> std::optional<Error> {
    put(store, {key_of(1), Status::done, {{"column", 1.0}}});
    return make_error(ErrorKind::run, "", "changed my mind");
  });
  REQUIRE(error);
  CHECK(error->message == "changed my mind");
  CHECK(points_of(store).empty());
  put(store, {key_of(2), Status::done, {{"column", 1.0}}});
  CHECK(points_of(store).size() == 1);
  CHECK(*store.has(key_of(2)));
  CHECK_FALSE(*store.has(key_of(1)));
  CHECK(same({**store.find(key_of(2))}, points_of(store)));
}
