// SPDX-License-Identifier: BSD-3-Clause
#include "sim/store/schema.hpp"

#include <fmt/format.h>

#include "sim/store/digest.hpp"
#include "sim/store/failure.hpp"
#include "sim/store/row_checksum.hpp"

namespace tutti::store {
namespace {

constexpr const char* digest_name = "tables";

// `members` begins with the key: it is read in the order of `points`.
constexpr const char* tables[] = {
    "CREATE TABLE points (key TEXT NOT NULL PRIMARY KEY, status TEXT NOT NULL, "
    "checksum TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE studies (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, "
    "description TEXT NOT NULL, toml TEXT NOT NULL, command TEXT NOT NULL, "
    "version TEXT NOT NULL, simgrid_version TEXT NOT NULL, started TEXT NOT NULL)",
    "CREATE TABLE members (key TEXT NOT NULL, study TEXT NOT NULL, PRIMARY KEY (key, study)) "
    "WITHOUT ROWID",
    "CREATE TABLE meta (name TEXT NOT NULL PRIMARY KEY, rows INTEGER NOT NULL, "
    "digest TEXT NOT NULL) WITHOUT ROWID"};

Digest digest_of_schema(const Database& database) {
  Statement query(database, "SELECT type, name, tbl_name, sql FROM sqlite_schema");
  Digest digest;
  while (query.step())
    digest.add(texts_checksum({query.text(0), query.text(1), query.text(2), query.text(3)}));
  return digest;
}

}  // namespace

bool is_blank(const Database& database) {
  return database.integer("PRAGMA application_id") == 0 &&
         database.integer("PRAGMA user_version") == 0 &&
         database.integer("SELECT count(*) FROM sqlite_schema") == 0;
}

void create_schema(Database& database) {
  Transaction transaction(database, Transaction::Kind::write);
  for (const char* table : tables) database.execute(table);
  for (const char* name : {"points", "members", "studies"}) save_digest(database, name, {});
  seal_schema(database);
  database.execute(fmt::format("PRAGMA application_id = {}", application_id));
  database.execute(fmt::format("PRAGMA user_version = {}", schema_version));
  transaction.commit();
}

void check_identity(const Database& database) {
  if (database.integer("PRAGMA application_id") != application_id)
    fail(ErrorKind::store, database.path(), "is no store of Tutti",
         "`sim sweep STUDY.toml --store FILE` makes one");
  const auto version = database.integer("PRAGMA user_version");
  if (version > schema_version)
    fail(ErrorKind::store, database.path(),
         fmt::format("the store has format {}, this Tutti knows {}", version, schema_version),
         "a newer Tutti wrote it: use that one");
  if (version != schema_version)
    fail_damaged(database.path(), fmt::format("there is no format {}", version));
}

void check_schema(const Database& database) {
  if (load_digest(database, digest_name) != digest_of_schema(database))
    fail_damaged(database.path(), "its tables are not as they were made");
}

void seal_schema(const Database& database) {
  save_digest(database, digest_name, digest_of_schema(database));
}

std::string quoted_name(std::string_view name) {
  std::string quoted = "\"";
  for (const char c : name) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

}  // namespace tutti::store
