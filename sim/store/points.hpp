// SPDX-License-Identifier: BSD-3-Clause
// The rows of the table `points`, written with a checksum that is verified when they are read.
#pragma once

#include "sim/base/common.hpp"
#include "sim/store/database.hpp"
#include "sim/store/schema.hpp"
#include "sim/store/store.hpp"

namespace tutti::store {

// The value columns of `points`. A column is added with the first value of its name, and has the
// type of that value. When a value of another type follows, the column becomes untyped, so that
// SQLite's type affinity changes no value.
enum class ColumnType : unsigned char { boolean, integer, real, text, any };

struct ValueColumn {
  std::string name;
  ColumnType type;
};

// The value columns, ordered by name.
std::vector<ValueColumn> load_columns(const Database& database);

// Adds the columns that the values need; true if something changed. No value may be empty.
bool add_columns(const Database& database, const std::vector<ValueColumn>& columns,
                 const Row& values);

void bind_cell(Statement& statement, int index, ColumnType type, const Cell& cell);
// Reads a value that `bind_cell` stored; reuses the memory of `into`.
void read_cell(const Statement& statement, int column, ColumnType type, Cell& into);

// Returns the point in stored form: values ordered by name, without empty ones; texts in UTF-8.
// Fails if a number is not finite or a name is duplicate.
StoredPoint normalize(const StoredPoint& point, const std::string& path);

// Reads points one by one. Must be used in a transaction, so that it reads a snapshot.
class PointReader {
 public:
  // `clause` follows the table's name.
  PointReader(const Database& database, const std::string& clause);

  Statement& query() { return query_; }
  // False at the end.
  bool next();
  const StoredPoint& point() const { return point_; }
  // Whether the current row matches its checksum.
  bool whole() const { return stored_checksum_ == checksum_; }
  std::uint64_t checksum() const { return checksum_; }
  // Fails unless the current row matches its checksum.
  void require_whole() const;

 private:
  void read_row();

  const Database& database_;
  std::vector<ValueColumn> columns_;
  Statement query_;
  StoredPoint point_;
  std::uint64_t checksum_ = 0;
  std::optional<std::uint64_t> stored_checksum_;
};

// Writes points. It keeps the list of value columns from one point to the next.
class PointWriter {
 public:
  explicit PointWriter(Database& database) : database_(database) {}
  // Adds or replaces a point, in a transaction of its own or as part of an open one.
  void put(const StoredPoint& point);
  // Forgets the columns. Call it after a rollback: it may change them.
  void forget() { columns_.reset(); }

 private:
  void insert(const StoredPoint& point, std::uint64_t checksum);
  void prepare(const Row& values);

  Database& database_;
  std::optional<std::vector<ValueColumn>> columns_;
  std::string insert_sql_;
};

// Visits points in the order of their keys: all, or only members of a study. Verifies each one, and
// at the end their number and digest.
void for_each_point(const Database& database, bool members_only, const Store::Visit& visit);

// The point of that key, verified.
std::optional<StoredPoint> find_point(const Database& database, const std::string& key);

bool has_point(const Database& database, const std::string& key);

// Removes points that belong to no study, and returns their number.
std::size_t remove_orphans(Database& database);

}  // namespace tutti::store
