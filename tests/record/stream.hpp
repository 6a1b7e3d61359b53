// SPDX-License-Identifier: BSD-3-Clause
// Standard output or error of a recorded program: passed to it unchanged, and read afterwards.
#pragma once

#include <poll.h>
#include <sys/mman.h>

#include "tests/record/files.hpp"

namespace tutti::record {

// A closed descriptor stays closed for the program, but must not become a file of the recorder.
inline void occupy_closed_descriptors() {
  for (const int fd : {0, 1, 2})
    if (::fcntl(fd, F_GETFD) < 0) ::open("/dev/null", O_RDWR | O_CLOEXEC);
}
inline bool is_occupied(int fd) { return (::fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0; }

class Stream {
 public:
  // `one` is recorded already, and may be the same file.
  Stream(int fd, const Stream* one) : fd_(fd) {
    struct stat status {};
    if (is_occupied(fd) || ::fstat(fd, &status) != 0) return;
    device_ = status.st_dev;
    inode_ = status.st_ino;
    if (one != nullptr && one->device_ == device_ && one->inode_ == inode_ &&
        !S_ISCHR(status.st_mode)) {
      kind_ = "as stdout";
      given_ = one->given_;
    } else if (S_ISREG(status.st_mode)) {
      kind_ = "file";
      const bool appends = (::fcntl(fd, F_GETFL) & O_APPEND) != 0;
      start_ = appends ? status.st_size : ::lseek(fd, 0, SEEK_CUR);
    } else if (S_ISFIFO(status.st_mode) && has_reader()) {
      int ends[2];
      if (::pipe2(ends, O_CLOEXEC) != 0) return;
      kind_ = "pipe";
      source_ = ends[0];
      given_ = ends[1];
      ::fcntl(source_, F_SETFL, O_NONBLOCK);
    } else if (S_ISCHR(status.st_mode) && status.st_rdev == device_of_null()) {
      given_ = ::memfd_create("nothing", MFD_CLOEXEC);
      if (given_ >= 0) kind_ = "null";
    }
  }

  void give() const {
    if (given_ >= 0) ::dup2(given_, fd_);
  }
  void close_given() {
    if (source_ >= 0) ::close(given_);
  }
  int source() const { return source_; }
  const std::string& kind() const { return kind_; }
  bool is_same_file(const struct stat& status) const {
    return inode_ != 0 && status.st_dev == device_ && status.st_ino == inode_;
  }

  // Passes on the content of the pipe. If the reader closed its end, the program sees that, too.
  void pump() {
    char block[1 << 16];
    while (source_ >= 0) {
      const ssize_t got = ::read(source_, block, sizeof block);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return;
      if (got > 0) text_.append(block, static_cast<std::size_t>(got));
      if (got > 0 && write_all(fd_, block, static_cast<std::size_t>(got))) continue;
      if (got > 0) kind_ = "cut pipe";
      ::close(source_);
      source_ = -1;
    }
  }

  void save(const std::string& path) {
    if (kind_ == "file" || kind_ == "null") {
      const int from = kind_ == "file" ? fd_ : given_;
      struct stat status {};
      ::fstat(from, &status);
      const bool appends = (::fcntl(from, F_GETFL) & O_APPEND) != 0;
      const off_t end = appends ? status.st_size : ::lseek(from, 0, SEEK_CUR);
      const int fd =
          ::open(("/proc/self/fd/" + std::to_string(from)).c_str(), O_RDONLY | O_CLOEXEC);
      if (fd >= 0)
        read_blocks(fd, start_, end,
                    [&](const char* data, std::size_t size) { text_.append(data, size); });
    }
    if (!text_.empty()) write_file(path, text_);
  }

 private:
  static dev_t device_of_null() {
    struct stat status {};
    return ::stat("/dev/null", &status) == 0 ? status.st_rdev : 0;
  }
  bool has_reader() const {
    pollfd end{fd_, POLLOUT, 0};
    return ::poll(&end, 1, 0) >= 0 && (end.revents & POLLERR) == 0;
  }

  int fd_;
  std::string kind_ = "not recorded";
  dev_t device_ = 0;
  ino_t inode_ = 0;
  off_t start_ = 0;
  int given_ = -1;   // passed to the program instead of the descriptor
  int source_ = -1;  // the other end of given_, if it is a pipe
  std::string text_;
};

}  // namespace tutti::record
