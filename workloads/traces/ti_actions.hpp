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
  struct Problem {
    std::string message;
    std::string hint = {};
  };
  // `words`: an action such as "0 send 1 5 1024 6", at least two words. Returns the problem if the
  // action is invalid.
  virtual std::optional<Problem> take(const std::vector<std::string_view>& words) = 0;
  virtual void finish() = 0;
};

// TraceDefinitions::creator of such traces.
inline constexpr std::string_view ti_creator = "SimGrid TI";

// The different lists of blocks of a trace's collectives.
class BlockLists {
 public:
  // The number of the list, from 1 on.
  std::uint32_t add(BlockList list) {
    const auto next = static_cast<std::uint32_t>(numbers_.size() + 1);
    return numbers_.try_emplace(std::move(list), next).first->second;
  }
  // All lists, in the order of their numbers; leaves none.
  std::vector<BlockList> take();

 private:
  std::map<BlockList, std::uint32_t> numbers_;
};

// The parts of a trace that the actions of all ranks share.
struct TiTrace {
  EventStore& store;
  std::uint32_t ranks;
  BlockLists& blocks;
  Notes& notes;
};

// For a rank whose core computes at `flops_per_s`. The members of `trace` must outlive the result.
std::unique_ptr<TiActions> ti_actions(const TiTrace& trace, TraceRank rank, double flops_per_s);

// The definitions of a trace of `ranks` ranks.
TraceDefinitions ti_definitions(std::uint32_t ranks, BlockLists& blocks);

}  // namespace tutti::workloads::traces
