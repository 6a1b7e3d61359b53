// SPDX-License-Identifier: BSD-3-Clause
// Where the machines that come with the program are.

#include <cstdlib>

#include "platforms/reader.hpp"
#include "sim/base/beside_program.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {
namespace {

namespace fs = std::filesystem;

// Null: not set.
const char* chosen_directory() {
  const char* chosen = std::getenv("TUTTI_CATALOG");
  return chosen != nullptr && *chosen != '\0' ? chosen : nullptr;
}

fs::path catalog_directory() {
  if (const char* chosen = chosen_directory()) return chosen;
  return beside_program("share/tutti/catalog");
}

}  // namespace

Result<std::vector<CatalogEntry>> catalog() {
  std::error_code error;
  fs::directory_iterator it(catalog_directory(), error);
  if (const char* chosen = chosen_directory(); error && chosen != nullptr)
    return make_error(ErrorKind::usage, "TUTTI_CATALOG",
                      fmt::format("{} is not a directory that can be read: {}", in_quotes(chosen),
                                  error.message()),
                      "unset it for the catalog that comes with the program");
  std::vector<CatalogEntry> entries;
  for (const fs::directory_iterator end; !error && it != end; it.increment(error))
    if (std::error_code ignored; it->path().extension() == ".xml" && it->is_regular_file(ignored))
      entries.push_back({it->path().stem().string(), it->path().string()});
  std::sort(entries.begin(), entries.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return entries;
}

}  // namespace tutti::platforms
