// SPDX-License-Identifier: BSD-3-Clause
// Reads an archive in a child process: on some damaged archives the library crashes, reads forever
// or writes out of bounds, which must not affect the parent process.
#pragma once

#include "sim/base/common.hpp"
#include "workloads/traces/trace.hpp"

namespace tutti::workloads::traces {

// A trace, or the errors of reading it, in a form that can be sent to another process.
struct Transfer {
  std::string bytes;
  std::optional<UnnamedFile> events;
};

Transfer hand_over(Result<Trace> trace);
// The result is unset if the bytes are invalid, since the sender's memory is corrupted.
std::optional<Result<Trace>> take_over(Transfer transfer);

struct ChildLimits {
  double cpu_s = 0;
  double memory_bytes = 0;  // in addition to what it inherits from the parent
};

// 40 times what reading the archive normally takes.
ChildLimits limits_of_archive(const std::string& path);

// Calls `read` in a child process within the limits and returns its result. Rethrows
// std::bad_alloc; other exceptions of `read` become broken invariants. `path` is the place of
// errors.
Result<Transfer> in_child(const std::string& path, const ChildLimits& limits,
                          const std::function<Transfer()>& read);

}  // namespace tutti::workloads::traces
