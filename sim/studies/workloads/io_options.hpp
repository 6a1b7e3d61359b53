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
  std::map<std::string, std::string, std::less<>>
      hinted_options;  // by option, the hint that set it
};

// Each row of the table declares an option and binds it to the request.
const options::OptionTable<IoRequest>& io_options();

// The specification with this key's value, instead of the one that it has.
std::string with_storage_key(std::string_view storage, std::string_view key,
                             std::string_view value);

// Reports all errors to the reader. The first argument is "write" or "read".
void read_io(options::OptionReader& reader, IoRequest& request);

}  // namespace tutti::studies
