// SPDX-License-Identifier: BSD-3-Clause
// A process for reading an archive: the library crashes on some that are damaged, reads them for
// ever, or writes beyond its memory. What becomes of that process does no harm to ours.
#pragma once

#include "sim/base/common.hpp"
#include "workloads/traces/trace.hpp"

namespace tutti::workloads::traces {

// A trace that was read, or why it cannot be, on its way to another process: as bytes, and the file
// of its events.

struct Transfer {
  std::string bytes;
  std::optional<UnnamedFile> events;
};

Transfer hand_over(Result<Trace> trace);
// Unset: what came makes no sense, since the memory of who sent it is damaged.
std::optional<Result<Trace>> take_over(Transfer transfer);

struct ChildLimits {
  double cpu_s = 0;
  double memory_bytes = 0;  // beyond what it has from us
};

// Calls `read` there, within limits, and gives what it returns. Of the
// exceptions that it may throw only std::bad_alloc is one here, too; others are broken invariants.
// `path` is the place of errors.
Result<Transfer> in_child(const std::string& path, const ChildLimits& limits,
                          const std::function<Transfer()>& read);

}  // namespace tutti::workloads::traces
