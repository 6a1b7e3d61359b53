// SPDX-License-Identifier: BSD-3-Clause
// The request of collective I/O, `write` and `read` of `sim run` or of a study.
#pragma once

#include "io_models/hints.hpp"
#include "sim/options/option_table.hpp"
#include "sim/studies/io_sweep.hpp"

namespace tutti::studies {

// The Darshan log that was read last, and its calls by --darshan-file, --darshan-layer and the
// operation.
struct LoadedLog {
  struct Calls {
    std::shared_ptr<const io_models::DarshanCalls> calls;
    std::string content_key;
  };
  std::string path;
  io_models::DarshanLog log;
  std::map<std::tuple<std::string, std::string, bool>, Calls> calls;
};

struct IoRequest : options::MachineRequest {
  IoSweep sweep;
  std::shared_ptr<LoadedLog> log = std::make_shared<LoadedLog>();  // kept from request to request
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

// Warns of files without a hint. Returns the hints of --hints, then the hints of IOR's -U; IOR's
// command must have been read before.
std::vector<io_models::Hint> given_hints(options::OptionReader& reader, IoRequest& request);

// Reports all errors to the reader. The first argument is "write" or "read".
void read_io(options::OptionReader& reader, IoRequest& request);

// The options that describe the file and the accesses to it (io_access_options.cpp).
const options::OptionTable<IoRequest>& io_access_options();

// Reads --ior once, if it is given and valid.
void read_ior_command(const options::OptionValues& values, IoRequest& request);
// Reads the combined meaning of the options; call it after the table was read. Sets the number of
// processes if only the description of the accesses has it.
void read_accesses(options::OptionReader& reader, IoRequest& request);

}  // namespace tutti::studies
