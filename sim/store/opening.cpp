// SPDX-License-Identifier: BSD-3-Clause
#include "sim/store/opening.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "sim/base/file_roles.hpp"
#include "sim/store/failure.hpp"
#include "sim/store/schema.hpp"

namespace tutti::store {
namespace {

namespace fs = std::filesystem;

// Opening a pipe would wait for a writer.
void check_file(const FileKind& kind, const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0)
    fail(ErrorKind::input, path,
         fmt::format("cannot open the {}: {}", kind.noun, std::strerror(errno)));
  if (!S_ISREG(status.st_mode))
    fail(ErrorKind::input, path,
         S_ISDIR(status.st_mode) ? fmt::format("is a folder, no {}", kind.noun) : "is no file");
  if (status.st_size == 0)
    fail(ErrorKind::store, path, fmt::format("is empty, no {}", kind.of_tutti),
         std::string(kind.fills));
}

// Less than the smallest page, which SQLite takes for an empty file.
bool is_rest(const std::string& path) {
  std::error_code failed;
  const auto size = fs::file_size(path, failed);
  return !failed && size > 0 && size < 512;
}

bool can_be_written(const std::string& path) {
  std::error_code failed;
  const fs::path file = fs::canonical(path, failed);
  return !failed && ::access(file.c_str(), W_OK) == 0 &&
         ::access(file.parent_path().c_str(), W_OK | X_OK) == 0;
}

bool has_log(const std::string& path) {
  std::error_code failed;
  const fs::path file = fs::canonical(path, failed);
  const auto size = fs::file_size(file.string() + "-wal", failed);
  return !failed && size > 0;
}

}  // namespace

std::unique_ptr<Database> open_unchecked(const FileKind& kind, const std::string& path) {
  check_file(kind, path);
  if (auto error = register_input(path)) throw Failure{*std::move(error)};
  const bool immutable = !can_be_written(path) && !has_log(path);
  return std::make_unique<Database>(
      kind, path, immutable ? Database::Access::immutable : Database::Access::read);
}

std::unique_ptr<Database> open_for_reading(const FileKind& kind, const std::string& path) {
  auto database = open_unchecked(kind, path);
  Transaction snapshot(*database, Transaction::Kind::read);  // beside a writer
  check_identity(*database);
  check_schema(*database);
  snapshot.commit();
  return database;
}

std::unique_ptr<Database> open_for_writing(const FileKind& kind, const std::string& path) {
  auto database = std::make_unique<Database>(kind, path, Database::Access::write);
  const bool is_new = is_blank(*database);
  if (is_new && is_rest(path)) database->fail_damaged("hardly anything of it is left");
  if (!is_new) check_identity(*database);
  database->execute("PRAGMA journal_mode = WAL");
  // Each checkpoint waits for the disk: 16 MiB apart.
  database->execute("PRAGMA wal_autocheckpoint = 4096");
  if (is_new) create_schema(*database);
  check_schema(*database);
  upgrade(*database);
  return database;
}

void remove_new_file(const std::string& path) {
  for (const char* end : {"", "-wal", "-shm", "-journal"}) ::unlink((path + end).c_str());
}

}  // namespace tutti::store
