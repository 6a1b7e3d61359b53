// SPDX-License-Identifier: BSD-3-Clause
// What the byte counts of a collective mean. OTF2 leaves it to who writes the trace:
//
//                            Score-P (totals)        EZTrace 2.0 (plain)
//   bcast, scatter           root S=mP R=m, else R=m S=R=m
//   gather, reduce           S=m, root also R=mP     S=R=m
//   allgather, alltoall,     S=R=mP                  S=R=m
//   allreduce, reduce_scatter_block
//   scan (exscan)            S+R=(P+1)m ((P-1)m)     not in the trace
//   gatherv, allgatherv      S=own (all: P own),     S=own, R=sum
//                            R=sum (root)
//   scatterv                 R=own, root S=sum       S=sum, R=own
//   alltoallv, alltoallw     sums over the peers     sums over the peers
//   reduce_scatter           S=sum, R=P own          S=R=sum
//
// S sent, R received, P ranks, m bytes of a block. In place, Score-P counts a block less on each
// side that is. Score-P: its source, scorep_mpi_coll (2022), and a trace of version 2.0.2; EZTrace:
// a program with all of them, recorded with version 2.0 and Open MPI 4.1 on 3 ranks.
#pragma once

#include "sim/base/common.hpp"
#include "workloads/traces/trace.hpp"

namespace tutti::workloads::traces {

enum class ByteCounts {
  totals,  // as Score-P
  plain    // as EZTrace
};

// By the name of the creator: Score-P (and our generator "synth") count totals. EZTrace leaves no
// name; who is not known counts plainly.
ByteCounts byte_counts(const TraceDefinitions& definitions);

// Blocks may differ from rank to rank, or from peer to peer, which is not in a trace.
bool may_be_uneven(CollectiveOp op);

// The m of this rank: bytes of its block (gather, scatter, allgather and their v), of a block for
// each peer (alltoall; v and w: on average), of the vector (bcast, reduce, allreduce, scan), or of
// the mean block (reduce_scatter). 0 for a barrier.
std::uint64_t bytes_per_rank(ByteCounts counts, CollectiveOp op, std::uint64_t comm_size,
                             std::uint64_t sent, std::uint64_t received);
std::uint64_t bytes_per_rank(const TraceDefinitions& definitions, CollectiveOp op,
                             std::uint64_t comm_size, std::uint64_t sent, std::uint64_t received);

}  // namespace tutti::workloads::traces
