// SPDX-License-Identifier: BSD-3-Clause
#include "sim/store/schema.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "sim/base/hash.hpp"

namespace tutti::store {

Digest load_digest(const Database& database, const std::string& name) {
  auto& query = database.statement("SELECT rows, digest FROM meta WHERE name = ?");
  query.bind_all(name);
  if (!query.step()) database.fail_damaged("the number of its " + name + " is missing");
  const auto hash = read_hex16(query.text(1));
  const Digest digest{query.integer(0), hash.value_or(0)};
  query.reset();
  if (!hash) database.fail_damaged("the checksum of its " + name + " is unreadable");
  return digest;
}

void save_digest(const Database& database, const std::string& name, const Digest& digest) {
  database.run("INSERT OR REPLACE INTO meta VALUES (?, ?, ?)", name, digest.rows,
               hex16(digest.hash));
}

void check_digest(const Database& database, const std::string& name, const Digest& seen) {
  const Digest written = load_digest(database, name);
  if (seen.rows != written.rows)
    database.fail_damaged(fmt::format("found {} {}, expected {}", seen.rows, name, written.rows));
  if (seen.hash != written.hash)
    database.fail_damaged("its " + name + " do not match their checksum");
}

namespace {

void add(std::string& bytes, std::uint64_t number) {
  char raw[8];
  for (int i = 0; i < 8; ++i) raw[i] = static_cast<char>(number >> (8 * i));
  bytes.append(raw, sizeof raw);
}

void add(std::string& bytes, std::string_view text) {
  add(bytes, text.size());
  bytes += text;
}

void add(std::string& bytes, const Cell& cell) {
  bytes += static_cast<char>(cell.index());
  if (const auto* flag = std::get_if<bool>(&cell))
    bytes += static_cast<char>(*flag);
  else if (const auto* number = std::get_if<std::int64_t>(&cell))
    add(bytes, static_cast<std::uint64_t>(*number));
  else if (const auto* real = std::get_if<double>(&cell))
    add(bytes, std::bit_cast<std::uint64_t>(*real));
  else if (const auto* text = std::get_if<std::string>(&cell))
    add(bytes, std::string_view(*text));
}

std::uint64_t hash_bytes(const std::string& bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

constexpr const char* tables_digest = "tables";

// The primary key of `members` begins with the point's key: it is read in the order of `points`.
constexpr const char* result_tables[] = {
    "CREATE TABLE points (key TEXT NOT NULL PRIMARY KEY, status TEXT NOT NULL, checksum TEXT NOT "
    "NULL) WITHOUT ROWID",
    "CREATE TABLE studies (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, description TEXT "
    "NOT NULL, toml TEXT NOT NULL, command TEXT NOT NULL, version TEXT NOT NULL, simgrid_version "
    "TEXT NOT NULL, started TEXT NOT NULL)",
    "CREATE TABLE members (key TEXT NOT NULL, study TEXT NOT NULL, PRIMARY KEY (key, study)) "
    "WITHOUT ROWID",
    "CREATE TABLE meta (name TEXT NOT NULL PRIMARY KEY, rows INTEGER NOT NULL, digest TEXT NOT "
    "NULL) WITHOUT ROWID"};

constexpr const char* counted_results[] = {"points", "members", "studies"};

Digest schema_digest(const Database& database) {
  Statement query(database, "SELECT type, name, tbl_name, sql FROM sqlite_schema");
  Digest digest;
  while (query.step())
    digest.add(texts_checksum({query.text(0), query.text(1), query.text(2), query.text(3)}));
  return digest;
}

void set_version(const Database& database, std::int64_t version) {
  database.execute(fmt::format("PRAGMA user_version = {}", version));
}

}  // namespace

std::uint64_t row_checksum(const StoredPoint& point) {
  thread_local std::string bytes;  // reuses its memory: there are many rows
  bytes.clear();
  add(bytes, std::string_view(point.key));
  bytes += static_cast<char>(point.status);
  for (const auto& cell : point.values) {
    add(bytes, std::string_view(cell.name));
    add(bytes, cell.value);
  }
  return hash_bytes(bytes);
}

std::uint64_t texts_checksum(const std::vector<std::string_view>& texts) {
  std::string bytes;
  for (const auto text : texts) add(bytes, text);
  return hash_bytes(bytes);
}

const FileKind result_store{
    .application_id = 0x54555454,  // "TUTT"
    .noun = "store",
    .of_tutti = "Tutti store",
    .makes = "`sim sweep STUDY.toml --store FILE` creates one",
    .fills = "`sim sweep STUDY.toml --store FILE` adds points",
    .salvages = "`sim store merge -o NEW.db --salvage {}` recovers the intact points",
    .waits = "wait until it has finished, or use another --store; `sim store merge` merges stores",
    // A child of a killed writer may still keep the lock for a moment.
    .patience_ms = 500,
    .tables = result_tables,
    .counted = counted_results};

bool is_blank(const Database& database) {
  return database.integer("PRAGMA application_id") == 0 &&
         database.integer("PRAGMA user_version") == 0 &&
         database.integer("SELECT count(*) FROM sqlite_schema") == 0;
}

void create_schema(Database& database) {
  Transaction transaction(database, Transaction::Kind::write);
  const FileKind& kind = database.kind();
  for (const char* table : kind.tables) database.execute(table);
  for (const char* name : kind.counted) save_digest(database, name, {});
  seal_schema(database);
  database.execute(fmt::format("PRAGMA application_id = {}", kind.application_id));
  set_version(database, kind.version);
  transaction.commit();
}

void check_identity(const Database& database) {
  const FileKind& kind = database.kind();
  if (is_blank(database))
    fail(ErrorKind::store, database.path(), fmt::format("the {} is empty", kind.of_tutti),
         std::string(kind.fills));
  if (database.integer("PRAGMA application_id") != kind.application_id)
    fail(ErrorKind::store, database.path(), fmt::format("is not a {}", kind.of_tutti),
         std::string(kind.makes));
  check_not_newer(database);
  const auto version = database.integer("PRAGMA user_version");
  if (version < kind.oldest_version)
    database.fail_damaged(fmt::format("unknown format {}", version));
}

void check_not_newer(const Database& database) {
  const FileKind& kind = database.kind();
  const auto version = database.integer("PRAGMA user_version");
  if (version > kind.version)
    fail(ErrorKind::store, database.path(),
         fmt::format("the {} has format {}; this version of Tutti supports up to {}", kind.noun,
                     version, kind.version),
         "use the newer version of Tutti that wrote it");
}

void upgrade(Database& database) {
  if (database.integer("PRAGMA user_version") == database.kind().version) return;
  Transaction transaction(database, Transaction::Kind::write);
  for (auto version = database.integer("PRAGMA user_version"); version < database.kind().version;
       ++version) {
    database.kind().upgrade(database, version);
    seal_schema(database);
    set_version(database, version + 1);
  }
  transaction.commit();
}

void check_schema(const Database& database) {
  if (load_digest(database, tables_digest) != schema_digest(database))
    database.fail_damaged("the definitions of its tables were changed");
}

void seal_schema(const Database& database) {
  save_digest(database, tables_digest, schema_digest(database));
}

std::string quoted_name(std::string_view name) {
  std::string quoted = "\"";
  for (const char c : name) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

}  // namespace tutti::store
