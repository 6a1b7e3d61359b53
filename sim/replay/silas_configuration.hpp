// SPDX-License-Identifier: BSD-3-Clause
// Configurations of SILAS as hypotheses (its thesis, Table 4.1 and Section 4.5):
//
//   MODEL "Reenact"                      the model and its options have no effect (with a note),
//     OPTION "idle overhead" 5e-06       except for
//     OPTION "compensate perturbation" 2e-07   seconds per event
//   BALANCE REGION "foo"                 OPTION "mode" "global instance" (default),
//                                        "process-local", "global" or "scaled"
//   SCALE REGION "bar" 0.5
//   CUT REGION "foo"
//   CUT MESSAGE SIZE == 0                SIZE or TAG; ==, !=, <, <=, >, >=
//
// Line ends are only significant for comments, which begin with #.
#pragma once

#include "sim/base/common.hpp"
#include "sim/replay/hypothesis.hpp"

namespace tutti::studies::replay {

// Whether the text is a SILAS configuration: the first line that is not blank or a comment begins
// with a word in capitals that has no value, as it would in TOML.
bool is_silas_configuration(const std::string& text);
// Errors are located in `path`.
Result<Hypothesis> read_silas_configuration(const std::string& text, const std::string& path);

}  // namespace tutti::studies::replay
