// SPDX-License-Identifier: BSD-3-Clause
// Loops that wait by testing: MPI_Test*, MPI_Win_test and MPI_Iprobe without success, or queries of
// accelerators, with regions, computation and local calls between them, until something has
// happened. A replay takes such a loop as one call, which lasts as long as it must. Calls that
// launch something divide a loop: each part but the last takes its time, and the last one waits.
#pragma once

#include "sim/base/common.hpp"
#include "sim/replay/call_kinds.hpp"
#include "sim/replay/frames.hpp"

namespace tutti::studies::replay {

struct PollingLoop {
  // Positions among the events of the location: the enter of the first test, the leave of the last.
  std::uint64_t first = 0, last = 0;
  enum class Ends : std::uint8_t {
    request,    // the last test succeeds
    message,    // the last MPI_Iprobe finds the message that is received next
    operation,  // the last query finds that an operation of an accelerator has ended
    nothing,    // the tests have failed: the loop continues after a launch
    unknown
  } ends = Ends::unknown;
  bool has_several = false;  // tests
  // More time passes between the tests than in them, so that the loop may have other work to do,
  // which does not depend on what it waits for.
  bool may_work = false;
  // The time since the first test of a loop that launches divide. Its launches may be fewer or more
  // in a changed program.
  workloads::traces::Ticks divided = 0;
};

// The loops of a location, in order. A loop contains no region that a part of the hypothesis names.
std::vector<PollingLoop> polling_loops(const workloads::traces::Trace& trace,
                                       workloads::traces::TraceRank location,
                                       const std::vector<CallKind>& kinds,
                                       const PartsOfRegions& parts);

}  // namespace tutti::studies::replay
