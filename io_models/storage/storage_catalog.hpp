// SPDX-License-Identifier: BSD-3-Clause
// Storage systems that --storage accepts by name. README.md states the status and the source of
// every value; a test compares both.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::io_models {

struct StorageEntry {
  std::string_view name;
  std::string_view description;
  std::string_view file_system;
  std::string_view spec;  // as of --storage
};

inline constexpr std::string_view lustre = "Lustre";

// In alphabetical order.
std::span<const StorageEntry> storage_catalog();
// Null: no such entry.
const StorageEntry* find_storage(std::string_view name);
std::vector<std::string> storage_names();

}  // namespace tutti::io_models
