// SPDX-License-Identifier: BSD-3-Clause
// Writes a trace as a new OTF2 archive: what there is of it in memory, which is not all that an
// archive may have (otf2_writer.hpp copies that). Each rank has a node of its own.
#pragma once

#include <otf2/otf2.h>

#include "sim/base/common.hpp"
#include "workloads/traces/otf2_output.hpp"
#include "workloads/traces/otf2_writer.hpp"
#include "workloads/traces/trace.hpp"

namespace tutti::workloads::traces {

// To folder/traces.otf2, with the new times of all events: a folder that is empty or does not
// exist. Events of kind `other` are left out.
std::optional<Error> write_otf2(const Trace& trace, const std::string& folder, NewTimes& times);

// Of all events, on the clock.
struct Otf2Span {
  OTF2_TimeStamp first = 0;
  OTF2_TimeStamp length = 0;
};

// Pieces of it. An event at its own time; nothing: there is no record for it.
std::optional<OTF2_ErrorCode> write_otf2_event(OTF2_EvtWriter* to,
                                               const TraceDefinitions& definitions,
                                               const Event& event);
// `events`: how many each rank has. False: the library could not.
bool write_otf2_definitions(OTF2_GlobalDefWriter* to, const TraceDefinitions& definitions,
                            const std::vector<std::uint64_t>& events, const Otf2Span& span);

}  // namespace tutti::workloads::traces
