// SPDX-License-Identifier: BSD-3-Clause
// Writes an in-memory trace as a new OTF2 archive. It lacks what the in-memory trace lacks
// (otf2_writer.hpp copies a complete archive). Each rank gets its own node.
#pragma once

#include <otf2/otf2.h>

#include "sim/base/common.hpp"
#include "workloads/traces/otf2_output.hpp"
#include "workloads/traces/otf2_writer.hpp"
#include "workloads/traces/trace.hpp"

namespace tutti::workloads::traces {

// Writes to folder/traces.otf2, with the new times of all events, or with their own if `times` is
// null; the folder must be empty or not exist. Events of kind `other` are omitted.
std::optional<Error> write_otf2(const Trace& trace, const std::string& folder,
                                NewTimes* times = nullptr);

// The time span of all events, in ticks of the clock.
struct Otf2Span {
  OTF2_TimeStamp first = 0;
  OTF2_TimeStamp length = 0;
};

// Parts of write_otf2. Writes an event at its own time; returns nothing if OTF2 has no record for
// it.
std::optional<OTF2_ErrorCode> write_otf2_event(OTF2_EvtWriter* to,
                                               const TraceDefinitions& definitions,
                                               const Event& event);
// `events`: number of events of each rank. Returns false if the library fails.
bool write_otf2_definitions(OTF2_GlobalDefWriter* to, const TraceDefinitions& definitions,
                            const std::vector<std::uint64_t>& events, const Otf2Span& span);

}  // namespace tutti::workloads::traces
