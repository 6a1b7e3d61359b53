// SPDX-License-Identifier: BSD-3-Clause
// Everything that a store says about itself, held against what is there.
#pragma once

#include "sim/store/database.hpp"
#include "sim/store/store.hpp"

namespace tutti::store {

// Fails at the first thing that is wrong: pages, tables, points, studies, members.
StoreSize verify(Database& database);

}  // namespace tutti::store
