// SPDX-License-Identifier: BSD-3-Clause
// The tables of Tutti's SQLite files, and how the files are identified.
#pragma once

#include <charconv>

#include "sim/base/common.hpp"
#include "sim/store/database.hpp"
#include "sim/store/store.hpp"

namespace tutti::store {

// Checksums cover the contents of a store (XXH3, 64 bits). They are the same on every machine.

// Reads the number in 16 lower-case hex digits; unset for any other text.
inline std::optional<std::uint64_t> read_hex16(std::string_view text) {
  if (text.size() != 16 || text.find_first_not_of("0123456789abcdef") != std::string_view::npos)
    return std::nullopt;
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number, 16);
  return number;
}

// Number of rows of a table and their combined checksum; they reveal a missing or duplicate row.
// They are stored in the table `meta`, in the transaction that changes the rows.
struct Digest {
  std::int64_t rows = 0;
  std::uint64_t hash = 0;  // exclusive or of the rows' checksums

  void add(std::uint64_t checksum) { ++rows, hash ^= checksum; }
  void remove(std::uint64_t checksum) { --rows, hash ^= checksum; }
  bool operator==(const Digest&) const = default;
};

// The stored digest of a table ("points").
Digest load_digest(const Database& database, const std::string& name);
void save_digest(const Database& database, const std::string& name, const Digest& digest);
// Fails unless `seen` equals the stored digest.
void check_digest(const Database& database, const std::string& name, const Digest& seen);

// Checksum of the key, the status and all values with their names and types. The values must be
// ordered by name, and none may be empty.
std::uint64_t row_checksum(const StoredPoint& point);

// Checksum of texts, each with its length.
std::uint64_t texts_checksum(const std::vector<std::string_view>& texts);

// Whether nothing has been stored: a new file, or one whose creation was interrupted.
bool is_blank(const Database& database);
// Creates the tables, all or nothing.
void create_schema(Database& database);

// Fails if the file is of another kind, or of a newer version.
void check_identity(const Database& database);
// Fails if a newer version wrote the file.
void check_not_newer(const Database& database);
// Fails if the definitions of the tables have been changed from outside.
void check_schema(const Database& database);
// Upgrades an older version to the current one, all or nothing.
void upgrade(Database& database);
// Must be called after each change of a table's definition, in the same transaction.
void seal_schema(const Database& database);

// The name quoted for SQL; it may contain any characters.
std::string quoted_name(std::string_view name);

}  // namespace tutti::store
