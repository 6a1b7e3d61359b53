// SPDX-License-Identifier: BSD-3-Clause
// The tables of our files, and what tells them from other SQLite files.
#pragma once

#include "sim/store/database.hpp"

namespace tutti::store {

// Whether nothing was ever stored: a new file, or one whose making was cut short.
bool is_blank(const Database& database);
// Makes the tables, all or nothing.
void create_schema(Database& database);

// Fails where the file is not of its kind, of a newer version, or its tables are not as they were
// written.
void check_identity(const Database& database);
// Fails where a newer version wrote it.
void check_not_newer(const Database& database);
void check_schema(const Database& database);
// Brings an older version to the newest, all or nothing.
void upgrade(Database& database);
// Must follow each change of a table, in its transaction.
void seal_schema(const Database& database);

// The name as SQL takes it, whatever it is made of.
std::string quoted_name(std::string_view name);

}  // namespace tutti::store
