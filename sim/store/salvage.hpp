// SPDX-License-Identifier: BSD-3-Clause
// What can still be read of a damaged store.
#pragma once

#include <cstddef>
#include <string>

#include "sim/store/store.hpp"

namespace tutti::store {

// Shows each point that matches its checksum, once, from both ends towards the damage. Returns how
// many are lost, as far as the store can tell. An error where nothing can be read.
Result<std::size_t> salvage(const std::string& path, const Store::Visit& visit);

}  // namespace tutti::store
