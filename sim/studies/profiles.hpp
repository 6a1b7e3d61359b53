// SPDX-License-Identifier: BSD-3-Clause
// PGMPITuneLib at work: calls whose sizes its profiles name run as mock-ups.
#pragma once

#include "algorithms/guidelines/mockup.hpp"
#include "algorithms/selection/selection.hpp"
#include "sim/base/common.hpp"
#include "workloads/collective_call.hpp"

namespace tutti::studies::guidelines {

// Performance profiles of PGMPITuneLib (paper, listing 1): which mock-up replaces a collective at
// which message sizes, in the format that the real library reads
// (src/tuning/pgmpi_profile_reader.c).

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

// Of each process; a mock-up that needs more is left, and MPI's collective runs.
struct BufferLimits {
  Bytes message_bytes = 100'000'000;  // size_msg_buffer_bytes
  Bytes int_bytes = 200'000;          // size_int_buffer_bytes

  bool hold(const algorithms::guidelines::ExtraMemory& extra) const {
    return extra.message_bytes <= message_bytes && extra.int_bytes <= int_bytes;
  }
};

struct Profiles {
  std::vector<Profile> all;  // one of a collective and a number of processes
  BufferLimits limits;

  // Null: there is none.
  const Profile* find(std::string_view collective, int procs) const;
};

// Those of the folder whose names end in .prf, sorted.
Result<std::vector<std::string>> profile_files(const std::string& folder);
// All of them; that there is none is an error.
Result<Profiles> read_profiles(const std::string& folder);
// The same for profiles and limits that do the same.
std::string content_of(const Profiles& profiles);

// Calls that MPI decides by `mpi`, but those that the profiles replace. Calls inside mock-ups are
// replaced too, but the library has one buffer of each kind: inside a mock-up that took it none is
// that needs it.
std::shared_ptr<const algorithms::selection::Selection> profiled(
    const algorithms::selection::Selection& mpi, const Profiles& profiles);

// args.selection of the calls that a mock-up makes which is run by its name; `selection` itself
// where no library replaces calls.
std::shared_ptr<const algorithms::selection::Selection> inside(
    const std::shared_ptr<const algorithms::selection::Selection>& selection,
    const algorithms::guidelines::Mockup& mockup, const algorithms::CollectiveArgs& args,
    int procs);

// CollectiveCall::decided_by of a call that was replaced.
inline constexpr std::string_view decided_by_profile = "profile";
// Stands in it where a profile asks for a mock-up that the buffers do not hold.
inline constexpr std::string_view no_buffer_for = "no buffer for";

// The call as it runs with the profiles; `call` is what the request means without them, decided by
// rules.
Result<workloads::CollectiveCall> profiled(const workloads::CallRequest& request,
                                           workloads::CollectiveCall call, const Profiles& profiles,
                                           const platforms::Machine& machine,
                                           const platforms::PlacementRequest& placement);

// Why a call of a mock-up cannot be made, under the selection in `args`; empty: all can. What a
// file of rules says wrong of one is an error.
Result<std::string> rejected_inside(const algorithms::guidelines::Mockup& mockup,
                                    const algorithms::CollectiveArgs& args, int procs);

}  // namespace tutti::studies::guidelines
