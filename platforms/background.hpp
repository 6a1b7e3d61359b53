// SPDX-License-Identifier: BSD-3-Clause
// Traffic of other jobs: constant rates between nodes, which take bandwidth of the links on their
// paths. It does not yield to the simulated job.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

// The text of mpi/background: "all-to-all:RATE", or the name of a file. All nodes send RATE evenly
// to all others; of more than 4,096 nodes, each to evenly spaced others, so that 2^24 pairs send. A
// file is CSV with the header "source,destination,rate": nodes by name or number, and a rate in
// bytes per second or with a unit. Returns the load of each link of the topology, in B/s. With
// several shortest paths and a routing other than fixed, each carries an equal part. Errors have
// the place in the file; those of the word itself omit it.
Result<std::vector<double>> read_background(std::string_view text, const Machine& machine);

}  // namespace tutti::platforms
