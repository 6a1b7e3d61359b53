// SPDX-License-Identifier: BSD-3-Clause
#include "sim/base/unnamed_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

namespace tutti {
namespace {

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

int open_unnamed() {
  const char* asked = std::getenv("TMPDIR");
  const std::string folder = asked != nullptr && *asked != '\0' ? asked : "/tmp";
  int fd = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (fd >= 0) return fd;
  std::string name = folder + "/tutti-XXXXXX";  // file systems without O_TMPFILE
  fd = ::mkostemp(name.data(), O_CLOEXEC);
  if (fd < 0) fail("cannot make a temporary file");
  ::unlink(name.c_str());
  return fd;
}

}  // namespace

UnnamedFile::UnnamedFile() : fd_(open_unnamed()) {}
UnnamedFile::~UnnamedFile() { ::close(fd_); }

std::uint64_t UnnamedFile::append(const void* data, std::size_t bytes) {
  const std::uint64_t begin = end_;
  const char* at = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t written = ::pwrite(fd_, at, bytes, static_cast<off_t>(end_));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("cannot write a temporary file");
    at += written;
    end_ += static_cast<std::uint64_t>(written);
    bytes -= static_cast<std::size_t>(written);
  }
  return begin;
}

void UnnamedFile::read(std::uint64_t offset, void* data, std::size_t bytes) const {
  char* at = static_cast<char*>(data);
  while (bytes > 0) {
    const ssize_t got = ::pread(fd_, at, bytes, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got == 0) errno = EIO;
    if (got <= 0) fail("cannot read a temporary file");
    at += got;
    offset += static_cast<std::uint64_t>(got);
    bytes -= static_cast<std::size_t>(got);
  }
}

}  // namespace tutti
