// SPDX-License-Identifier: BSD-3-Clause
// How many messages exist at once in a call whose ranks all send to all others, which determines
// its memory.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/jobs/point.hpp"

namespace tutti::jobs {

// True if pairs of ranks, not only pairs of nodes, have paths of their own.
bool has_paths_by_rank(const platforms::Machine& machine);

// The messages that exist at once if all ranks send to all others, and the channels of engine
// `flow` (sim/engines/flow) that they use. Both are 0 for other calls.
struct MessagesAtOnce {
  std::int64_t messages = 0;
  std::int64_t channels = 0;  // 0 if the machine is unknown
  bool have_requests = true;  // each message has the requests of both sides
  bool compete = true;        // links do not carry the messages as fast as they are sent
};
// `machine` determines how many messages are in flight at once; if it is null, all are.
MessagesAtOnce messages_at_once(const Point& point, const platforms::Machine* machine);

// True if the flow engine simulates each rank's exchange with all others as a whole
// (sim/runtime/exchange.hpp), so that a message has a record only while it is in flight.
bool exchanges_as_a_whole(const Point& point, const platforms::Machine& machine);

// Estimates the maximum number of messages in flight at once in such an exchange. Unset if the
// links do not carry the messages as fast as they are sent: then most messages are in flight. The
// estimate examines some steps, in each of which every rank sends to the rank at the same distance.
std::optional<std::int64_t> messages_in_flight(const Point& point,
                                               const platforms::Machine& machine);

}  // namespace tutti::jobs
