// SPDX-License-Identifier: BSD-3-Clause
// The dictionary of columns, which `sim help columns` prints. tests/conformance/json_schemas.sh
// compares it with the documents of all commands.
#include "sim/reports/dictionary/dictionary.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>

#include "sim/reports/dictionary/json_schemas.hpp"
#include "tests/support/files.hpp"

using namespace tutti;
using reports::ColumnUnit;

namespace {

reports::Document listing_of_names(const std::vector<std::string>& names) {
  auto listing = reports::columns_listing(names);
  REQUIRE(listing);
  return *std::move(listing);
}

bool has_column(const std::string& name) {
  return static_cast<bool>(reports::columns_listing({name}));
}

ColumnUnit unit_in(std::string_view group, std::string_view name) {
  for (const auto& each : reports::column_groups())
    for (const auto& column : each.columns)
      if (each.title.starts_with(group) && column.name == name) return column.unit;
  FAIL("no column " << name);
  return ColumnUnit::any;
}

}  // namespace

TEST_CASE("each column has one meaning in its group, a sentence") {
  for (const auto& group : reports::column_groups()) {
    std::set<std::string_view> names;
    for (const auto& column : group.columns) {
      CAPTURE(group.title);
      CAPTURE(column.name);
      CHECK(names.insert(column.name).second);
      CHECK(column.meaning.ends_with('.'));
    }
  }
}

TEST_CASE("names with a unit have this unit") {
  using enum ColumnUnit;
  for (const auto& group : reports::column_groups())
    for (const auto& column : group.columns) {
      CAPTURE(column.name);
      const auto ends = [&](const char* end) { return column.name.ends_with(end); };
      if (ends("_s") && column.name != "n_s") CHECK(column.unit == seconds);
      if (ends("_Bps")) CHECK(column.unit == rate);
      if (ends("_s_per_B")) CHECK(column.unit == seconds_per_byte);
      if (ends("_bytes")) CHECK(column.unit == bytes);
    }
  CHECK(unit_in("sim run COLLECTIVE", "data_verified") == flag);
  CHECK(unit_in("sim run COLLECTIVE", "procs") == number);
  CHECK(unit_in("sim run COLLECTIVE", "algorithm") == text);
  CHECK(unit_in("sim run write", "n_s") == number);
  CHECK(unit_in("sim run loggp", "L_s") == seconds);
}

TEST_CASE("the columns of all reports are in the dictionary") {
  namespace fs = std::filesystem;
  const std::regex added(R"re(\.(?:add|group)\(\s*"([A-Za-z0-9_.\[\]-]+)",)re");
  std::size_t found = 0;
  for (const auto& each : fs::recursive_directory_iterator(TUTTI_SOURCE_DIR "/sim")) {
    const std::string path = each.path();
    if (path.find("/report/") == path.npos && path.find("/listings/") == path.npos) continue;
    if (each.path().extension() != ".cpp") continue;
    const std::string text = tests::read_file(path);
    const bool has_documents = text.find("TableOf") != text.npos;
    for (std::sregex_iterator at(text.begin(), text.end(), added), end; at != end; ++at) {
      const std::string name = (*at)[1];
      // Text tables have heads instead of names of columns.
      if (!has_documents || std::isupper(static_cast<unsigned char>(name.front()))) continue;
      CAPTURE(path);
      CHECK_MESSAGE(has_column(name), name);
      ++found;
    }
  }
  CHECK(found > 700);
}

TEST_CASE("columns are found by name, also those of several names") {
  const auto listing = listing_of_names({"time_s"});
  CHECK(listing.schema == "sim.columns/1");
  CHECK(listing.tables.front().table.rows.size() >= 3);
  CHECK(listing_of_names({"ompi-4.1"}).tables.front().table.rows.size() == 1);
  const auto unknown = reports::columns_listing({"tims_s"});
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().hint.find("'time_s'") != std::string::npos);
  CHECK(reports::columns_listing({"mpi/gap"}).error().hint.find("--set") != std::string::npos);
}

TEST_CASE("a JSON schema has the declared members, and the columns of the dictionary") {
  const auto schemas = reports::json_schemas(
      "# comment\n$head  about[] hosts\n\nsim.fit.check/3  $head is_good:flag\n"
      "  more?{name *} points[$columns]\n");
  REQUIRE(schemas.size() == 1);
  CHECK(schemas[0].name == "fit.check");
  const auto schema = nlohmann::json::parse(schemas[0].text);
  const auto& members = schema["properties"];
  CHECK(members["schema"]["const"] == "sim.fit.check/3");
  CHECK(members["hosts"]["type"] == nlohmann::json{"number", "null"});
  CHECK(members["is_good"]["type"] == nlohmann::json{"boolean", "null"});
  CHECK(!members["more"].contains("additionalProperties"));
  CHECK(schema["additionalProperties"] == false);
  CHECK(schema["required"] == nlohmann::json{"schema", "about", "hosts", "is_good", "points"});
  const auto& points = members["points"]["items"];
  CHECK(points["properties"]["time_s"]["type"] == nlohmann::json{"number", "null"});
  CHECK(points["properties"].contains("condition"));  // of `sim fit` and others
  CHECK(points["additionalProperties"] == false);
}
