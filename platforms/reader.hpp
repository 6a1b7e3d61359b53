// SPDX-License-Identifier: BSD-3-Clause
// From a SimGrid platform file (DTD 4.1) or a catalog name to a Machine. All numbers are validated
// here, with lines and columns, before an engine sees them.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

// One --set key=value.
struct Override {
  std::string key;
  std::string value;
};

// Its file: `name` is a path (a file that exists wins) or a catalog name, with or without .xml.
Result<std::string> find_machine(const std::string& name);
Result<Machine> load_machine(const std::string& name, const std::vector<Override>& overrides = {});
// `file` is used in messages only.
Result<Machine> read_machine(std::string_view xml, const std::string& file,
                             const std::vector<Override>& overrides = {});

struct CatalogEntry {
  std::string name;
  std::string path;
};
// The platform files of the catalog, sorted and unread: one may be wrong. The catalog is the
// directory TUTTI_CATALOG (an error where that cannot be read), else beside the program
// (share/tutti/catalog; empty where that is missing).
Result<std::vector<CatalogEntry>> catalog();

}  // namespace tutti::platforms
