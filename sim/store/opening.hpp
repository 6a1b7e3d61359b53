// SPDX-License-Identifier: BSD-3-Clause
// From a path to a connection, in the way that file and folder allow.
#pragma once

#include <sys/types.h>

#include "sim/base/common.hpp"
#include "sim/store/database.hpp"

namespace tutti::store {

// One writer at a time: a lock on a byte of the file far behind all that SQLite locks or writes, of
// a kind that SQLite's own unlocking leaves alone. It ends with the process, whatever its children
// do.

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

// Of a file that is there; works beside a writer, and where nothing may be written.
std::unique_ptr<Database> open_for_reading(const FileKind& kind, const std::string& path);
// The same, whatever the file says of itself.
std::unique_ptr<Database> open_unchecked(const FileKind& kind, const std::string& path);

// The caller holds the writer's lock. A new or empty file becomes one of that kind, one of an older
// version is upgraded.
std::unique_ptr<Database> open_for_writing(const FileKind& kind, const std::string& path);

// Nothing stays of a file that could not be made: neither it nor what SQLite keeps beside it.
void remove_new_file(const std::string& path);

}  // namespace tutti::store
