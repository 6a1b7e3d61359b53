// SPDX-License-Identifier: BSD-3-Clause
// Calls of MPI replaced by others: a trace of the program as it would be. Events keep their times;
// a wait that is added takes no time there, and a call that is none of the trace's is marked, so
// that models find what it takes (call.hpp).
#pragma once

#include "sim/base/common.hpp"
#include "sim/replay/hypothesis.hpp"
#include "sim/replay/replay.hpp"
#include "workloads/traces/trace.hpp"

namespace tutti::studies::replay {

struct Replaced {
  workloads::traces::Trace trace;  // with regions behind those of the old one
  std::uint64_t calls = 0;         // that are replaced
  std::vector<std::string> notes;  // how many calls are replaced: sentences
};

Replaced replace_calls(const workloads::traces::Trace& trace, const std::vector<Replace>& replaces);

// `result` is of a trace with replaced calls, `original` of the trace as it is: from there are the
// metrics before, the end, what the trace violates. An error: where ranks wait in vain now, the
// program would never end.
std::optional<Error> take_before(ReplayResult& result, const ReplayResult& original);

}  // namespace tutti::studies::replay
