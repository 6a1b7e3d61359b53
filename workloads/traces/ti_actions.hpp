// SPDX-License-Identifier: BSD-3-Clause
// Interprets the actions of a time-independent trace as SMPI's replay does (SimGrid 3.32,
// smpi_replay.cpp).
#pragma once

#include "sim/base/common.hpp"
#include "workloads/traces/trace.hpp"

namespace tutti::workloads::traces {

// Converts the actions of one rank into events.
class TiActions {
 public:
  virtual ~TiActions() = default;
  // `words`: an action such as "0 send 1 5 1024 6", at least two words. Returns the problem if the
  // action is invalid.
  virtual std::optional<std::string> take(const std::vector<std::string_view>& words) = 0;
  virtual void finish() = 0;
};

// For rank `rank` of `ranks`. `store` and `notes` must outlive the result.
std::unique_ptr<TiActions> ti_actions(EventStore& store, TraceRank rank, std::uint32_t ranks,
                                      double flops_per_s, Notes& notes);

// The definitions of a trace of `ranks` ranks.
TraceDefinitions ti_definitions(std::uint32_t ranks);

}  // namespace tutti::workloads::traces
