// SPDX-License-Identifier: BSD-3-Clause
// The table of a store's studies: its columns and their order, independent of anything else.
#include "sim/studies/study_table.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "sim/jobs/io_record.hpp"
#include "sim/jobs/record.hpp"
#include "sim/reports/study_export.hpp"
#include "tests/support/files.hpp"
#include "tests/support/stores.hpp"

using namespace tutti;
using namespace tutti::tests;
using store::Status;
using store::Store;
using store::StoredPoint;

namespace {

StoredPoint collective(std::size_t i) {
  return {key_of(i),
          Status::done,
          {{"collective", std::string("bcast")},
           {"command", std::string("sim run bcast")},
           {"description", std::string("all of it")},
           {"finished", std::string("2026-01-01")},
           {"model_version", std::string("1")},
           {"mpi/eager_limit", std::string("4KiB")},
           {"platform", std::string("crill")},
           {"time_s", 1e-6},
           {"wall_s", 0.5}}};
}

StoredPoint access(std::size_t i) {
  return {
      key_of(i),
      Status::done,
      {{"operation", std::string("write")}, {"mpi/bandwidth", 1.5}, {"procs", std::int64_t{4}}}};
}

StoredPoint failure(std::size_t i) {
  return {
      key_of(i), Status::failed, {{"error", std::string("killed")}, {"output", std::string("!")}}};
}

Table table_of(const std::vector<StoredPoint>& points, bool with_cost = true) {
  const TemporaryFolder folder;
  Store store = opened(folder.file("s.db"));
  std::vector<std::string> keys;
  for (const auto& point : points) {
    put(store, point);
    keys.push_back(point.key);
  }
  set_members(store, "s", keys);
  put(store, {key_of(999), Status::done, {{"nobodys", 1.0}}});
  const auto table = studies::study_table(store, with_cost);
  REQUIRE(table);
  return *table;
}

std::size_t place_of(const Table& table, const std::string& name) {
  return static_cast<std::size_t>(std::find(table.columns.begin(), table.columns.end(), name) -
                                  table.columns.begin());
}

bool has(const Table& table, const std::string& name) {
  return place_of(table, name) < table.columns.size();
}

}  // namespace

TEST_CASE("keys come first, then parameters, the columns of run, the rest, the error") {
  const Table table = table_of({collective(1), failure(2)});
  std::vector<std::string> expected{"key", "status", "platform", "platform_hash",
                                    "mpi/eager_limit"};
  for (const auto& column : jobs::columns_of<jobs::Record>()) expected.emplace_back(column.name);
  for (const char* name : {"command", "finished", "model_version", "error"})
    expected.emplace_back(name);
  CHECK(table.columns == expected);
  REQUIRE(table.rows.size() == 2);
  for (const auto& row : table.rows) REQUIRE(row.size() == table.columns.size());
  CHECK(table.rows[0][place_of(table, "time_s")] == Cell(1e-6));
  CHECK(table.rows[0][place_of(table, "error")] == Cell());
  CHECK(table.rows[1][place_of(table, "error")] == Cell(std::string("killed")));
  CHECK(table.rows[1][place_of(table, "status")] == Cell(std::string("failed")));
}

TEST_CASE("collective I/O has its own columns, and a mixture has both") {
  const Table io = table_of({access(1)});
  CHECK_FALSE(has(io, "collective"));
  for (const auto& column : jobs::columns_of<jobs::IoRecord>())
    CHECK(has(io, std::string(column.name)));
  const Table both = table_of({access(1), collective(2)});
  CHECK(place_of(both, "mpi/bandwidth") + 1 == place_of(both, "mpi/eager_limit"));
  CHECK(place_of(both, "collective") < place_of(both, "operation"));
  CHECK(std::count(both.columns.begin(), both.columns.end(), "procs") == 1);
}

TEST_CASE("without cost no column differs between runs") {
  const Table table = table_of({collective(1)}, false);
  for (const char* name : {"wall_s", "peak_rss_bytes", "finished"}) CHECK_FALSE(has(table, name));
  CHECK(has(table, "time_s"));
}

TEST_CASE("the bytes do not depend on the order in which points were put") {
  std::vector<StoredPoint> points{collective(1), access(2), failure(3), collective(4)};
  // A column's type is that of the first value; this must have no effect.
  points[3].values.push_back({"mixed", std::int64_t{3}});
  points[1].values.push_back({"mixed", 3.0});
  points[0].values.push_back({"mixed", std::string("3")});
  const auto all_formats = [&] {
    const Table table = table_of(points);
    std::string text;
    for (const auto format : {reports::Format::csv, reports::Format::json, reports::Format::jsonl})
      text += reports::render_study(table, {study_called("s")}, format);
    return text;
  };
  const std::string first = all_formats();
  std::sort(points.begin(), points.end(),
            [](const auto& a, const auto& b) { return a.key > b.key; });
  CHECK(all_formats() == first);
  std::rotate(points.begin(), points.begin() + 1, points.end());
  CHECK(all_formats() == first);
}

TEST_CASE("JSON and JSON lines can be read and contain every value") {
  using reports::Format;
  const Table table = table_of({collective(1), failure(2)});
  const auto json =
      nlohmann::json::parse(reports::render_study(table, {study_called("s")}, Format::json));
  CHECK(json["schema"] == "sim.study/1");
  CHECK(json["studies"][0]["name"] == "s");
  REQUIRE(json["points"].size() == 2);
  CHECK(json["points"][0]["time_s"] == 1e-6);
  CHECK(json["points"][1]["time_s"].is_null());
  const auto lines = split(reports::render_study(table, {study_called("s")}, Format::jsonl), '\n');
  REQUIRE(lines.size() == 3);
  CHECK(nlohmann::json::parse(lines[2])["error"] == "killed");
  const auto empty = nlohmann::json::parse(reports::render_study({}, {}, Format::json));
  CHECK(empty["points"].empty());
}
