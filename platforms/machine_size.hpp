// SPDX-License-Identifier: BSD-3-Clause
// How many nodes and cores a machine has, and how that is told wherever it is told.
#pragma once

#include <cstdint>
#include <string>

#include "platforms/machine.hpp"

namespace tutti::platforms {

struct MachineSize {
  std::int64_t hosts = 0;
  int least_cores = 0;  // of one host
  int most_cores = 0;
  std::int64_t cores = 0;  // of all hosts

  bool is_even() const { return least_cores == most_cores; }
};

MachineSize size_of(const Machine& machine);

// "16 nodes x 48 cores", "18 nodes of 8 to 32 cores".
std::string nodes_and_cores(const MachineSize& size);
// The same, with the sum where the nodes differ: "18 nodes of 8 to 32 cores, 176 in all".
std::string describe(const MachineSize& size);

}  // namespace tutti::platforms
