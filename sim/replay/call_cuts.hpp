// SPDX-License-Identifier: BSD-3-Clause
// Which events of a call are cut.
#pragma once

#include "sim/replay/messages.hpp"
#include "sim/replay/rank_state.hpp"

namespace tutti::studies::replay {

// Marks those of the rank's call that is to be replayed next: messages and collectives that the
// scan found to be cut; all of the call where that is all it does.
void mark_cuts(RankState& me, TraceRank rank, const TraceScan& scan,
               const workloads::traces::TraceDefinitions& definitions, Channels& channels);

// The message's number that a receive of the rank gets which completes next.
std::uint64_t message_number(const RankState& me, const ScanOfRank& scan, const Channel& channel);

}  // namespace tutti::studies::replay
