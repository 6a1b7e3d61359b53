// SPDX-License-Identifier: BSD-3-Clause
// What a study takes from other files: OTPO's parameters, and what an application communicates, its
// calls and how often it makes each, as a TOML file:
//
//   format = "tutti-profile/1"
//   [profile]   application = "sweep3d", category = "wavefront", problem_size = 150
//   [[call]]    workload = "allreduce", message_size = "8B", count = 120
//               and other options of `sim run`; what is not said is the study's [job]
#pragma once

#include "sim/tune/tune_file.hpp"

namespace tutti::studies::tuning {

// Adds a profile's calls to the objectives, and whose they are. `path` is the place of errors.
std::vector<Error> add_profile(TuneFile& file, const std::string& text, const std::string& path,
                               const std::vector<StudyOption>& options);

// Adds those of the file that `file.otpo_file` names, whose content is `text`. `path` is the place
// of errors.
std::vector<Error> add_otpo_parameters(TuneFile& file, const std::string& text,
                                       const std::string& path,
                                       const std::vector<StudyOption>& options);

}  // namespace tutti::studies::tuning
