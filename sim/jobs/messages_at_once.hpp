// SPDX-License-Identifier: BSD-3-Clause
// How many messages exist at once in a call whose ranks all send to all others, which determines
// its memory.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/jobs/point.hpp"

namespace tutti::jobs {

// Whether pairs of ranks, not of nodes, have paths of their own.
bool has_paths_by_rank(const platforms::Machine& machine);

// The messages that exist at once if all ranks send to all others, and the channels of engine
// `flow` (sim/engines/flow) that they use; none for other calls.
struct MessagesAtOnce {
  std::int64_t messages = 0;
  std::int64_t channels = 0;  // 0 if there is no machine
  bool have_requests = true;  // of both sides
  bool compete = true;        // links do not carry them as fast as they are sent
};
// The machine, which may be null, determines how many are in flight at once; otherwise all are.
MessagesAtOnce messages_at_once(const Point& point, const platforms::Machine* machine);

// Whether the flow engine simulates each rank's exchange with all others as a whole
// (sim/runtime/exchange.hpp), so that a message has a record only while it is in flight.
bool exchanges_as_a_whole(const Point& point, const platforms::Machine& machine);

// An estimate of the largest number of messages in flight at once in such an exchange: unset if the
// links do not carry the messages as fast as they are sent, because then most are. It examines some
// steps, in each of which every rank sends to the rank at the same distance.
std::optional<std::int64_t> messages_in_flight(const Point& point,
                                               const platforms::Machine& machine);

}  // namespace tutti::jobs
