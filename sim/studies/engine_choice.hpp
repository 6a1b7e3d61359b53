// SPDX-License-Identifier: BSD-3-Clause
// Which engine runs a point whose engine is left to the program.
#pragma once

#include "sim/studies/point.hpp"

namespace tutti::studies {

// The reference engine takes a few seconds at most up to these.
inline constexpr int simgrid_most_procs = 4096;
inline constexpr std::int64_t simgrid_most_messages = 100'000;

// simgrid up to the limits above, flow beyond them and for what only it can do (contention not on,
// merged events).
engines::EngineKind choose_engine(const Point& point);

}  // namespace tutti::studies
