// SPDX-License-Identifier: BSD-3-Clause
// What the actions of a time independent trace mean: as SMPI's replay takes them (SimGrid 3.32,
// smpi_replay.cpp).
#pragma once

#include "sim/base/common.hpp"
#include "workloads/traces/trace.hpp"

namespace tutti::workloads::traces {

// Of one rank, into events.
class TiActions {
 public:
  virtual ~TiActions() = default;
  // "0 send 1 5 1024 6", as words: at least two. What is wrong with it, if anything is.
  virtual std::optional<std::string> take(const std::vector<std::string_view>& words) = 0;
  virtual void finish() = 0;
};

// Of one of so many ranks; store and notes outlive it.
std::unique_ptr<TiActions> ti_actions(EventStore& store, TraceRank rank, std::uint32_t ranks,
                                      double flops_per_s, Notes& notes);

// What the trace of so many ranks defines.
TraceDefinitions ti_definitions(std::uint32_t ranks);

}  // namespace tutti::workloads::traces
