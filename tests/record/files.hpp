// SPDX-License-Identifier: BSD-3-Clause
// File access of the recorder.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace tutti::record {

inline bool write_all(int fd, const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t done = ::write(fd, data, size);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return false;
    data += done;
    size -= static_cast<std::size_t>(done);
  }
  return true;
}

inline bool write_file(const std::string& path, const std::string& bytes) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) return false;
  const bool good = write_all(fd, bytes.data(), bytes.size());
  ::close(fd);
  return good;
}

// Calls `take(data, size)` for the blocks of a file between two offsets, and closes it.
template <class Take>
void read_blocks(int fd, off_t from, off_t to, const Take& take) {
  static char block[1 << 16];
  while (from < to) {
    const auto wanted = std::min<off_t>(to - from, sizeof block);
    const ssize_t got = ::pread(fd, block, static_cast<std::size_t>(wanted), from);
    if (got <= 0) break;
    take(block, static_cast<std::size_t>(got));
    from += got;
  }
  ::close(fd);
}

// FNV-1a hash; empty if the file cannot be read.
inline std::string hash_of(const std::string& path, off_t from = 0, off_t to = LONG_MAX) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return {};
  std::uint64_t hash = 0xcbf29ce484222325;
  read_blocks(fd, from, to, [&](const char* data, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i)
      hash = (hash ^ static_cast<unsigned char>(data[i])) * 0x100000001b3;
  });
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

inline bool copy_file(const std::string& source, const std::string& target) {
  const int in = ::open(source.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (in < 0) return false;
  const int out = ::open(target.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  bool good = out >= 0;
  read_blocks(in, 0, LONG_MAX, [&](const char* data, std::size_t size) {
    good = good && write_all(out, data, size);
  });
  if (out >= 0) ::close(out);
  return good;
}

inline std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == 0 ? "/" : path.substr(0, slash);
}

// The path with links resolved; empty if it does not exist.
inline std::string real_path(const std::string& path) {
  char real[PATH_MAX];
  return ::realpath(path.c_str(), real) != nullptr ? real : "";
}

inline std::string working_folder() {
  char folder[PATH_MAX];
  return ::getcwd(folder, sizeof folder) != nullptr ? folder : "/";
}

// Whether it is below a folder for temporary files, but not such a folder itself.
inline bool is_temporary(const std::string& real) {
  const char* own = std::getenv("TMPDIR");
  for (const std::string& root : {std::string("/tmp"), std::string("/dev/shm"),
                                  own != nullptr ? real_path(own) : std::string()})
    if (!root.empty() && real.size() > root.size() + 1 && real.starts_with(root + '/')) return true;
  return false;
}

// Whether another process has it open for writing; then the call did not write it.
inline bool is_open_elsewhere(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return false;
  const bool open = ::fcntl(fd, F_SETLEASE, F_RDLCK) != 0 && errno == EAGAIN;
  ::fcntl(fd, F_SETLEASE, F_UNLCK);
  ::close(fd);
  return open;
}

}  // namespace tutti::record
