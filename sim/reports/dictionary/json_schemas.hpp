// SPDX-License-Identifier: BSD-3-Clause
// Generates the JSON Schemas of all documents from the declared members and the dictionary.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::reports {

struct JsonSchema {
  std::string name;  // "fit.check", without the version of "sim.fit.check/1"
  std::string text;
};

// `declarations` is the text of dictionary/documents.txt.
std::vector<JsonSchema> json_schemas(std::string_view declarations);

}  // namespace tutti::reports
