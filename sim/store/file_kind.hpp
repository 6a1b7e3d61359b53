// SPDX-License-Identifier: BSD-3-Clause
// What tells one kind of our SQLite files from others, and how messages speak of it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace tutti::store {

class Database;

struct FileKind {
  std::int64_t application_id = 0;
  std::int64_t version = 1;              // of its tables; older ones are upgraded
  std::int64_t oldest_version = 1;       // that there ever was
  std::string_view noun;                 // "store": "the store is damaged"
  std::string_view of_tutti;             // "store of Tutti": "is no store of Tutti"
  std::string_view makes;                // hint where it is none: "`...` makes one"
  std::string_view fills;                // hint where it is empty
  std::string_view salvages;             // hint where it is damaged; the path stands for "{}"
  std::string_view waits;                // hint where another process writes it
  int patience_ms = 500;                 // how long to wait for another writer
  std::span<const char* const> tables;   // SQL that makes them; one is `meta` of digest.hpp
  std::span<const char* const> counted;  // names of tables that have a digest
  // Brings the tables from `version` to the next one, in the transaction that the caller opened.
  void (*upgrade)(Database& database, std::int64_t version) = nullptr;
};

// Of results: what `sim sweep` writes.
extern const FileKind result_store;

}  // namespace tutti::store
