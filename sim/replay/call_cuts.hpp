// SPDX-License-Identifier: BSD-3-Clause
// The events of a call that are cut.
#pragma once

#include "sim/replay/messages.hpp"
#include "sim/replay/rank_state.hpp"

namespace tutti::studies::replay {

// Marks the cut events of the rank's next call: the messages and collectives that the scan found to
// be cut, or the entire call if it does only that.
void mark_cuts(RankState& me, TraceRank rank, const TraceScan& scan,
               const workloads::traces::TraceDefinitions& definitions, Channels& channels);

// The number of the message that the rank's next completing receive gets.
std::uint64_t message_number(const RankState& me, const ScanOfRank& scan, const Channel& channel);

}  // namespace tutti::studies::replay
