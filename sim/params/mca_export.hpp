// SPDX-License-Identifier: BSD-3-Clause
// Our parameters as those that a version of Open MPI reads. Only names that it has are ever given.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/params/mca_names.hpp"
#include "sim/params/parameter_set.hpp"

namespace tutti::studies::tuning {

using store::NamedText;

// A value that Open MPI reads: sizes as bytes ("24KiB" is "24576"), others as they are.
std::string mca_value(const std::string& value);

struct McaExport {
  std::vector<NamedText> settings;  // for that version, each name once
  std::vector<NamedText> left_out;  // name, and why
  std::vector<std::string> notes;   // what was written under another name or value
};

// What of `parameters` that version can be told. `network` is one of networks_of.
McaExport mca_settings(const std::vector<NamedText>& parameters, OpenMpi version,
                       std::string_view network);

}  // namespace tutti::studies::tuning
