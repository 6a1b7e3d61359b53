// SPDX-License-Identifier: BSD-3-Clause
// Configurations of SILAS as hypotheses (its thesis, Table 4.1 and Section 4.5):
//
//   MODEL "Reenact"                      with options of its own: without meaning here, and told
//     OPTION "idle overhead" 5e-06
//     OPTION "compensate perturbation" 2e-07   seconds an event: this one has a meaning
//   BALANCE REGION "foo"                 OPTION "mode" "global instance" (default),
//   "process-local",
//                                        "global" or "scaled"
//   SCALE REGION "bar" 0.5
//   CUT REGION "foo"
//   CUT MESSAGE SIZE == 0                SIZE or TAG; ==, !=, <, <=, >, >=
//
// Line ends mean nothing, but to comments: from # on.
#pragma once

#include "sim/base/common.hpp"
#include "sim/replay/hypothesis.hpp"

namespace tutti::studies::replay {

// Its first line that says something begins with a word in capitals, and gives it no value as TOML
// would.
bool is_silas_configuration(const std::string& text);
// `path` is the place of errors.
Result<Hypothesis> read_silas_configuration(const std::string& text, const std::string& path);

}  // namespace tutti::studies::replay
