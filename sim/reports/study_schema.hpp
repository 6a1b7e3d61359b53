// SPDX-License-Identifier: BSD-3-Clause
// The JSON Schema (draft 2020-12) of study files, from the declarations of their options: for
// editors that complete and check TOML, as Taplo and Even Better TOML do.
#pragma once

#include "sim/base/common.hpp"
#include "sim/studies/study_file.hpp"

namespace tutti::reports {

// Ends with a newline.
std::string study_schema(const std::vector<studies::StudyOption>& options);

}  // namespace tutti::reports
