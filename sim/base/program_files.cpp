// SPDX-License-Identifier: BSD-3-Clause
#include "sim/base/program_files.hpp"

namespace tutti {
namespace {

std::filesystem::path& installation() {
  static std::filesystem::path prefix;
  return prefix;
}

}  // namespace

bool use_installation(const std::filesystem::path& prefix) {
  installation() = prefix;
  return true;
}

std::filesystem::path program_file(const std::filesystem::path& inside) {
  namespace fs = std::filesystem;
  std::error_code error;
  const auto folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const auto& place : {folder, folder.parent_path(), installation()})
    if (!place.empty() && fs::exists(place / inside, error)) return place / inside;
  return folder.parent_path() / inside;
}

}  // namespace tutti
