// SPDX-License-Identifier: BSD-3-Clause
#include "sim/base/beside_program.hpp"

namespace tutti {

std::filesystem::path beside_program(const std::filesystem::path& inside) {
  namespace fs = std::filesystem;
  std::error_code error;
  const auto folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  return fs::exists(folder / inside, error) ? folder / inside : folder.parent_path() / inside;
}

}  // namespace tutti
