// SPDX-License-Identifier: BSD-3-Clause
// The tables of our files, and what tells them from other SQLite files.
#pragma once

#include <charconv>

#include "sim/base/common.hpp"
#include "sim/store/database.hpp"
#include "sim/store/store.hpp"

namespace tutti::store {

// Checksums over what a store holds (XXH3, 64 bits): the same on every machine.

// How many rows a table has, and their checksums together: a row that is lost, or is there twice,
// shows. Kept in the table `meta`, in the transaction that changes the rows.

// Nothing where the text is not 16 lower-case hex digits.
inline std::optional<std::uint64_t> read_hex16(std::string_view text) {
  if (text.size() != 16 || text.find_first_not_of("0123456789abcdef") != std::string_view::npos)
    return std::nullopt;
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number, 16);
  return number;
}

struct Digest {
  std::int64_t rows = 0;
  std::uint64_t hash = 0;  // the exclusive or of the rows' checksums

  void add(std::uint64_t checksum) { ++rows, hash ^= checksum; }
  void remove(std::uint64_t checksum) { --rows, hash ^= checksum; }
  bool operator==(const Digest&) const = default;
};

// Of a table ("points"), as it was written.
Digest load_digest(const Database& database, const std::string& name);
void save_digest(const Database& database, const std::string& name, const Digest& digest);
// Fails unless `seen` is what was written.
void check_digest(const Database& database, const std::string& name, const Digest& seen);

// Over the key, the status and all values with their names and types. The values must be ordered
// by name, and none may be empty.
std::uint64_t row_checksum(const StoredPoint& point);

// Over texts, each with its length.
std::uint64_t texts_checksum(const std::vector<std::string_view>& texts);

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
