// SPDX-License-Identifier: BSD-3-Clause
// Merges stores: the shards of a study, several studies, or the intact part of a damaged store.
#pragma once

#include "sim/base/common.hpp"
#include "sim/store/store.hpp"

namespace tutti::store {

// The result of the recovery of a damaged store.
struct Salvaged {
  std::optional<std::size_t> lost;  // nothing if the store's count of points is unreadable
};

// Visits each point that matches its checksum once: from both ends towards the damage, then on
// pages that are no longer reachable. Fails if nothing can be read, or if a newer version wrote the
// store.
Result<Salvaged> salvage(const std::string& path, const Store::Visit& visit);

// Whether the column has the cost of a simulation, so that its values differ from run to run.
bool is_cost(std::string_view column);

struct Merged {
  std::size_t added = 0;
  std::size_t replaced = 0;    // failed points replaced by completed ones
  std::size_t known = 0;       // points that were already stored
  std::size_t lost = 0;        // unreadable points (salvage only)
  bool may_lose_more = false;  // the count of points of a damaged store is unreadable
};

// Merges all points, studies and members of the stores `from`, all or nothing. Results of a point
// in several stores must agree except for its cost, else the error is of kind store; a completed
// point replaces a failed one. `salvage` merges the intact points of damaged stores; if their study
// is unreadable, they become members of the study "salvaged".
Result<Merged> merge(Store& into, const std::vector<std::string>& from, bool salvage);

}  // namespace tutti::store
