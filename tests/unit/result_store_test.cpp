// SPDX-License-Identifier: BSD-3-Clause
// Stores of studies as result files.
#include <doctest/doctest.h>

#include "sim/reports/page/report_page.hpp"
#include "sim/reports/tables/columns.hpp"
#include "sim/reports/tables/result_file.hpp"
#include "sim/store/store.hpp"
#include "tests/support/files.hpp"

using namespace tutti;
using namespace tutti::tests;

namespace {

store::StoredPoint point(char digit, std::int64_t procs, store::Status status) {
  store::StoredPoint made{std::string(32, digit), status, {}};
  made.values = {{"collective", std::string("bcast")},
                 {"algorithm", std::string("chain")},
                 {"platform", std::string("crill")},
                 {"procs", procs}};
  if (status == store::Status::done) {
    made.values.push_back({"time_s", 1e-6 * static_cast<double>(procs)});
  } else {
    made.values.push_back({"error", std::string("out of <memory>")});
    made.values.push_back({"output", std::string("bad_alloc </script>")});
  }
  return made;
}

std::string store_in(const TemporaryFolder& folder) {
  const std::string path = folder.file("results");
  auto made = store::Store::open(path, store::Store::Access::write);
  REQUIRE(made);
  for (const auto& each : {point('a', 4, store::Status::done), point('b', 8, store::Status::done),
                           point('c', 16, store::Status::failed)})
    REQUIRE_FALSE(made->put(each));
  REQUIRE_FALSE(
      made->set_members({.name = "<crowds>",
                         .description = "how many",
                         .toml = "[study]\nname = \"<crowds> & </pre>\"",
                         .command = "sim sweep crowds.toml",
                         .version = "0.1.0 (abc)",
                         .simgrid_version = "3.32",
                         .started = "2026-11-21T20:30:00Z"},
                        {std::string(32, 'a'), std::string(32, 'b'), std::string(32, 'c')}, true));
  return path;
}

}  // namespace

TEST_CASE("a store is read with its studies and the stderr output of failed points") {
  const TemporaryFolder folder;
  const auto file = reports::read_result_file(store_in(folder));
  REQUIRE(file);
  CHECK(file->study == "<crowds>");
  CHECK(file->studies.size() == 1);
  REQUIRE(file->table.rows.size() == 3);
  const reports::FailedRows failed(file->table);
  CHECK_FALSE(failed(file->table.rows[0]));
  REQUIRE(failed(file->table.rows[2]));
  const auto output = reports::find_column(file->table, "output");
  REQUIRE(output);
  CHECK(file->table.rows[2][*output] == Cell{std::string("bad_alloc </script>")});
  const auto grid = reports::grid_of(*file, {});
  REQUIRE(grid);
  CHECK(grid->x == "procs");
  CHECK(grid->failed == 1);
}

TEST_CASE("the report page of a store shows the study and its TOML") {
  const TemporaryFolder folder;
  const auto file = reports::read_result_file(store_in(folder));
  REQUIRE(file);
  const auto page = reports::report_page({{*file}});
  REQUIRE(page);
  CHECK(mentions(*page, "<title>&lt;crowds&gt;</title>"));
  CHECK(mentions(*page, "\\u003ccrowds> & \\u003c/pre>"));
  CHECK(mentions(*page, "bad_alloc \\u003c/script>"));
  CHECK(mentions(*page, "sim sweep crowds.toml"));
}

TEST_CASE("a file that begins like a store but is not one is an error of kind store") {
  const TemporaryFolder folder;
  const auto path = folder.write("x.csv", std::string("SQLite format 3\0 and nothing", 28));
  const auto file = reports::read_result_file(path);
  REQUIRE_FALSE(file);
  CHECK(file.error().kind == ErrorKind::store);
}
