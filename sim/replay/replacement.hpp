// SPDX-License-Identifier: BSD-3-Clause
// Replaces MPI calls by others: produces the trace of the changed program. Events keep their times,
// an added wait takes no time, and calls that are not in the original trace are marked, so that the
// models compute their times (call.hpp).
#pragma once

#include "sim/base/common.hpp"
#include "sim/replay/hypothesis.hpp"
#include "sim/replay/replay.hpp"
#include "workloads/traces/trace.hpp"

namespace tutti::studies::replay {

struct Replaced {
  workloads::traces::Trace trace;  // new regions come after those of the original
  std::uint64_t calls = 0;         // number of replaced calls
  std::vector<std::string> notes;  // sentences about the replaced calls
};

Replaced replace_calls(const workloads::traces::Trace& trace, const std::vector<Replace>& replaces);

// Copies the metrics before the change, the end and the violations from `original`, the replay of
// the original trace, to `result`, the replay with replaced calls. An error if ranks wait in vain
// after the replacement: the program would never end.
std::optional<Error> take_before(ReplayResult& result, const ReplayResult& original);

}  // namespace tutti::studies::replay
