// SPDX-License-Identifier: BSD-3-Clause
// Teams of threads in traces without records of them: older versions of Score-P write no
// ThreadTeamBegin, other tools not even a fork, and a part of a trace has no complete records.
#pragma once

#include "workloads/traces/trace.hpp"

namespace tutti::workloads::traces {

// Sets TraceDefinitions::parallel: an outermost parallel region of a thread belongs to that of the
// first thread with which it overlaps in time. Their members become communicators. Does nothing for
// processes with records of teams.
void find_teams(Trace& trace);

}  // namespace tutti::workloads::traces
