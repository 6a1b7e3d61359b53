// SPDX-License-Identifier: BSD-3-Clause
// What collective I/O, `write` and `read` of `sim run` or of a study, is asked for.
#pragma once

#include "sim/options/option_table.hpp"
#include "sim/studies/io_sweep.hpp"

namespace tutti::studies {

struct IoRequest : options::MachineRequest {
  IoSweep sweep;
  bool force = false;  // memory and limits are not looked at
};

// An option is a row: declared, and bound to the request.
const options::OptionTable<IoRequest>& io_options();

// All that is wrong goes to the reader. The first argument is "write" or "read".
void read_io(options::OptionReader& reader, IoRequest& request);

}  // namespace tutti::studies
