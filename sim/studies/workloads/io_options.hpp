// SPDX-License-Identifier: BSD-3-Clause
// The request of collective I/O, `write` and `read` of `sim run` or of a study.
#pragma once

#include "sim/options/option_table.hpp"
#include "sim/studies/io_sweep.hpp"

namespace tutti::studies {

struct IoRequest : options::MachineRequest {
  IoSweep sweep;
  bool force = false;                 // skip the checks of memory and limits
  std::vector<std::string> warnings;  // options without effect
  std::vector<std::string> unused_hints;
};

// Each row of the table declares an option and binds it to the request.
const options::OptionTable<IoRequest>& io_options();

// Reports all errors to the reader. The first argument is "write" or "read".
void read_io(options::OptionReader& reader, IoRequest& request);

}  // namespace tutti::studies
