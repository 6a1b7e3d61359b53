// SPDX-License-Identifier: BSD-3-Clause
// The README of the catalog of storage systems has a row, with a status, for every value.
#include "io_models/storage/storage_catalog.hpp"

#include <doctest/doctest.h>

#include "io_models/storage/storage_spec.hpp"
#include "tests/support/files.hpp"

using namespace tutti;
using namespace tutti::io_models;

namespace {

struct CatalogRow {
  std::string keys;
  std::string value;
  std::string status;
  std::string source;
};

// The rows of the section "## NAME" with values.
std::vector<CatalogRow> rows_of_storage(const std::string& readme, std::string_view name) {
  std::vector<CatalogRow> rows;
  bool inside = false;
  for (const auto& line : tests::split(readme, '\n')) {
    if (line.starts_with("## ")) inside = line == fmt::format("## {}", name);
    if (!inside || !line.starts_with("| `")) continue;
    const auto cells = tests::split(line, '|');  // the first cell, before the first bar, is empty
    REQUIRE(cells.size() >= 5);
    rows.push_back({cells[1], cells[2], cells[3], cells[4]});
  }
  return rows;
}

const std::string& storage_readme() {
  static const std::string text = tests::read_file(TUTTI_SOURCE_DIR "/io_models/storage/README.md");
  return text;
}

}  // namespace

TEST_CASE("the README has a row with status and source for every value of a storage system") {
  for (const StorageEntry& entry : storage_catalog()) {
    CAPTURE(entry.name);
    const auto rows = rows_of_storage(storage_readme(), entry.name);
    const auto values = tutti::split(entry.spec, ',');
    CHECK(values.size() >= 5);
    std::size_t keys = 0;
    for (const auto& row : rows) keys += tutti::split(row.keys, ',').size();
    CHECK(keys == values.size());
    for (const std::string_view value : values) {
      CAPTURE(value);
      const auto parts = tutti::split(value, '=');
      const auto row = std::ranges::find_if(rows, [&](const CatalogRow& each) {
        return each.keys.find(fmt::format("`{}`", parts[0])) != std::string::npos;
      });
      REQUIRE(row != rows.end());
      CHECK(row->value == fmt::format(" {} ", parts[1]));
      const bool published = row->status == " published ";
      const bool derived = row->status == " derived ";
      CHECK((published || derived || row->status == " assumed "));
      CHECK(row->source.size() > 4);
      if (published) CHECK(row->source.find_first_of(".0123456789") != std::string::npos);
    }
  }
}

TEST_CASE("derived bandwidths of storage systems are the published total over the targets") {
  struct Published {
    std::string_view name;
    double total_Bps;
  };
  constexpr Published published[] = {{"alpine", 2.5e12},         {"cori-scratch", 700e9},
                                     {"lumi-f", 1740e9},         {"lumi-p", 240e9},
                                     {"orion-capacity", 4.6e12}, {"orion-performance", 10e12},
                                     {"perlmutter", 5e12}};
  for (const auto& [name, total_Bps] : published) {
    CAPTURE(name);
    const auto spec = parse_storage(name);
    REQUIRE(spec);
    CHECK(std::abs(spec->write_Bps * spec->targets / total_Bps - 1) < 0.011);  // rounded values
  }
}

TEST_CASE("the storage systems are valid, described and sorted") {
  const auto all = storage_catalog();
  CHECK(std::ranges::is_sorted(all, {}, &StorageEntry::name));
  for (const StorageEntry& entry : all) {
    CAPTURE(entry.name);
    const auto spec = parse_storage(entry.name);
    REQUIRE(spec);
    CHECK(spec->exists());
    CHECK(parse_storage(format_storage(*spec)));
    CHECK(entry.description.size() > 20);
    CHECK_FALSE(entry.file_system.empty());
    if (entry.name.starts_with("lustre")) CHECK(entry.file_system == lustre);
    CHECK(entry.description.find(entry.file_system) != std::string_view::npos);
    CHECK(find_storage(entry.name)->name == entry.name);
  }
  CHECK(find_storage("none") == nullptr);
}
