// SPDX-License-Identifier: BSD-3-Clause
// What can still be read of a damaged store.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "sim/store/store.hpp"

namespace tutti::store {

struct Salvaged {
  std::optional<std::size_t> lost;  // none: the store no longer tells how many points it had
};

// Shows each point that matches its checksum, once: from both ends towards the damage, then those
// of pages that nothing leads to any more. An error where nothing can be read, and of a store of a
// newer format.
Result<Salvaged> salvage(const std::string& path, const Store::Visit& visit);

}  // namespace tutti::store
