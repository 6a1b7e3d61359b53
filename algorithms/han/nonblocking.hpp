// SPDX-License-Identifier: BSD-3-Clause
// The nonblocking broadcast and reduction of Open MPI's coll/libnbc (nbc_ibcast.c, nbc_ireduce.c)
// with its default choice of the algorithm:
//   ibcast    up to 4 ranks linear, otherwise binomial; never segmented
//   ireduce   Rabenseifner for 3 ranks or more, if there are as many elements as the largest power
//             of two up to P; otherwise binomial, or in a chain of 8 KiB fragments for 2 to 4 ranks
//             and 64 KiB or more
// The root swaps its place with rank 0, where coll/base rotates the ranks. They are programs for
// run_concurrently(), since they advance while their caller waits in another call.
#pragma once

#include "algorithms/models/message_cost.hpp"

namespace tutti::algorithms::han {

// Runs the broadcast from start to end.
Task ibcast(Rank& me, RankId root, Slice data);
std::int64_t ibcast_messages(int procs);
Seconds ibcast_cost(int procs, Bytes bytes, const models::MessageCost& cost);
std::string_view ibcast_name(int procs);

// Reduces the vector in `send_buffer`, which is not empty, to the root's `recv_buffer`, from start
// to end. `in_place`: the root's two buffers are the same memory.
Task ireduce(Rank& me, CollectiveArgs args, bool in_place);
std::int64_t ireduce_messages(const ModelArgs& args);
Seconds ireduce_cost(const ModelArgs& args, const models::MessageCost& cost);
std::string_view ireduce_name(const ModelArgs& args);

}  // namespace tutti::algorithms::han
