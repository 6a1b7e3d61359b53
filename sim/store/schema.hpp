// SPDX-License-Identifier: BSD-3-Clause
// The tables of a store, and what tells one from other SQLite files.
#pragma once

#include "sim/store/database.hpp"

namespace tutti::store {

inline constexpr std::int64_t application_id = 0x54555454;  // "TUTT"
inline constexpr std::int64_t schema_version = 1;

// Whether nothing was ever stored: a new file, or one whose making was cut short.
bool is_blank(const Database& database);
// Makes the tables, all or nothing.
void create_schema(Database& database);

// Fails where the file is no store, of a newer version, or its tables are not as they were written.
void check_identity(const Database& database);
void check_schema(const Database& database);
// Must follow each change of a table, in its transaction.
void seal_schema(const Database& database);

// The name as SQL takes it, whatever it is made of.
std::string quoted_name(std::string_view name);

}  // namespace tutti::store
