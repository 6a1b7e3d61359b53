// SPDX-License-Identifier: BSD-3-Clause
// SimGrid's keys that Tutti reads: what SimGrid 3.32 accepts, and what SMPI assumes.
#pragma once

#include "platforms/parameters/values.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

// A parameter of messages between nodes, mpi/NAME, under SMPI's name and that of SimGrid's other
// network models.
struct SimgridNames {
  std::string_view name;
  std::string_view smpi;
  std::string_view network = "";
};
// Null for other parameters.
const SimgridNames* simgrid_names(std::string_view name);

// Whether one of SMPI's keys of messages is set. Messages then follow SMPI's model.
bool follows_smpi(const Settings& settings);
// If so, adds SMPI's defaults and Tutti's keys with its meaning as defaults.
void add_smpi_defaults(Settings& settings);

// Adds an error for a value of the file that SimGrid would read in another way.
void check_for_simgrid(const Setting& setting, ErrorList& errors);
// Unset unless the key is one of SimGrid's earlier names, which it rejects.
std::optional<Error> renamed_key(const Setting& setting);

// Remarks for the user about the keys, one sentence each.
std::vector<std::string> smpi_remarks(const Settings& settings);

}  // namespace tutti::platforms
