// SPDX-License-Identifier: BSD-3-Clause
// The keys of --storage, for help texts. README.md of io_models describes them in full.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::io_models {

struct StorageKey {
  std::string_view name;
  std::string_view unit;  // "number", "rate", "time", "size"
  std::string_view meaning;
  std::string_view otherwise;  // the default
};

std::vector<StorageKey> storage_keys();

}  // namespace tutti::io_models
