// SPDX-License-Identifier: BSD-3-Clause
// A trace that was read, or why it cannot be, on its way to another process: as bytes, and the file
// of its events.
#pragma once

#include <optional>
#include <string>

#include "sim/base/result.hpp"
#include "workloads/traces/trace.hpp"

namespace tutti::workloads::traces {

struct Transfer {
  std::string bytes;
  std::optional<UnnamedFile> events;
};

Transfer hand_over(Result<Trace> trace);
// Unset: what came makes no sense, since the memory of who sent it is damaged.
std::optional<Result<Trace>> take_over(Transfer transfer);

}  // namespace tutti::workloads::traces
