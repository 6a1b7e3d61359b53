// SPDX-License-Identifier: BSD-3-Clause
// A connection to an SQLite file, and its statements. Whatever fails throws a Failure: of kind
// store where the file is damaged or in use, of kind io where it cannot be read or written.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "sim/base/cell.hpp"
#include "sim/store/file_kind.hpp"

namespace tutti::store {

class Database;

class Statement {
 public:
  Statement(const Database& database, const std::string& sql);
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  ~Statement() { sqlite3_finalize(handle_); }

  // Of the parameter `index`, from 1. A text must live until the statement is reset.
  void bind(int index, std::string_view text);
  void bind(int index, std::int64_t number);
  void bind(int index, double number);
  void bind_blob(int index, std::string_view bytes);
  void bind_null(int index);

  template <class... Values>
  Statement& bind_all(const Values&... values) {
    reset();
    int index = 0;
    (bind(++index, values), ...);
    return *this;
  }

  bool step();  // true: to a row
  void reset() { sqlite3_reset(handle_); }
  void finish() {
    while (step()) {
    }
    reset();
  }

  // Of the row, from column 0. Texts live until the next step.
  int storage_class(int column) const { return sqlite3_column_type(handle_, column); }
  std::int64_t integer(int column) const { return sqlite3_column_int64(handle_, column); }
  double real(int column) const { return sqlite3_column_double(handle_, column); }
  std::string_view text(int column) const;

 private:
  const Database& database_;
  sqlite3_stmt* handle_ = nullptr;
};

class Database {
 public:
  enum class Access { read, write, immutable };  // `immutable`: nobody writes; no locks, no files

  Database(const FileKind& kind, std::string path, Access access);
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database();

  const std::string& path() const { return path_; }
  const FileKind& kind() const { return kind_; }

  // All pages as they are, without a look at them, in memory. Its schema may be written.
  std::unique_ptr<Database> copy_in_memory() const;

  // A statement that is prepared once.
  Statement& statement(const std::string& sql) const;
  template <class... Values>
  void run(const std::string& sql, const Values&... values) const {
    statement(sql).bind_all(values...).finish();
  }
  // Once: not kept.
  void execute(const std::string& sql) const { Statement(*this, sql).finish(); }
  // The first column of the only row.
  std::int64_t integer(const std::string& sql) const;

  // More rows than its files have room for.
  std::int64_t most_rows() const;

  int changed_rows() const { return sqlite3_changes(handle_); }
  bool in_transaction() const { return sqlite3_get_autocommit(handle_) == 0; }
  void roll_back() noexcept;

  // For a result code that says that a call failed.
  [[noreturn]] void fail_with(int code) const;
  // `what` says how the damage shows.
  [[noreturn]] void fail_damaged(const std::string& what) const;

 private:
  friend class Statement;
  struct InMemory {};

  // An empty one in memory that goes by the path in messages.
  Database(const FileKind& kind, std::string path, InMemory);

  void configure() const;

  const FileKind& kind_;
  std::string path_;
  sqlite3* handle_ = nullptr;
  mutable std::unordered_map<std::string, std::unique_ptr<Statement>> statements_;
};

// Until `commit`, all or nothing. Inside another one it is a part of that.
class Transaction {
 public:
  enum class Kind { read, write };
  Transaction(Database& database, Kind kind);
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();
  void commit();

 private:
  Database& database_;
  bool outermost_;
};

}  // namespace tutti::store
