// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sim/engines/engine.hpp"
#include "sim/runtime/rank_programs.hpp"

namespace tutti::engines {

// What the core and the programs know at the end of a run.
inline Outcome collect(const runtime::ProtocolCore& core, const runtime::RankPrograms& programs,
                       std::int64_t events) {
  return {.end_s = programs.end_times(),
          .counts = core.counts(),
          .problems = core.problems(),
          .events = events};
}

}  // namespace tutti::engines
