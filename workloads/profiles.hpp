// SPDX-License-Identifier: BSD-3-Clause
// Simulates PGMPITuneLib: calls of the sizes in its profiles run as mock-ups.
#pragma once

#include "algorithms/guidelines/mockup.hpp"
#include "algorithms/selection/selection.hpp"
#include "sim/base/common.hpp"
#include "workloads/collective_call.hpp"

namespace tutti::workloads::profiles {

// Performance profiles of PGMPITuneLib (listing 1 of the paper): the mock-ups that replace a
// collective at certain message sizes, in the format that the real library reads
// (src/tuning/pgmpi_profile_reader.c).

struct Profile {
  // `id` is an arbitrary number by which the ranges of this file refer to the mock-up.
  struct Listed {
    int id = 0;
    const algorithms::guidelines::Mockup* mockup = nullptr;
  };
  // A range of the collective's message_bytes, both ends included.
  struct Range {
    Bytes begin_bytes = 0;
    Bytes end_bytes = 0;
    int id = 0;
  };
  std::vector<std::string> notes;  // comments below the first line
  std::string collective;          // Tutti's name: "scatter"
  int procs = 0;                   // the exact size of the communicator
  std::vector<Listed> mockups;     // without duplicates
  std::vector<Range> ranges;       // refer to listed mock-ups; the first of two that overlap wins
};

// "MPI_Scatter".
std::string mpi_name(std::string_view collective);

// Rejects what the library misreads or aborts on: blank lines (it reads them as the next entry),
// wrong numbers of entries, unknown names. `file` is used in messages.
Result<Profile> read_profile(std::string_view text, std::string_view file);
// Writes a profile in this format; one that was read without further comments is reproduced
// exactly.
std::string profile_text(const Profile& profile);

// The mock-up that replaces a call of `message_bytes`; null if none. The library does not replace
// calls without data.
const algorithms::guidelines::Mockup* replacement(const Profile& profile, Bytes message_bytes);

// The library's buffers in each process, in bytes. If a mock-up needs more, MPI's own collective
// runs.
struct BufferLimits {
  Bytes message_bytes = 100'000'000;  // size_msg_buffer_bytes
  Bytes int_bytes = 200'000;          // size_int_buffer_bytes

  bool hold(const algorithms::guidelines::ExtraMemory& extra) const {
    return extra.message_bytes <= message_bytes && extra.int_bytes <= int_bytes;
  }
};

struct Profiles {
  std::vector<Profile> all;  // at most one for each collective and number of processes
  BufferLimits limits;

  // Null if there is none.
  const Profile* find(std::string_view collective, int procs) const;
};

// The files of the folder whose names end in .prf, sorted.
Result<std::vector<std::string>> profile_files(const std::string& folder);
// Reads all of them; it is an error if there is none.
Result<Profiles> read_profiles(const std::string& folder);
// A text that is equal for profiles and limits with the same effect.
std::string content_of(const Profiles& profiles);

// The selection `mpi` with the replacements of the profiles. Calls inside mock-ups are replaced as
// well, but the library has only one buffer of each kind: inside a mock-up that uses a buffer, no
// call is replaced by one that needs it.
std::shared_ptr<const algorithms::selection::Selection> profiled(
    const algorithms::selection::Selection& mpi, const Profiles& profiles);

// The selection for the calls of a mock-up that is run by its name; `selection` itself if no
// library replaces calls.
std::shared_ptr<const algorithms::selection::Selection> inside(
    const std::shared_ptr<const algorithms::selection::Selection>& selection,
    const algorithms::guidelines::Mockup& mockup, const algorithms::CollectiveArgs& args,
    int procs);

// CollectiveCall::decided_by of a call that was replaced.
inline constexpr std::string_view decided_by_profile = "profile";
// Part of CollectiveCall::decided_by if a profile requests a mock-up for which the buffers are too
// small.
inline constexpr std::string_view no_buffer_for = "no buffer for";

// The call as it runs with the profiles; `call` is the request as resolved by rules without them.
Result<workloads::CollectiveCall> profiled(const workloads::CallRequest& request,
                                           workloads::CollectiveCall call, const Profiles& profiles,
                                           const platforms::Machine& machine,
                                           const platforms::PlacementRequest& placement);

// The reason why a call of a mock-up cannot run under the selection in `args`; empty if all can. An
// invalid entry of a rules file for one of them is an error.
Result<std::string> rejected_inside(const algorithms::guidelines::Mockup& mockup,
                                    const algorithms::CollectiveArgs& args, int procs);

}  // namespace tutti::workloads::profiles
