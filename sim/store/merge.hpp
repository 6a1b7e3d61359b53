// SPDX-License-Identifier: BSD-3-Clause
// Uniting stores: of the shards of a study, of several studies, or what is left of a damaged one.
#pragma once

#include "sim/base/common.hpp"
#include "sim/store/store.hpp"

namespace tutti::store {

// What can still be read of a damaged store.

struct Salvaged {
  std::optional<std::size_t> lost;  // none: the store no longer tells how many points it had
};

// Shows each point that matches its checksum, once: from both ends towards the damage, then those
// of pages that nothing leads to any more. An error where nothing can be read, and of a store of a
// newer format.
Result<Salvaged> salvage(const std::string& path, const Store::Visit& visit);

// Columns that tell what a simulation cost, and so differ from run to run.
bool is_cost(std::string_view column);

struct Merged {
  std::size_t added = 0;
  std::size_t replaced = 0;    // that had failed, and is done elsewhere
  std::size_t known = 0;       // was there already
  std::size_t lost = 0;        // cannot be read any more (salvage only)
  bool may_lose_more = false;  // a damaged store no longer tells how many points it had
};

// All points, studies and members of the stores `from`, all or nothing. Where both know a point
// they must agree in all but its cost, else it is an error of kind store; a point that is done wins
// over a failed one. `salvage`: damaged stores give what is whole; where they do not tell any more
// which study asked for it, the study "salvaged" does.
Result<Merged> merge(Store& into, const std::vector<std::string>& from, bool salvage);

}  // namespace tutti::store
