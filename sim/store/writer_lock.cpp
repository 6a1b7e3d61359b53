// SPDX-License-Identifier: BSD-3-Clause
#include "sim/store/writer_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <utility>

#include "sim/store/failure.hpp"

namespace tutti::store {
namespace {

constexpr off_t locked_byte = off_t{1} << 40;
constexpr int pause_ms = 20;

using FileId = std::pair<dev_t, ino_t>;

// What this process writes, with the descriptors. It may not open such a file again: closing that
// descriptor would end SQLite's own locks.
std::mutex mutex;
std::map<FileId, int>& written_here() {
  static std::map<FileId, int> files;
  return files;
}

// A lock lives as long as any copy of its descriptor: forked children give theirs up at once, so
// that it ends with the writer.
void give_up_in_children() {
  static const int registered = ::pthread_atfork([] { mutex.lock(); }, [] { mutex.unlock(); },
                                                 [] {
                                                   for (const auto& [file, fd] : written_here())
                                                     ::close(fd);
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

[[noreturn]] void fail_in_use(const FileKind& kind, const std::string& path, const char* who) {
  fail(ErrorKind::store, path, fmt::format("the {} is being written by {}", kind.noun, who),
       std::string(kind.waits));
}

}  // namespace

WriterLock::WriterLock(const FileKind& kind, const std::string& path) : kind_(kind) {
  give_up_in_children();
  const std::lock_guard guard(mutex);
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) {
    if (written_here().count({status.st_dev, status.st_ino}) > 0)
      fail_in_use(kind_, path, "this process");
    if (!S_ISREG(status.st_mode))
      fail(ErrorKind::io, path,
           S_ISDIR(status.st_mode) ? fmt::format("is a folder, no {}", kind_.noun) : "is no file");
  }
  open_file(path);
  try {
    lock(path);
    ::fstat(fd_, &status);
  } catch (...) {
    ::close(fd_);
    throw;
  }
  device_ = status.st_dev;
  file_ = status.st_ino;
  written_here().emplace(FileId{device_, file_}, fd_);
}

void WriterLock::open_file(const std::string& path) {
  fd_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  made_file_ = fd_ >= 0;
  if (fd_ < 0 && errno == EEXIST) fd_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (fd_ < 0)
    fail(ErrorKind::io, path,
         fmt::format("the {} cannot be opened for writing: {}", kind_.noun, std::strerror(errno)));
}

void WriterLock::lock(const std::string& path) {
  struct flock lock = whole_lock();
  for (int waited_ms = 0; ::fcntl(fd_, F_OFD_SETLK, &lock) != 0; waited_ms += pause_ms) {
    if (errno != EACCES && errno != EAGAIN)
      fail(ErrorKind::io, path,
           fmt::format("the {} cannot be locked: {}", kind_.noun, std::strerror(errno)));
    if (waited_ms >= kind_.patience_ms) fail_in_use(kind_, path, "another process");
    ::usleep(pause_ms * 1000);
  }
}

WriterLock::~WriterLock() {
  const std::lock_guard guard(mutex);
  written_here().erase({device_, file_});
  ::close(fd_);
}

}  // namespace tutti::store
