// SPDX-License-Identifier: BSD-3-Clause
// Performance profiles of PGMPITuneLib (paper, listing 1): which mock-up replaces a collective at
// which message sizes, in the format that the real library reads
// (src/tuning/pgmpi_profile_reader.c).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/guidelines/mockup.hpp"
#include "sim/base/result.hpp"

namespace tutti::studies::guidelines {

struct Profile {
  // The number that the ranges of this file call it by: no matter which.
  struct Listed {
    int id = 0;
    const algorithms::guidelines::Mockup* mockup = nullptr;
  };
  // Of the collective's message_bytes, ends included.
  struct Range {
    Bytes begin_bytes = 0;
    Bytes end_bytes = 0;
    int id = 0;
  };
  std::vector<std::string> notes;  // comments below the first line
  std::string collective;          // ours: "scatter"
  int procs = 0;                   // the communicator's size, exactly
  std::vector<Listed> mockups;     // none twice
  std::vector<Range> ranges;       // each of a mock-up listed; the first of two that overlap holds
};

// "MPI_Scatter".
std::string mpi_name(std::string_view collective);

// What it does not read is what the library misreads or ends the program for: a blank line (it is
// taken for the next entry), numbers of entries that are wrong, names that it does not know.
// `file` is used in messages.
Result<Profile> read_profile(std::string_view text, std::string_view file);
// What was read without further comments is written as it stood.
std::string profile_text(const Profile& profile);

// What replaces a call of so many bytes; null: nothing does. The library replaces no call without
// data.
const algorithms::guidelines::Mockup* replacement(const Profile& profile, Bytes message_bytes);

}  // namespace tutti::studies::guidelines
