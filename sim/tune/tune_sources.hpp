// SPDX-License-Identifier: BSD-3-Clause
// Adds parts of a study from other files: OTPO's parameters, and an application's profile, its
// calls and their counts, as a TOML file:
//
//   format = "tutti-profile/1"
//   [profile]   application = "sweep3d", category = "wavefront", problem_size = 150
//   [[call]]    workload = "allreduce", message_size = "8B", count = 120
//               and other options of `sim run`; missing ones come from the study's [base]
#pragma once

#include "sim/tune/tune_file.hpp"

namespace tutti::studies::tuning {

// Adds a profile's calls to the objectives, and the application's name. `path` is the place of
// errors.
std::vector<Error> add_profile(TuneFile& file, const std::string& text, const std::string& path,
                               const std::vector<StudyOption>& options);

// Adds the parameters of the file `file.otpo_file` with content `text`. `path` is the place of
// errors.
std::vector<Error> add_otpo_parameters(TuneFile& file, const std::string& text,
                                       const std::string& path,
                                       const std::vector<StudyOption>& options);

}  // namespace tutti::studies::tuning
