// SPDX-License-Identifier: BSD-3-Clause
#include "sim/store/database.hpp"

#include <cerrno>
#include <cstring>

namespace tutti::store {
namespace {

constexpr int patience_ms = 10000;  // while another process recovers or closes the file

// The path as a URI, with special characters escaped. "./" makes ":memory:" the name of a file.
std::string make_uri(const std::string& path, std::string_view parameters) {
  std::string uri = path.starts_with("/") ? "file://" : "file:./";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte > 0x20 && byte < 0x7f && !std::strchr("?#%", c);
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return uri.append(parameters);
}

bool is_full(int code, int system_error) {
  return code == SQLITE_FULL || system_error == ENOSPC || system_error == EDQUOT ||
         system_error == EFBIG;
}

std::string error_cause(int code, int system_error) {
  return system_error != 0 ? std::strerror(system_error) : sqlite3_errstr(code);
}

// A write-ahead log can be read only if SQLite may write to its folder.
std::string log_hint(const std::string& path) {
  std::error_code unknown;
  if (!std::filesystem::exists(path + "-wal", unknown)) return {};
  return fmt::format(
      "a killed writer left its last points in {0}-wal: copy {0} and {0}-wal to a writable folder, "
      "and open the copy",
      printable(std::filesystem::path(path).filename().string()));
}

}  // namespace

Statement::Statement(const Database& database, const std::string& sql) : database_(database) {
  check(sqlite3_prepare_v3(database.handle_, sql.data(), static_cast<int>(sql.size()),
                           SQLITE_PREPARE_PERSISTENT, &handle_, nullptr));
}

void Statement::check(int code) const {
  if (code != SQLITE_OK) database_.fail_with(code);
}

void Statement::bind(int index, std::string_view text) {
  const char* start = text.data() == nullptr ? "" : text.data();
  check(sqlite3_bind_text64(handle_, index, start, text.size(), SQLITE_STATIC, SQLITE_UTF8));
}

void Statement::bind(int index, std::int64_t number) {
  check(sqlite3_bind_int64(handle_, index, number));
}

void Statement::bind(int index, double number) {
  check(sqlite3_bind_double(handle_, index, number));
}

void Statement::bind_blob(int index, std::string_view bytes) {
  check(sqlite3_bind_blob64(handle_, index, bytes.data(), bytes.size(), SQLITE_TRANSIENT));
}

void Statement::bind_null(int index) { check(sqlite3_bind_null(handle_, index)); }

bool Statement::step() {
  errno = 0;  // SQLite does not always keep the error of a write
  const int code = sqlite3_step(handle_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  // Report the error before `reset` clears it.
  try {
    database_.fail_with(code);
  } catch (...) {
    reset();
    throw;
  }
}

std::string_view Statement::text(int column) const {
  const auto* start = static_cast<const char*>(sqlite3_column_blob(handle_, column));
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(handle_, column));
  return start == nullptr ? std::string_view() : std::string_view(start, size);
}

Database::Database(const FileKind& kind, std::string path, Access access)
    : kind_(kind), path_(std::move(path)) {
  const bool immutable = access == Access::immutable;
  const int flags = immutable ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
  const std::string uri = make_uri(path_, immutable ? "?immutable=1" : "");
  const int code = sqlite3_open_v2(
      uri.c_str(), &handle_, flags | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE,
      nullptr);
  try {
    if (code != SQLITE_OK) fail_with(code);
    configure();
    if (access == Access::read) execute("PRAGMA query_only = ON");
  } catch (...) {
    statements_.clear();
    sqlite3_close(handle_);
    throw;
  }
}

Database::Database(const FileKind& kind, std::string path, InMemory)
    : kind_(kind), path_(std::move(path)) {
  const int code = sqlite3_open(":memory:", &handle_);
  if (code == SQLITE_OK) return;
  sqlite3_close(handle_);
  fail(ErrorKind::store, path_, sqlite3_errstr(code));
}

std::unique_ptr<Database> Database::copy_in_memory() const {
  std::unique_ptr<Database> copy(new Database(kind_, path_, InMemory{}));
  auto* backup = sqlite3_backup_init(copy->handle_, "main", handle_, "main");
  if (backup != nullptr) sqlite3_backup_step(backup, -1);
  const int code = backup != nullptr ? sqlite3_backup_finish(backup) : SQLITE_NOMEM;
  if (code != SQLITE_OK) copy->fail_with(code);
  for (const auto option : {SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_VIEW})
    sqlite3_db_config(copy->handle_, option, 0, nullptr);
  copy->execute("PRAGMA cell_size_check = ON");
  copy->execute("PRAGMA writable_schema = ON");
  return copy;
}

Database::~Database() {
  statements_.clear();
  sqlite3_close(handle_);
}

// The file is not trusted: triggers and views are disabled, and cells of its pages are checked.
void Database::configure() const {
  sqlite3_busy_timeout(handle_, patience_ms);
  for (const auto& [option, value] : {std::pair{SQLITE_DBCONFIG_DEFENSIVE, 1},
                                      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                                      {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
                                      {SQLITE_DBCONFIG_ENABLE_VIEW, 0}})
    sqlite3_db_config(handle_, option, value, nullptr);
  execute("PRAGMA cell_size_check = ON");
  execute("PRAGMA synchronous = NORMAL");
}

Statement& Database::statement(const std::string& sql) const {
  auto& slot = statements_[sql];
  if (!slot) slot = std::make_unique<Statement>(*this, sql);
  return *slot;
}

std::int64_t Database::most_rows() const {
  constexpr std::uintmax_t least_row_bytes = 16;
  std::uintmax_t bytes = 0;
  for (const char* file : {"", "-wal"}) {
    std::error_code unknown;
    const auto size = std::filesystem::file_size(path_ + file, unknown);
    if (!unknown) bytes += size;
  }
  return static_cast<std::int64_t>(bytes / least_row_bytes) + 1;
}

std::int64_t Database::integer(const std::string& sql) const {
  Statement query(*this, sql);
  return query.step() ? query.integer(0) : 0;
}

void Database::roll_back() noexcept {
  if (in_transaction()) sqlite3_exec(handle_, "ROLLBACK", nullptr, nullptr, nullptr);
}

void Database::fail_with(int code) const {
  const std::string message = handle_ != nullptr ? sqlite3_errmsg(handle_) : sqlite3_errstr(code);
  const int kept = handle_ != nullptr ? sqlite3_system_errno(handle_) : 0;
  const int system_error = kept != 0 ? kept : errno;
  switch (code & 0xff) {
    case SQLITE_NOMEM:  // damaged files may request any size
      fail(ErrorKind::store, path_, fmt::format("not enough memory to read the {}", kind_.noun),
           "the file may be damaged; otherwise free some memory");
    case SQLITE_NOTADB:
      fail(ErrorKind::store, path_,
           fmt::format("is not a {}, or its header is damaged", kind_.of_tutti));
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      fail(ErrorKind::store, path_, fmt::format("the {} is locked by another process", kind_.noun),
           "try again when it has finished");
    case SQLITE_FULL:
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
    case SQLITE_NOLFS:
      if (is_full(code & 0xff, system_error))
        fail(ErrorKind::io, path_, "cannot be written: the disk is full",
             "stored data is safe; free some space and run the command again");
      fail(ErrorKind::io, path_, "cannot be read or written: " + error_cause(code, system_error),
           log_hint(path_));
    default:
      fail_damaged(message);
  }
}

void Database::fail_damaged(const std::string& what) const {
  store::fail_damaged(kind_, path_, what);
}

Transaction::Transaction(Database& database, Kind kind)
    : database_(database), outermost_(!database.in_transaction()) {
  if (outermost_) database_.run(kind == Kind::write ? "BEGIN IMMEDIATE" : "BEGIN");
}

Transaction::~Transaction() {
  if (outermost_) database_.roll_back();
}

void Transaction::commit() {
  if (outermost_) database_.run("COMMIT");
  outermost_ = false;
}

}  // namespace tutti::store
