// SPDX-License-Identifier: BSD-3-Clause
// Storage systems that --storage accepts by name: the files of catalog/, which are built into the
// program. README.md describes them.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::io_models {

struct StorageEntry {
  std::string name;  // of the file, without its ending
  std::string description;
  std::string file_system;
  std::string spec;  // as of --storage
};

inline constexpr std::string_view lustre = "Lustre";

// In alphabetical order.
std::span<const StorageEntry> storage_catalog();
// The entry of this name; null if there is none.
const StorageEntry* find_storage(std::string_view name);
std::vector<std::string> storage_names();

}  // namespace tutti::io_models
