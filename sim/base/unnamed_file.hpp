// SPDX-License-Identifier: BSD-3-Clause
// A temporary file without a name. It disappears when no process has it open, even after a crash.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tutti {

// Failures throw std::system_error.
class UnnamedFile {
 public:
  UnnamedFile();  // in TMPDIR or /tmp
  // Creates the file in memory.
  static UnnamedFile in_memory();
  // Takes ownership of a descriptor, for example of a file of another process.
  explicit UnnamedFile(int descriptor);
  ~UnnamedFile();
  UnnamedFile(UnnamedFile&& other) noexcept;
  UnnamedFile& operator=(UnnamedFile&& other) noexcept;

  // Appends data; returns the offset at which it begins.
  std::uint64_t append(const void* data, std::size_t bytes);
  void append(const UnnamedFile& other);
  void read(std::uint64_t offset, void* data, std::size_t bytes) const;

  // Maps the whole file. Valid until data is appended or this object is destroyed. Empty if mapping
  // fails.
  std::span<const std::byte> mapped() const;

  std::uint64_t size() const { return end_; }
  int descriptor() const { return fd_; }  // for passing it to another process

 private:
  void unmap() const;

  int fd_ = -1;
  std::uint64_t end_ = 0;
  mutable std::span<const std::byte> mapped_;
};

}  // namespace tutti
