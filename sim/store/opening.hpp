// SPDX-License-Identifier: BSD-3-Clause
// Opens a connection to a file in the way that permissions of file and folder allow.
#pragma once

#include <sys/types.h>

#include <csignal>

#include "sim/base/common.hpp"
#include "sim/store/database.hpp"

namespace tutti::store {

// Ensures one writer at a time, by an open-file-description lock on a byte far beyond those that
// SQLite locks or writes. SQLite's own unlocking does not release it. It ends with the process,
// independent of its children.
class WriterLock {
 public:
  // Creates a missing file. Fails if it is not a regular file, or if another writer does not finish
  // within `kind.patience_ms`.
  WriterLock(const FileKind& kind, const std::string& path);
  WriterLock(const WriterLock&) = delete;
  WriterLock& operator=(const WriterLock&) = delete;
  // Must come after the SQLite connection is closed: closing any descriptor of a file ends all
  // locks that the process has on it.
  ~WriterLock();

  bool made_file() const { return made_file_; }
  // Releases the signals, once the caller has initialized the file. Until then, SIGINT, SIGTERM and
  // SIGHUP wait if this object created the file, so that they leave no file without content.
  void release_signals();

 private:
  void open_file(const std::string& path);
  void lock(const std::string& path);

  const FileKind& kind_;
  int fd_ = -1;
  bool made_file_ = false;
  std::optional<sigset_t> signals_before_;  // set while signals wait
  dev_t device_ = 0;
  ino_t file_ = 0;
};

// Opens an existing file and checks its kind and schema. Works while another process writes, and
// without write permission.
std::unique_ptr<Database> open_for_reading(const FileKind& kind, const std::string& path);
// Opens an existing file for reading without checks.
std::unique_ptr<Database> open_unchecked(const FileKind& kind, const std::string& path);

// Requires the writer's lock. Initializes a new or empty file, and upgrades an older version.
std::unique_ptr<Database> open_for_writing(const FileKind& kind, const std::string& path);

// Removes a file that could not be initialized, and SQLite's auxiliary files.
void remove_new_file(const std::string& path);

}  // namespace tutti::store
