// SPDX-License-Identifier: BSD-3-Clause
// One writer at a time: a lock on a byte of the file far behind all that SQLite locks or writes, of
// a kind that SQLite's own unlocking leaves alone. It ends with the process, whatever its children
// do.
#pragma once

#include <sys/types.h>

#include <string>

#include "sim/store/file_kind.hpp"

namespace tutti::store {

class WriterLock {
 public:
  // Makes the file if it is missing. Fails if it is no regular file, or another writes it for
  // longer than its kind waits.
  WriterLock(const FileKind& kind, const std::string& path);
  WriterLock(const WriterLock&) = delete;
  WriterLock& operator=(const WriterLock&) = delete;
  // Must come after the SQLite connection is closed: closing any descriptor of a file ends all
  // locks that the process has on it.
  ~WriterLock();

  bool made_file() const { return made_file_; }

 private:
  void open_file(const std::string& path);
  void lock(const std::string& path);

  const FileKind& kind_;
  int fd_ = -1;
  bool made_file_ = false;
  dev_t device_ = 0;
  ino_t file_ = 0;
};

}  // namespace tutti::store
