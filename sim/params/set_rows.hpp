// SPDX-License-Identifier: BSD-3-Clause
// The rows of a set of parameters: written with their checksum, and read with a look at it.
#pragma once

#include <vector>

#include "sim/params/parameter_set.hpp"
#include "sim/store/database.hpp"

namespace tutti::store {

// In transactions of their own, or as parts of the open one.
std::int64_t add_set(Database& database, ParameterSet set);
void replace_set(Database& database, const ParameterSet& set);
void remove_set(Database& database, std::int64_t number);

// All of them, verified, by number. Belongs into a transaction.
std::vector<ParameterSet> load_sets(const Database& database);
// Those that are whole, from both ends towards the damage.
std::vector<ParameterSet> load_whole_sets(const Database& database);

}  // namespace tutti::store
