// SPDX-License-Identifier: BSD-3-Clause
// The store of results: values of any type are read back; who may write.
#include <doctest/doctest.h>
#include <sqlite3.h>

#include <bit>
#include <cmath>
#include <limits>

#include "tests/support/files.hpp"
#include "tests/support/stores.hpp"

using namespace tutti;
using namespace tutti::tests;
using store::Status;
using store::Store;
using store::StoredPoint;

namespace {

Cell value_of(const StoredPoint& point, const std::string& name) {
  for (const auto& cell : point.values)
    if (cell.name == name) return cell.value;
  return {};
}

// Checks points with only a column "x": the values are read back in order and bit by bit.
void check_round_trip(const std::vector<Cell>& values) {
  const TemporaryFolder folder(folder_in_memory());
  const std::string path = folder.file("s.db");
  for (std::size_t i = 0; i < values.size(); ++i) {
    Store store = opened(path);  // reopened: cached values must not matter
    put(store, {key_of(i), Status::done, {{"x", values[i]}}});
  }
  const auto points = points_of(path);
  REQUIRE(points.size() == values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    CAPTURE(i);
    CHECK(same_bits(value_of(points[i], "x"), values[i]));
  }
}

}  // namespace

TEST_CASE("every type of cell is read back unchanged") {
  const auto big = std::numeric_limits<std::int64_t>::max();
  check_round_trip({true, false, true});
  check_round_trip({std::int64_t{0}, std::int64_t{1}, big, std::int64_t{-big - 1}});
  check_round_trip({0.1, 1.0, 1e300, 5e-324, -2.5, 0.0, 4503599627370497.0, 9007199254740993.0});
  check_round_trip({std::string("a"), std::string(), std::string("12"), std::string("1e3"),
                    std::string("nul \0 inside", 12), std::string("\xe2\x82\xac")});
}

TEST_CASE("a column with values of a new type does not change other values") {
  const std::int64_t big = (std::int64_t{1} << 53) + 1;
  const std::vector<Cell> values{true,  std::int64_t{1}, big, 2.0,  -0.0, std::string("3"),
                                 false, std::string(),   0.5, 1e15, 0.0};
  for (std::size_t first = 0; first < values.size(); ++first) {
    std::vector<Cell> turned(values.begin() + static_cast<std::ptrdiff_t>(first), values.end());
    turned.insert(turned.end(), values.begin(),
                  values.begin() + static_cast<std::ptrdiff_t>(first));
    check_round_trip(turned);
  }
}

TEST_CASE("doubles are read back bit by bit") {
  std::vector<Cell> values;
  std::uint64_t bits = 88172645463325252u;
  for (int i = 0; i < 300; ++i) {
    bits ^= bits << 13, bits ^= bits >> 7, bits ^= bits << 17;
    if (const double value = std::bit_cast<double>(bits); std::isfinite(value))
      values.emplace_back(value);
  }
  check_round_trip(values);
}

TEST_CASE("columns may have any name, and points any subset of them") {
  const TemporaryFolder folder;
  const std::string path = folder.file("s.db");
  const StoredPoint first{key_of(1), Status::done, {{"mpi/eager_limit", std::int64_t{4}}}};
  const StoredPoint second{
      key_of(0), Status::failed, {{"a \"b\" ; -- c", 1.5}, {"order", std::string("by")}}};
  {
    Store store = opened(path);
    put(store, first);
    put(store, second);
  }
  CHECK(same(points_of(path), {second, first}));
}

TEST_CASE("a point that is put again is replaced, with all its values") {
  const TemporaryFolder folder;
  const std::string path = folder.file("s.db");
  {
    Store store = opened(path);
    put(store, {key_of(1), Status::failed, {{"error", std::string("crashed")}}});
    put(store, {key_of(1), Status::done, {{"time_s", 1.5}}});
  }
  CHECK(same(points_of(path), {{key_of(1), Status::done, {{"time_s", 1.5}}}}));
}

TEST_CASE("values that cannot be stored are rejected, and the store is not changed") {
  const TemporaryFolder folder;
  const std::string path = folder.file("s.db");
  const StoredPoint good{key_of(1), Status::done, {{"time_s", 1.5}}};
  {
    Store store = opened(path);
    put(store, good);
    const Cell values[] = {std::numeric_limits<double>::infinity(), std::nan("")};
    for (const auto& value : values)
      CHECK(store.put({key_of(2), Status::done, {{"new", 1.0}, {"time_s", value}}}));
    for (const char* name : {"Time_s", "KEY", "checksum", ""})
      CHECK(store.put({key_of(2), Status::done, {{name, 1.0}}}));
    CHECK(store.put({key_of(2), Status::done, {{"x", 1.0}, {"x", 2.0}}}));
    CHECK(store.put({key_of(2), Status::done, {{"x", 1.0}, {"X", 2.0}}}));
    put(store, {key_of(3), Status::done, {{"x", true}}});
  }
  CHECK(same(points_of(path), {good, {key_of(3), Status::done, {{"x", true}}}}));
}

TEST_CASE("invalid UTF-8 becomes the replacement character") {
  const TemporaryFolder folder;
  const std::string path = folder.file("s.db");
  {
    Store store = opened(path);
    put(store, {key_of(1), Status::failed, {{"output", std::string("a\xff z")}}});
  }
  CHECK(value_of(points_of(path).at(0), "output") == Cell(std::string("a\xef\xbf\xbd z")));
}

TEST_CASE("studies keep their order, and their members select the points") {
  const TemporaryFolder folder;
  const std::string path = folder.file("s.db");
  {
    Store store = opened(path);
    for (int i = 0; i < 6; ++i) put(store, {key_of(i), Status::done, {{"i", std::int64_t{i}}}});
    set_members(store, "b", {key_of(4), key_of(1), key_of(4), key_of(9)});
    set_members(store, "a", {key_of(1), key_of(2)});
    set_members(store, "b", {key_of(5)}, false);
    CHECK(keys_of(store, true) ==
          std::vector<std::string>{key_of(1), key_of(2), key_of(4), key_of(5)});
    set_members(store, "b", {key_of(0)});
  }
  const auto store = Store::open(path, Store::Access::read);
  REQUIRE(store);
  CHECK(keys_of(*store, true) == std::vector<std::string>{key_of(0), key_of(1), key_of(2)});
  CHECK(keys_of(*store, false).size() == 6);
  const auto studies = store->studies();
  REQUIRE(studies);
  REQUIRE(studies->size() == 2);
  CHECK(studies->at(0).name == "b");
  CHECK(studies->at(1).toml == "[study]\nname = \"a\"\n");
}

TEST_CASE("the order in which points are put has no effect") {
  const TemporaryFolder folder;
  std::vector<StoredPoint> points = sample_points(20);
  for (const char* name : {"a.db", "b.db"}) {
    Store store = opened(folder.file(name));
    for (const auto& point : points) put(store, point);
    std::reverse(points.begin(), points.end());
  }
  CHECK(same(points_of(folder.file("a.db")), points_of(folder.file("b.db"))));
}

TEST_CASE("a second writer is rejected while readers are allowed") {
  const TemporaryFolder folder;
  const std::string path = folder.file("s.db");
  Store store = opened(path);
  put(store, {key_of(1), Status::done, {}});
  for (int attempt = 0; attempt < 2; ++attempt) {
    const auto second = Store::open(path, Store::Access::write);
    REQUIRE_FALSE(second);
    CHECK(second.error().kind == ErrorKind::store);
    CHECK(mentions(second.error().message, "being written"));
  }
  CHECK(points_of(path).size() == 1);
  put(store, {key_of(2), Status::done, {}});
  CHECK(points_of(path).size() == 2);
}

TEST_CASE("a closed store is a single file") {
  const TemporaryFolder folder;
  const std::string path = folder.file("s.db");
  {
    Store store = opened(path);
    put(store, {key_of(1), Status::done, {}});
  }
  points_of(path);
  CHECK(files_in(folder.path()) == std::vector<std::string>{"s.db"});
}
