// SPDX-License-Identifier: BSD-3-Clause
// The catalog's README has a row, with a status, for every value of every machine.
#include <doctest/doctest.h>

#include <algorithm>
#include <regex>
#include <string>
#include <vector>

#include "platforms/reader.hpp"
#include "tests/support/files.hpp"

using namespace tutti;

namespace {

const std::string folder = TUTTI_SOURCE_DIR "/platforms/catalog/";

struct Value {
  std::string key;
  std::string text;
};

// The values of a platform file: all props except descriptions, and the cluster's numbers.
std::vector<Value> values_of(const std::string& xml) {
  std::vector<Value> values;
  const std::regex prop(R"re(<prop id="([^"]+)"\s+value="([^"]*)")re");
  for (std::sregex_iterator found(xml.begin(), xml.end(), prop), end; found != end; ++found)
    if (!(*found)[1].str().starts_with("info/")) values.push_back({(*found)[1], (*found)[2]});
  const std::regex attribute(R"re( (core|speed|bw|lat|topo_parameters)="([^"]*)")re");
  for (std::sregex_iterator found(xml.begin(), xml.end(), attribute), end; found != end; ++found)
    values.push_back({(*found)[1], (*found)[2]});
  return values;
}

// The rows of the section whose heading names the machine: "## opuntia, opuntia-10k".
std::vector<std::string> rows_of(const std::string& readme, const std::string& machine) {
  std::vector<std::string> rows;
  bool inside = false;
  for (const auto& line : tests::split(readme, '\n')) {
    if (line.starts_with("## "))
      inside = (", " + line.substr(3) + ",").find(", " + machine + ",") != std::string::npos;
    if (inside && line.starts_with("| ")) rows.push_back(line);
  }
  return rows;
}

// Numbers match whole: "12" is not part of "128" or "0.12". A limit of 0 need not be mentioned.
bool mentions(const std::string& cell, const std::string& value) {
  if (cell.find('`' + value + '`') != std::string::npos) return true;
  const std::regex number(R"(\d+(\.\d+)?)");
  std::vector<std::string> reported;
  for (std::sregex_iterator found(cell.begin(), cell.end(), number), end; found != end; ++found)
    reported.push_back(found->str());
  bool any = false;
  for (std::sregex_iterator found(value.begin(), value.end(), number), end; found != end; ++found) {
    const bool limit_of_0 = value.starts_with("0:") && found->position() == 0;
    if (!limit_of_0 && std::find(reported.begin(), reported.end(), found->str()) == reported.end())
      return false;
    any = true;
  }
  return any || cell.find(value) != std::string::npos;
}

bool has_status(const std::string& row) {
  const auto cells = tests::split(row, '|');  // the first cell, before the first bar, is empty
  return cells.size() >= 5 &&
         (cells[3] == " published " || cells[3] == " derived " || cells[3] == " assumed ");
}

bool names(const std::string& row, const std::string& key) {
  return tests::split(row, '|')[1].find('`' + key + '`') != std::string::npos;
}

}  // namespace

TEST_CASE("the catalog's README has a row with a status for every value of every machine") {
  const std::string readme = tests::read_file(folder + "README.md");
  setenv("TUTTI_CATALOG", folder.c_str(), 1);
  const auto entries = platforms::catalog().value();
  for (const auto& entry : entries) {
    CAPTURE(entry.name);
    const auto rows = rows_of(readme, entry.name);
    REQUIRE_FALSE(rows.empty());
    const auto values = values_of(tests::read_file(entry.path));
    REQUIRE(values.size() > 15);
    for (const auto& [key, text] : values) {
      CAPTURE(key);
      CAPTURE(text);
      CHECK(std::any_of(rows.begin(), rows.end(), [&, &key = key, &text = text](const auto& row) {
        return names(row, key) && has_status(row) &&
               mentions(tests::split(row, '|')[1] + tests::split(row, '|')[2], text);
      }));
    }
    const auto hosts = std::to_string(platforms::load_machine(entry.name)->host_count());
    CHECK(std::any_of(rows.begin(), rows.end(), [&](const auto& row) {
      return row.starts_with("| nodes") && has_status(row) &&
             mentions(tests::split(row, '|')[2], hosts);
    }));
  }
}

TEST_CASE("the catalog's README lists every machine with its size and description") {
  const std::string readme = tests::read_file(folder + "README.md");
  setenv("TUTTI_CATALOG", folder.c_str(), 1);
  const auto entries = platforms::catalog().value();
  for (const auto& entry : entries) {
    const auto machine = platforms::load_machine(entry.name);
    REQUIRE(machine);
    const auto row = "| `" + entry.name + "` | " + std::to_string(machine->host_count()) + " | " +
                     std::to_string(machine->cores_per_host) + " | " +
                     std::string(machine->info("description")) + " |";
    CHECK_MESSAGE(readme.find(row) != std::string::npos, row);
  }
}
