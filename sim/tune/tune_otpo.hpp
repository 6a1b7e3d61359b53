// SPDX-License-Identifier: BSD-3-Clause
// OTPO's parameters as those of a study.
#pragma once

#include "sim/tune/tune_file.hpp"

namespace tutti::studies::tuning {

// Adds those of the file that `file.otpo_file` names, whose content is `text`. `path` is the place
// of errors.
std::vector<Error> add_otpo_parameters(TuneFile& file, const std::string& text,
                                       const std::string& path,
                                       const std::vector<StudyOption>& options);

}  // namespace tutti::studies::tuning
