// SPDX-License-Identifier: BSD-3-Clause
// A temporary file without a name: gone when nobody has it open, however programs end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tutti {

// Failures throw std::system_error.
class UnnamedFile {
 public:
  UnnamedFile();  // in TMPDIR or /tmp
  // In memory: as fast as that, and as scarce.
  static UnnamedFile in_memory();
  // Of a descriptor, which it owns from now on: another process' file.
  explicit UnnamedFile(int descriptor);
  ~UnnamedFile();
  UnnamedFile(UnnamedFile&& other) noexcept;
  UnnamedFile& operator=(UnnamedFile&& other) noexcept;

  // Behind what is there; where it begins.
  std::uint64_t append(const void* data, std::size_t bytes);
  void append(const UnnamedFile& other);
  void read(std::uint64_t offset, void* data, std::size_t bytes) const;

  // All that is there, as long as the file lives and nothing is appended. Empty: there is no room.
  std::span<const std::byte> mapped() const;

  std::uint64_t size() const { return end_; }
  int descriptor() const { return fd_; }  // for passing it on

 private:
  void unmap() const;

  int fd_ = -1;
  std::uint64_t end_ = 0;
  mutable std::span<const std::byte> mapped_;
};

}  // namespace tutti
