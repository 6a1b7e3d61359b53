// SPDX-License-Identifier: BSD-3-Clause
// One parameter set as a TOML file, written by a search and read by `sim params put`:
//
//   format = "tutti-params/1"
//   [key]         host, application, build, category, collective (strings); procs, nodes,
//                 message_bytes, problem_size (numbers); all optional
//   [parameters]  "mpi/eager_limit" = "24KiB", btl_openib_free_list_num = 8, ...
//   [metric]      time_s = 0.0012        (one; optional)
//   [metadata]    how it was found: search = "halving", evaluations = 31, ... (optional)
#pragma once

#include "sim/base/common.hpp"
#include "sim/params/parameter_set.hpp"

namespace tutti::studies::params {

std::string settings_file_text(const store::ParameterSet& set,
                               const std::vector<std::string>& comments = {});
// `path` is the place of errors.
Result<store::ParameterSet> read_settings_file(const std::string& text, const std::string& path);
// True if the text declares the format "tutti-params/1".
bool is_settings_file(const std::string& text);

}  // namespace tutti::studies::params
