// SPDX-License-Identifier: BSD-3-Clause
// The rows of the table `points`: written with their checksum, and read with a look at it.
#pragma once

#include "sim/base/common.hpp"
#include "sim/store/database.hpp"
#include "sim/store/schema.hpp"
#include "sim/store/store.hpp"

namespace tutti::store {

// The columns of `points` that hold values: they come as values of a new name do. The type is that
// of the first value; a column that gets one of another type loses its type, so that none is
// changed by what SQLite calls affinity.

enum class ColumnType : unsigned char { boolean, integer, real, text, any };

struct ValueColumn {
  std::string name;
  ColumnType type;
};

// Ordered by name.
std::vector<ValueColumn> load_columns(const Database& database);

// Makes the columns that the values need; true if there was something to do. Values: no empty ones.
bool make_room(const Database& database, const std::vector<ValueColumn>& columns,
               const Row& values);

void bind_cell(Statement& statement, int index, ColumnType type, const Cell& cell);
// What `bind_cell` stored; `into` keeps its memory.
void read_cell(const Statement& statement, int column, ColumnType type, Cell& into);

// As it is stored: values ordered by name, without empty ones; texts in UTF-8. Fails where a number
// is not finite or a name stands twice.
StoredPoint normalised(const StoredPoint& point, const std::string& path);

// Reads points one by one. A snapshot: belongs into a transaction.
class PointReader {
 public:
  // `clause` follows the table's name.
  PointReader(const Database& database, const std::string& clause);

  Statement& query() { return query_; }
  // False at the end. Until then `point` is what `whole` says: whether the row matches its
  // checksum.
  bool next();
  const StoredPoint& point() const { return point_; }
  bool whole() const { return stored_checksum_ == checksum_; }
  std::uint64_t checksum() const { return checksum_; }
  // Fails unless the row is whole.
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

class PointWriter {
 public:
  explicit PointWriter(Database& database) : database_(database) {}
  // In a transaction of its own, or as a part of the open one.
  void put(const StoredPoint& point);
  // After a transaction was rolled back, tables may be others.
  void forget() { columns_.reset(); }

 private:
  void insert(const StoredPoint& point, std::uint64_t checksum);
  void prepare(const Row& values);

  Database& database_;
  std::optional<std::vector<ValueColumn>> columns_;
  std::string insert_sql_;
};

// All points in the order of their keys, each verified, then their number and digest. Shows those
// that belong to a study, or all.
void for_each_point(const Database& database, bool members_only, const Store::Visit& visit);

// The point of that key, verified.
std::optional<StoredPoint> find_point(const Database& database, const std::string& key);

bool has_point(const Database& database, const std::string& key);

// Removes those that belong to no study; returns how many.
std::size_t remove_orphans(Database& database);

}  // namespace tutti::store
