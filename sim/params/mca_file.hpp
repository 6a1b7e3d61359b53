// SPDX-License-Identifier: BSD-3-Clause
// Open MPI's mca-params.conf: lines "name = value", '#' comments.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/base/result.hpp"
#include "sim/params/parameter_set.hpp"

namespace tutti::studies::params {

// `comments`: lines for its head, without '#'.
std::string mca_file_text(const std::vector<store::NamedText>& settings,
                          const std::vector<std::string>& comments);
// A name that stands again has the later value, as in Open MPI.
Result<std::vector<store::NamedText>> read_mca_file(std::string_view text, std::string_view file);

// Assignments for a shell: export OMPI_MCA_name=value.
std::string mca_variable(const std::string& name);

}  // namespace tutti::studies::params
