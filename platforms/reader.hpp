// SPDX-License-Identifier: BSD-3-Clause
// Reads a SimGrid platform file (DTD 4.1), or one of the catalog, into a Machine. All numbers are
// validated here, with lines and columns in errors, before an engine sees them.
#pragma once

#include "platforms/background.hpp"
#include "platforms/machine.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

// One --set key=value.
struct Override {
  std::string key;
  std::string value;
};

// Returns the path of a platform: `name` is a path (an existing file takes precedence) or a catalog
// name, with or without .xml.
Result<std::string> find_machine(const std::string& name);
// `jobs` simulates the jobs of a background; commands pass it with studies::load_machine.
Result<Machine> load_machine(const std::string& name, const std::vector<Override>& overrides = {},
                             TrafficOfJobs jobs = nullptr);
// `file` is used only in messages.
Result<Machine> read_machine(std::string_view xml, const std::string& file,
                             const std::vector<Override>& overrides = {},
                             TrafficOfJobs jobs = nullptr);

struct CatalogEntry {
  std::string name;
  std::string path;
};
// The platform files of the catalog, sorted by name, without reading them (they may be invalid).
// The catalog is the directory TUTTI_CATALOG (an error if it cannot be read), else
// share/tutti/catalog of the installation (empty if it is missing).
Result<std::vector<CatalogEntry>> catalog();

}  // namespace tutti::platforms
