// SPDX-License-Identifier: BSD-3-Clause
// Reads traces of Paraver as Extrae writes them (.prv, with the .pcf next to it): calls of MPI and
// functions of the user from events, messages from communications. States are not used, since they
// follow from the calls. The format has no requests: a nonblocking send is not completed, and a
// receive completes in the call during which its message physically arrived.
#pragma once

#include "sim/base/common.hpp"
#include "workloads/traces/trace.hpp"

namespace tutti::workloads::traces {

// Whether the file begins as a trace of Paraver.
bool is_paraver(const std::string& path);

// The .pcf and .row files.
std::vector<std::string> paraver_files(const std::string& path);

// Each task is a rank; its threads are locations behind the ranks. The whole trace must fit into
// memory: 60 B per event or message.
Result<Trace> read_paraver(const std::string& path, const TraceArgs& args);

}  // namespace tutti::workloads::traces
