// SPDX-License-Identifier: BSD-3-Clause
#include "sim/store/opening.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <mutex>
#include <new>

#include "sim/base/file_roles.hpp"
#include "sim/store/schema.hpp"

namespace tutti::store {
namespace {

constexpr off_t locked_byte = off_t{1} << 40;
constexpr int pause_ms = 20;

using FileId = std::pair<dev_t, ino_t>;

// The files that this process writes, with their descriptors. They must not be opened again:
// closing the second descriptor would release SQLite's locks.
std::mutex mutex;
std::map<FileId, int>& files_written_here() {
  static std::map<FileId, int> files;
  return files;
}

// A lock lives as long as any copy of its descriptor. Forked children close their copies at once,
// so that the lock ends with the writer.
void give_up_in_children() {
  static const int registered =
      ::pthread_atfork([] { mutex.lock(); }, [] { mutex.unlock(); },
                       [] {
                         for (const auto& [file, fd] : files_written_here()) ::close(fd);
                         mutex.unlock();
                       });
  if (registered != 0) throw std::bad_alloc();
}

struct flock whole_lock() {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = locked_byte;
  lock.l_len = 1;
  return lock;
}

// Fails if the file is not a regular one.
void check_regular(const FileKind& kind, const std::string& path, const struct stat& status,
                   ErrorKind error) {
  if (S_ISREG(status.st_mode)) return;
  fail(error, path,
       S_ISDIR(status.st_mode) ? fmt::format("is a folder, not a {}", kind.noun)
                               : "is not a regular file");
}

[[noreturn]] void fail_in_use(const FileKind& kind, const std::string& path, const char* who) {
  fail(ErrorKind::store, path, fmt::format("the {} is being written by {}", kind.noun, who),
       std::string(kind.waits));
}

namespace fs = std::filesystem;

// Rejects pipes: opening one would wait for a writer.
void check_file(const FileKind& kind, const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0)
    fail(ErrorKind::input, path,
         fmt::format("cannot open the {}: {}", kind.noun, std::strerror(errno)));
  check_regular(kind, path, status, ErrorKind::input);
  if (status.st_size == 0)
    fail(ErrorKind::store, path, fmt::format("the {} is empty", kind.of_tutti),
         std::string(kind.fills));
}

// True for a file that is smaller than the smallest page; SQLite treats it as empty.
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

WriterLock::WriterLock(const FileKind& kind, const std::string& path) : kind_(kind) {
  give_up_in_children();
  const std::lock_guard guard(mutex);
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) {
    if (files_written_here().count({status.st_dev, status.st_ino}) > 0)
      fail_in_use(kind_, path, "this process");
    check_regular(kind_, path, status, ErrorKind::io);
  }
  open_file(path);
  try {
    lock(path);
    ::fstat(fd_, &status);
  } catch (...) {
    ::close(fd_);
    release_signals();
    throw;
  }
  device_ = status.st_dev;
  file_ = status.st_ino;
  files_written_here().emplace(FileId{device_, file_}, fd_);
}

void WriterLock::open_file(const std::string& path) {
  sigset_t ends, before;
  ::sigemptyset(&ends);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&ends, signal);
  ::pthread_sigmask(SIG_BLOCK, &ends, &before);
  signals_before_ = before;
  fd_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  made_file_ = fd_ >= 0;
  if (!made_file_) release_signals();
  if (fd_ < 0 && errno == EEXIST) fd_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (fd_ < 0)
    fail(ErrorKind::io, path,
         fmt::format("cannot open the {} for writing: {}", kind_.noun, std::strerror(errno)));
}

void WriterLock::release_signals() {
  if (signals_before_) ::pthread_sigmask(SIG_SETMASK, &*signals_before_, nullptr);
  signals_before_.reset();
}

void WriterLock::lock(const std::string& path) {
  struct flock lock = whole_lock();
  for (int waited_ms = 0; ::fcntl(fd_, F_OFD_SETLK, &lock) != 0; waited_ms += pause_ms) {
    if (errno != EACCES && errno != EAGAIN)
      fail(ErrorKind::io, path,
           fmt::format("cannot lock the {}: {}", kind_.noun, std::strerror(errno)));
    if (waited_ms >= kind_.patience_ms) fail_in_use(kind_, path, "another process");
    ::usleep(pause_ms * 1000);
  }
}

WriterLock::~WriterLock() {
  {
    const std::lock_guard guard(mutex);
    files_written_here().erase({device_, file_});
    ::close(fd_);
  }
  release_signals();
}

std::unique_ptr<Database> open_unchecked(const FileKind& kind, const std::string& path) {
  check_file(kind, path);
  if (auto error = register_input(path)) throw Failure{*std::move(error)};
  const bool immutable = !can_be_written(path) && !has_log(path);
  return std::make_unique<Database>(
      kind, path, immutable ? Database::Access::immutable : Database::Access::read);
}

std::unique_ptr<Database> open_for_reading(const FileKind& kind, const std::string& path) {
  auto database = open_unchecked(kind, path);
  Transaction snapshot(*database, Transaction::Kind::read);  // consistent while another writes
  check_identity(*database);
  check_schema(*database);
  snapshot.commit();
  return database;
}

std::unique_ptr<Database> open_for_writing(const FileKind& kind, const std::string& path) {
  auto database = std::make_unique<Database>(kind, path, Database::Access::write);
  const bool is_new = is_blank(*database);
  if (is_new && is_rest(path)) database->fail_damaged("only a fragment of it is left");
  if (!is_new) check_identity(*database);
  database->execute("PRAGMA journal_mode = WAL");
  // Every checkpoint waits for the disk, so they are 16 MiB apart.
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
