// SPDX-License-Identifier: BSD-3-Clause
// sim schemas FOLDER, for the build: writes the JSON Schemas of the documents that standard input
// declares (sim/reports/dictionary/documents.txt).
#include "sim/base/output_file.hpp"
#include "sim/base/text_file.hpp"
#include "sim/commands/command.hpp"
#include "sim/reports/dictionary/json_schemas.hpp"

namespace tutti::commands {
namespace {

Result<int> run_schemas(const Arguments& folder, Diagnostics&) {
  if (folder.size() != 1)
    return usage_error("", "sim schemas requires one folder",
                       "the installed JSON Schemas are in share/tutti/schemas");
  const std::string declarations = TUTTI_TRY(read_standard_input());
  for (const auto& [name, text] : reports::json_schemas(declarations))
    if (auto error = write_file(fmt::format("{}/{}.json", folder.front(), name), text))
      return *error;
  return 0;
}

}  // namespace

extern const Command schemas_command{.name = "schemas", .run = run_schemas};

}  // namespace tutti::commands
