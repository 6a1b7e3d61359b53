// SPDX-License-Identifier: BSD-3-Clause
// Where the machines that come with the program are.
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "platforms/reader.hpp"

namespace tutti::platforms {
namespace {

namespace fs = std::filesystem;

// Beside the program in the build tree, beside its bin/ when installed.
fs::path catalog_directory() {
  if (const char* chosen = std::getenv("TUTTI_CATALOG"); chosen != nullptr && *chosen != '\0')
    return chosen;
  std::error_code error;
  const auto program = fs::read_symlink("/proc/self/exe", error).parent_path();
  const fs::path inside = fs::path("share") / "tutti" / "catalog";
  return fs::is_directory(program / inside, error) ? program / inside
                                                   : program.parent_path() / inside;
}

}  // namespace

std::vector<CatalogEntry> catalog() {
  std::vector<CatalogEntry> entries;
  std::error_code error;
  for (fs::directory_iterator it(catalog_directory(), error), end; !error && it != end;
       it.increment(error))
    if (it->path().extension() == ".xml")
      entries.push_back({it->path().stem().string(), it->path().string()});
  std::sort(entries.begin(), entries.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return entries;
}

}  // namespace tutti::platforms
