// SPDX-License-Identifier: BSD-3-Clause
// What an application communicates, as a TOML file: its calls, and how often it makes each.
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

}  // namespace tutti::studies::tuning
