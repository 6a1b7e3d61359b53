// SPDX-License-Identifier: BSD-3-Clause
// The options of collective I/O that describe the file and the accesses to it.
#pragma once

#include "sim/options/option_table.hpp"
#include "sim/studies/workloads/io_options.hpp"

namespace tutti::studies {

const options::OptionTable<IoRequest>& io_access_options();

// Reads --ior once, if it is given and valid.
void read_ior_command(const options::OptionValues& values, IoRequest& request);
// Reads the combined meaning of the options; call it after the table was read. Sets the number of
// processes if only the description of the accesses has it.
void read_accesses(options::OptionReader& reader, IoRequest& request);

}  // namespace tutti::studies
