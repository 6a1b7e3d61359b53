// SPDX-License-Identifier: BSD-3-Clause
// A connection to an SQLite file, and its statements. Errors throw a Failure: of kind store if the
// file is damaged or in use, of kind io if it cannot be read or written.
#pragma once

#include <sqlite3.h>

#include "sim/base/common.hpp"

namespace tutti::store {

class Database;

// A kind of SQLite file: how it is identified, and its wording in messages.
struct FileKind {
  std::int64_t application_id = 0;
  std::int64_t version = 1;             // of the tables; older versions are upgraded
  std::int64_t oldest_version = 1;      // the first version that existed
  std::string_view noun;                // "store": "the store is damaged"
  std::string_view of_tutti;            // "Tutti store": "is not a Tutti store"
  std::string_view makes;               // hint if the file is of another kind: "`...` creates one"
  std::string_view fills;               // hint if the file is empty
  std::string_view salvages;            // hint if the file is damaged; "{}" is replaced by its path
  std::string_view waits;               // hint if another process writes the file
  int patience_ms = 500;                // how long to wait for another writer
  std::span<const char* const> tables;  // SQL that creates the tables; one is `meta` of schema.hpp
  std::span<const char* const> counted;  // names of the tables that have a digest
  // Upgrades the tables from `version` to the next one, in a transaction opened by the caller.
  void (*upgrade)(Database& database, std::int64_t version) = nullptr;
};

// The result store that `sim sweep` writes.
extern const FileKind result_store;

// Functions of this folder throw a Failure; the public functions of Store catch and return it.
struct Failure {
  Error error;
};

[[noreturn]] inline void fail(ErrorKind kind, const std::string& path, std::string message,
                              std::string hint = "") {
  throw Failure{make_error(kind, path, std::move(message), std::move(hint))};
}

// Throws the Failure of a damaged file; `what` describes the symptom.
[[noreturn]] inline void fail_damaged(const FileKind& kind, const std::string& path,
                                      const std::string& what) {
  std::string hint(kind.salvages);
  if (const auto at = hint.find("{}"); at != std::string::npos) hint.replace(at, 2, path);
  fail(ErrorKind::store, path, "the " + std::string(kind.noun) + " is damaged: " + what, hint);
}

// Calls `run`, and returns its result or the error that it threw.
template <class T, class Run>
T caught(const Run& run) {
  try {
    return run();
  } catch (const Failure& failure) {
    return failure.error;
  }
}

// Calls `run`, and returns the error that it threw, if any.
template <class Run>
std::optional<Error> error_of(const Run& run) {
  return caught<std::optional<Error>>([&]() -> std::optional<Error> {
    run();
    return std::nullopt;
  });
}

class Database;

// A prepared statement. The database must outlive it.
class Statement {
 public:
  Statement(const Database& database, const std::string& sql);
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  ~Statement() { sqlite3_finalize(handle_); }

  // Binds the parameter `index`, counted from 1. A text must live until the statement is reset.
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

  bool step();  // true if there is a row
  void reset() { sqlite3_reset(handle_); }
  void finish() {
    while (step()) {
    }
    reset();
  }

  // Values of the current row; columns count from 0. Texts live until the next step.
  int storage_class(int column) const { return sqlite3_column_type(handle_, column); }
  std::int64_t integer(int column) const { return sqlite3_column_int64(handle_, column); }
  double real(int column) const { return sqlite3_column_double(handle_, column); }
  std::string_view text(int column) const;

 private:
  // Fails unless the result code of SQLite is that of success.
  void check(int code) const;

  const Database& database_;
  sqlite3_stmt* handle_ = nullptr;
};

// An open connection.
class Database {
 public:
  // `immutable` assumes that no process writes the file, and uses no locks and no extra files.
  enum class Access { read, write, immutable };

  Database(const FileKind& kind, std::string path, Access access);
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database();

  const std::string& path() const { return path_; }
  const FileKind& kind() const { return kind_; }

  // Copies all pages into memory without checking them. The schema of the copy may be written.
  std::unique_ptr<Database> copy_in_memory() const;

  // A prepared statement, cached by its text.
  Statement& statement(const std::string& sql) const;
  template <class... Values>
  void run(const std::string& sql, const Values&... values) const {
    statement(sql).bind_all(values...).finish();
  }
  // Executes a statement without caching it.
  void execute(const std::string& sql) const { Statement(*this, sql).finish(); }
  // The first column of the first row; 0 if there is none.
  std::int64_t integer(const std::string& sql) const;

  // An upper bound of the number of rows, from the size of the files.
  std::int64_t most_rows() const;

  int changed_rows() const { return sqlite3_changes(handle_); }
  bool in_transaction() const { return sqlite3_get_autocommit(handle_) == 0; }
  void roll_back() noexcept;

  // Throws the Failure for an SQLite result code.
  [[noreturn]] void fail_with(int code) const;
  // `what` describes the symptom of the damage.
  [[noreturn]] void fail_damaged(const std::string& what) const;

 private:
  friend class Statement;
  struct InMemory {};

  // An empty database in memory; messages use `path`.
  Database(const FileKind& kind, std::string path, InMemory);

  void configure() const;

  const FileKind& kind_;
  std::string path_;
  sqlite3* handle_ = nullptr;
  mutable std::unordered_map<std::string, std::unique_ptr<Statement>> statements_;
};

// Rolls back unless committed. A nested transaction is part of the outer one.
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
