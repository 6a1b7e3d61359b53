// SPDX-License-Identifier: BSD-3-Clause
// What the nodes' cards carry of a shuffle: by count, not by simulation.
#pragma once

#include <vector>

#include "platforms/placement.hpp"
#include "sim/studies/io_record.hpp"

namespace tutti::studies {

class NodeTraffic {
 public:
  NodeTraffic() = default;
  explicit NodeTraffic(const platforms::Placement& placement);

  void add(std::int32_t from_rank, std::int32_t to_rank, double bytes);
  // The bytes that stay on their rank or node, and the node with the most in one direction.
  void tell(const platforms::Machine& machine, IoRecord& record) const;

 private:
  const platforms::Placement* placement_ = nullptr;
  std::vector<double> in_;  // by host
  std::vector<double> out_;
  double own_ = 0;
  double intra_ = 0;
};

}  // namespace tutti::studies
