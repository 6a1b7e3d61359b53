// SPDX-License-Identifier: BSD-3-Clause
// Rules for storing a parameter set in a database: one set per key is current, the others are its
// history; nothing is overwritten.
#pragma once

#include "sim/base/common.hpp"
#include "sim/params/parameter_database.hpp"

namespace tutti::studies::params {

using store::ParameterDatabase;
using store::ParameterSet;

// True if larger values are better: bandwidths ("..._Bps", "..._bps") and rates ("..._per_s").
bool is_more_better(const std::string& metric);
// True for bandwidths, rates, times ("..._s", "..._ms", "..._us", "..._ns") and sizes
// ("..._bytes").
bool is_never_negative(const std::string& metric);

enum class Kept : unsigned char {
  added,     // it is the first set of its key
  replaces,  // it replaces the previous set as the current one
  known,     // the same set is already stored
  worse,     // the previous set is better, so this one is stored as history
};

struct KeptSet {
  Kept kept = Kept::added;
  std::int64_t number = 0;  // of the new set, or of the identical stored one
  std::int64_t before = 0;  // number of the previously current set; 0: none
};

// Adds the set. Of two sets of one key, the better one is current if they have the same metric,
// else the newer one. With `replaces` the newer one is current in any case.
Result<KeptSet> keep(ParameterDatabase& database, const ParameterSet& set, bool replaces = false);

// Removes sets. If the current set of a key is removed, the best one of its history becomes
// current.
std::optional<Error> discard(ParameterDatabase& database, const std::vector<std::int64_t>& numbers);

struct MergedSets {
  std::size_t added = 0;
  std::size_t replaced = 0;
  std::size_t known = 0;
  std::size_t worse = 0;
  std::size_t retired = 0;  // intersection: keys that only one database has, or without a common
                            // parameter
};

// Adds all sets of `from`, including history, by the rules of `keep`; all or nothing.
Result<MergedSets> unite(ParameterDatabase& into, const std::vector<ParameterSet>& from);
// OTPO's intersection of results: for each key in both databases, keeps the parameters with equal
// values. Other sets become history; all or nothing.
Result<MergedSets> intersect(ParameterDatabase& into, const std::vector<ParameterSet>& from);

}  // namespace tutti::studies::params
