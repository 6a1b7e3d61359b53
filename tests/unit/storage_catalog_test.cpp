// SPDX-License-Identifier: BSD-3-Clause
// The files of the catalog of storage systems: every value has a status and a source.
#include "io_models/storage/storage_catalog.hpp"

#include <doctest/doctest.h>

#include "io_models/storage/storage_spec.hpp"
#include "io_models/storage/storage_systems.texts.hpp"

using namespace tutti;
using namespace tutti::io_models;

namespace {

// The text of a value's line after its key: "154  # derived: 77 servers with two each".
std::string value_line(const tutti::HelpText& file, std::string_view key) {
  for (const std::string_view line : tutti::split(file.text, '\n'))
    if (line.starts_with(fmt::format("{} = ", key)))
      return std::string(line.substr(key.size() + 3));
  return "";
}

}  // namespace

TEST_CASE("every value of a storage system has a status and a source") {
  for (const auto& file : tutti::texts::storage_systems.all) {
    CAPTURE(file.key);
    const StorageEntry* entry = find_storage(file.key);
    REQUIRE(entry != nullptr);
    const auto values = tutti::split(entry->spec, ',');
    CHECK(values.size() >= 5);
    for (const std::string_view value : values) {
      CAPTURE(value);
      const auto parts = tutti::split(value, '=');
      const std::string line = value_line(file, parts[0]);
      const std::string comment = line.substr(std::min(line.size(), parts[1].size()));
      const bool published = comment.starts_with("  # published: ");
      const bool derived = comment.starts_with("  # derived: ");
      CHECK((published || derived || comment.starts_with("  # assumed: ")));
      const std::string source = comment.substr(std::min(comment.size(), comment.find(": ") + 2));
      CHECK(source.size() > 2);
      if (published) CHECK(source.find_first_of(".0123456789") != std::string::npos);
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
