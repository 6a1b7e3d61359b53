// SPDX-License-Identifier: BSD-3-Clause
// Members of a communicator that call different collectives as their n-th: no correct MPI
// program does that, so the trace is wrong, or not complete.
#pragma once

#include <optional>
#include <string>

#include "sim/replay/collectives.hpp"

namespace tutti::studies::replay {

// What all members of a collective must say alike.
struct CollectiveCall {
  CollectiveOp op = CollectiveOp::other;
  TraceRank root = workloads::traces::none;  // or not known

  static CollectiveCall of(const Event& event);
  bool is_like(const CollectiveCall& other) const;
  std::string name() const;  // "MPI_Bcast"
};

class CollectiveMismatches {
 public:
  // An event of the rank ends the instance, which another rank may have entered first.
  void look_at(const CollectiveNumber& number, const CollectiveInstance& instance, TraceRank rank,
               const Event& event, const workloads::traces::TraceDefinitions& definitions);
  // A sentence; nothing: all match.
  std::optional<std::string> note() const;

 private:
  std::string first_;
  std::uint64_t calls_ = 0;
};

}  // namespace tutti::studies::replay
