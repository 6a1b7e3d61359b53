// SPDX-License-Identifier: BSD-3-Clause
// What ranks tell each other before the data move, and how a read goes through its cycles.
#pragma once

#include "io_models/shuffle.hpp"
#include "sim/runtime/rank.hpp"

namespace tutti::io_models {

// Open MPI's components: the smallest offset and the largest end (two allreduces), how much each
// aggregator gets (one of A sums), how many pieces each rank has (an allgather), and every rank's
// list of pieces of each aggregator's domain, to all ranks (A allgathervs of 16 B a piece: it grows
// as pieces x P x A). Each goes through the decision rules.
runtime::Task agree_on_views(runtime::Rank& me, const ShuffleJob& job);

// ROMIO: every rank's first and last offset (two allgathers), how many pieces go to whom (an
// alltoall), the number of cycles (an allreduce).
runtime::Task agree_on_ranges(runtime::Rank& me, const ShuffleJob& job);
// ROMIO, in each cycle: how much comes from whom (an alltoall of 4 B).
runtime::Task exchange_sizes(runtime::Rank& me, const ShuffleJob& job);

// ROMIO: each rank sends the aggregators that have something of it two messages, the offsets and
// the lengths of its pieces.
struct ListEntries {
  Bytes offset_bytes = 8;
  Bytes length_bytes = 8;
};
runtime::Task send_lists(runtime::Rank& me, const ShuffleJob& job, ListEntries entries);

// A read of Open MPI's components and of the dissertation's model: in each cycle the aggregators
// read, then send in the order of the ranks. A rank without data in a cycle goes on to its next.
runtime::Task read_by_cycles(runtime::Rank& me, const ShuffleJob& job);

}  // namespace tutti::io_models
