// SPDX-License-Identifier: BSD-3-Clause
#include "sim/base/unnamed_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace tutti {
namespace {

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

int open_unnamed() {
  const char* requested = std::getenv("TMPDIR");
  const std::string folder = requested != nullptr && *requested != '\0' ? requested : "/tmp";
  int fd = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (fd >= 0) return fd;
  std::string name = folder + "/tutti-XXXXXX";  // for file systems without O_TMPFILE
  fd = ::mkostemp(name.data(), O_CLOEXEC);
  if (fd < 0) fail("cannot create a temporary file");
  ::unlink(name.c_str());
  return fd;
}

}  // namespace

UnnamedFile::UnnamedFile() : fd_(open_unnamed()) {}

UnnamedFile::UnnamedFile(int descriptor) : fd_(descriptor) {
  struct stat status {};
  if (::fstat(fd_, &status) == 0) {
    end_ = static_cast<std::uint64_t>(status.st_size);
  } else {
    const int error = errno;
    if (fd_ >= 0) ::close(fd_);
    errno = error;
    fail("cannot use a temporary file");
  }
}

UnnamedFile UnnamedFile::in_memory() {
  const int fd = ::memfd_create("tutti", MFD_CLOEXEC);
  if (fd < 0) fail("cannot create a file in memory");
  return UnnamedFile(fd);
}

UnnamedFile::~UnnamedFile() {
  unmap();
  if (fd_ >= 0) ::close(fd_);
}

UnnamedFile::UnnamedFile(UnnamedFile&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      end_(std::exchange(other.end_, 0)),
      mapped_(std::exchange(other.mapped_, {})) {}

UnnamedFile& UnnamedFile::operator=(UnnamedFile&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(end_, other.end_);
  std::swap(mapped_, other.mapped_);
  return *this;
}

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

void UnnamedFile::append(const UnnamedFile& other) {
  std::vector<char> buffer(std::size_t{256} << 10);
  for (std::uint64_t at = 0; at < other.end_;) {
    const std::size_t bytes = std::min<std::uint64_t>(buffer.size(), other.end_ - at);
    other.read(at, buffer.data(), bytes);
    append(buffer.data(), bytes);
    at += bytes;
  }
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

std::span<const std::byte> UnnamedFile::mapped() const {
  if (mapped_.size() == end_) return mapped_;
  unmap();
  void* const begin = ::mmap(nullptr, end_, PROT_READ, MAP_SHARED, fd_, 0);
  if (begin == MAP_FAILED) return {};
  mapped_ = {static_cast<const std::byte*>(begin), end_};
  return mapped_;
}

void UnnamedFile::unmap() const {
  if (!mapped_.empty()) ::munmap(const_cast<std::byte*>(mapped_.data()), mapped_.size());
  mapped_ = {};
}

}  // namespace tutti
