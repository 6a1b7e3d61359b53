// SPDX-License-Identifier: BSD-3-Clause
// A connection to an SQLite file, and its statements. Whatever fails throws a Failure: of kind
// store where the file is damaged or in use, of kind io where it cannot be read or written.
#pragma once

#include <sqlite3.h>

#include "sim/base/common.hpp"

namespace tutti::store {

// What tells one kind of our SQLite files from others, and how messages speak of it.

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
  std::span<const char* const> tables;   // SQL that makes them; one is `meta` of schema.hpp
  std::span<const char* const> counted;  // names of tables that have a digest
  // Brings the tables from `version` to the next one, in the transaction that the caller opened.
  void (*upgrade)(Database& database, std::int64_t version) = nullptr;
};

// Of results: what `sim sweep` writes.
extern const FileKind result_store;

// How this folder's own functions fail: they throw what the functions of Store catch and return.

struct Failure {
  Error error;
};

[[noreturn]] inline void fail(ErrorKind kind, const std::string& path, std::string message,
                              std::string hint = "") {
  throw Failure{make_error(kind, path, std::move(message), std::move(hint))};
}

// `what` says how it shows.
[[noreturn]] inline void fail_damaged(const FileKind& kind, const std::string& path,
                                      const std::string& what) {
  std::string hint(kind.salvages);
  if (const auto at = hint.find("{}"); at != std::string::npos) hint.replace(at, 2, path);
  fail(ErrorKind::store, path, "the " + std::string(kind.noun) + " is damaged: " + what, hint);
}

// Calls `run` and gives what it returns, or the error that it threw.
template <class T, class Run>
T caught(const Run& run) {
  try {
    return run();
  } catch (const Failure& failure) {
    return failure.error;
  }
}

// Calls `run`; the error that it threw, or nothing.
template <class Run>
std::optional<Error> error_of(const Run& run) {
  return caught<std::optional<Error>>([&]() -> std::optional<Error> {
    run();
    return std::nullopt;
  });
}

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
