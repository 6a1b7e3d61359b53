// SPDX-License-Identifier: BSD-3-Clause
// Collectives of a trace as calls of our algorithms.
#pragma once

#include <memory>
#include <stdexcept>
#include <vector>

#include "algorithms/selection/selection.hpp"
#include "sim/replay/collective_sizes.hpp"
#include "sim/replay/collectives.hpp"
#include "sim/runtime/rank.hpp"

namespace tutti::studies::replay {

// The algorithm that was asked for does not run among so many ranks.
struct DoesNotRun : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class PlatformCollectives {
 public:
  using Selection = algorithms::selection::Selection;

  // `definitions` outlive it.
  PlatformCollectives(const workloads::traces::TraceDefinitions& definitions,
                      std::shared_ptr<const Selection> selection);

  struct Call {
    CollectiveOp op = CollectiveOp::other;
    std::uint32_t comm = 0;
    std::uint32_t member = 0;
    std::uint32_t root = workloads::traces::none;  // member
    CollectiveSizes::Size size;
  };
  // May throw DoesNotRun.
  runtime::Task run(runtime::Rank& me, const Call& call);

  // Communicators for which the network's own collectives were asked, and cannot serve.
  std::size_t without_hardware() const { return without_hardware_; }

 private:
  struct Group {
    std::vector<runtime::RankId> list;
    bool is_world = false;
    bool is_known = false;
  };
  const Group& group_of(std::uint32_t comm);

  const workloads::traces::TraceDefinitions& definitions_;
  std::shared_ptr<const Selection> of_world_;
  std::shared_ptr<const Selection> of_others_;  // the network serves all ranks of the job only
  std::vector<Group> groups_;                   // by communicator, made when asked for
  std::size_t without_hardware_ = 0;
};

}  // namespace tutti::studies::replay
