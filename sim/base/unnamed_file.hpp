// SPDX-License-Identifier: BSD-3-Clause
// A temporary file without a name, in TMPDIR or /tmp: gone when the program ends, however it does.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tutti {

// Failures throw std::system_error.
class UnnamedFile {
 public:
  UnnamedFile();
  ~UnnamedFile();
  UnnamedFile(const UnnamedFile&) = delete;
  UnnamedFile& operator=(const UnnamedFile&) = delete;

  // Behind what is there; where it begins.
  std::uint64_t append(const void* data, std::size_t bytes);
  void read(std::uint64_t offset, void* data, std::size_t bytes) const;

 private:
  int fd_ = -1;
  std::uint64_t end_ = 0;
};

}  // namespace tutti
