// SPDX-License-Identifier: BSD-3-Clause
// What becomes of a set that comes to a database: of each key one set is current, others are its
// history; nothing is overwritten.
#pragma once

#include "sim/base/common.hpp"
#include "sim/params/parameter_database.hpp"

namespace tutti::studies::params {

using store::ParameterDatabase;
using store::ParameterSet;

// True where larger values are better: bandwidths ("..._Bps") and rates ("..._per_s").
bool is_more_better(const std::string& metric);
// True of times ("..._s"), those and sizes ("..._bytes").
bool is_never_negative(const std::string& metric);

enum class Kept : unsigned char {
  added,     // the first of its key
  replaces,  // takes the place of the one before
  known,     // the same is there already
  worse,     // the one before is better: this one is history
};

struct KeptSet {
  Kept kept = Kept::added;
  std::int64_t number = 0;  // its own, or that of the one that is known
  std::int64_t before = 0;  // the set that was current; 0: none
};

// Adds the set. Of two of a key with the same metric the better one is current, else the newer;
// `replaces`: the newer in any case.
Result<KeptSet> keep(ParameterDatabase& database, const ParameterSet& set, bool replaces = false);

// Removes sets. Where a key's current one is among them, the best of its history takes the place.
std::optional<Error> discard(ParameterDatabase& database, const std::vector<std::int64_t>& numbers);

struct MergedSets {
  std::size_t added = 0;
  std::size_t replaced = 0;
  std::size_t known = 0;
  std::size_t worse = 0;
  std::size_t retired = 0;  // intersection: keys that are not in both, or share no parameter
};

// All sets of `from`, history too, as `keep` has it; all or nothing.
Result<MergedSets> unite(ParameterDatabase& into, const std::vector<ParameterSet>& from);
// What both agree on (OTPO's intersection of results): of each key that both have, the parameters
// with equal values. Others become history; all or nothing.
Result<MergedSets> intersect(ParameterDatabase& into, const std::vector<ParameterSet>& from);

}  // namespace tutti::studies::params
