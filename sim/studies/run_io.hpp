// SPDX-License-Identifier: BSD-3-Clause
// Runs one point of collective I/O.
#pragma once

#include <vector>

#include "sim/engines/traffic_counter.hpp"
#include "sim/studies/io_point.hpp"
#include "sim/studies/io_record.hpp"

namespace tutti::studies {

struct IoAnswer {
  IoRecord record;
  // The messages of the shuffle and of ROMIO's lists; if the point wants them.
  std::vector<engines::TrafficRow> traffic;
};

Result<IoAnswer> run_io(const IoPoint& point, const platforms::Machine& machine);

// What is simulated, without an answer; the engine is told where it was named.
Result<IoRecord> described(const IoPoint& point, const platforms::Machine& machine);

// The same in a forked child, which measures its own cost. A child that dies is an error.
Result<IoAnswer> run_io_in_child(const IoPoint& point, const platforms::Machine& machine);

}  // namespace tutti::studies
