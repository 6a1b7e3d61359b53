// SPDX-License-Identifier: BSD-3-Clause
// Checksums over what a store holds (XXH3, 64 bits): the same on every machine.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/store/store.hpp"

namespace tutti::store {

// Over the key, the status and all values with their names and types. The values must be ordered
// by name, and none may be empty.
std::uint64_t row_checksum(const StoredPoint& point);

// Over texts, each with its length.
std::uint64_t texts_checksum(const std::vector<std::string_view>& texts);

}  // namespace tutti::store
