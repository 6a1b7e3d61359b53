// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/storage/storage_catalog.hpp"

#include "io_models/storage/storage_systems.texts.hpp"
#include "sim/base/text_file.hpp"

namespace tutti::io_models {
namespace {

// Lines KEY = VALUE; a comment extends from # to the end of the line.
StorageEntry read_storage(const HelpText& file) {
  StorageEntry entry;
  entry.name = file.key;
  for (std::string_view line : split(file.text, '\n')) {
    line = trim(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    const auto equals = line.find('=');
    TUTTI_CHECK(equals != line.npos,
                "a line without KEY = VALUE in the catalog of storage systems");
    const std::string_view key = trim(line.substr(0, equals));
    const std::string_view value = trim(line.substr(equals + 1));
    if (key == "description")
      entry.description = value;
    else if (key == "file_system")
      entry.file_system = value;
    else
      entry.spec += fmt::format("{}{}={}", entry.spec.empty() ? "" : ",", key, value);
  }
  return entry;
}

}  // namespace

std::span<const StorageEntry> storage_catalog() {
  static const std::vector<StorageEntry> entries = [] {
    std::vector<StorageEntry> read;
    for (const HelpText& file : texts::storage_systems.all) read.push_back(read_storage(file));
    return read;
  }();
  return entries;
}

const StorageEntry* find_storage(std::string_view name) {
  const auto entries = storage_catalog();
  const auto entry = std::ranges::find(entries, name, &StorageEntry::name);
  return entry == entries.end() ? nullptr : &*entry;
}

std::vector<std::string> storage_names() {
  return collect_names(texts::storage_systems.all, &HelpText::key);
}

}  // namespace tutti::io_models
