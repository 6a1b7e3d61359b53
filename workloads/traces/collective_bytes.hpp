// SPDX-License-Identifier: BSD-3-Clause
// Meaning of a collective's byte counts, which OTF2 leaves to the tracing tool:
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
// S: bytes sent, R: bytes received, P: ranks, m: bytes of a block. For in-place calls, Score-P
// counts one block less on each in-place side. Sources: for Score-P its source, scorep_mpi_coll
// (2022), and a trace of version 2.0.2; for EZTrace a program with all these collectives, recorded
// with version 2.0 and Open MPI 4.1 on 3 ranks.
#pragma once

#include "sim/base/common.hpp"
#include "workloads/traces/trace.hpp"

namespace tutti::workloads::traces {

enum class ByteCounts {
  totals,  // as in Score-P
  plain,   // as in EZTrace
  blocks   // S is the result of bytes_per_rank
};

// Determined by the name of the creator: Score-P, Tutti and its generator "synth" count totals,
// readers of time-independent traces count blocks. EZTrace leaves no name; unknown creators count
// plainly.
ByteCounts byte_counts(const TraceDefinitions& definitions);

// Whether blocks may differ between ranks or peers, which OTF2 does not record.
bool may_be_uneven(CollectiveOp op);

// The m of this rank, in bytes: its block (gather, scatter, allgather and their v variants), a
// block per peer (alltoall; on average for v and w), the vector (bcast, reduce, allreduce, scan) or
// its part of the vector (reduce_scatter; the mean part if only the sum is known). 0 for a barrier.
std::uint64_t bytes_per_rank(ByteCounts counts, CollectiveOp op, std::uint64_t comm_size,
                             std::uint64_t sent, std::uint64_t received);
std::uint64_t bytes_per_rank(const TraceDefinitions& definitions, CollectiveOp op,
                             std::uint64_t comm_size, std::uint64_t sent, std::uint64_t received);

}  // namespace tutti::workloads::traces
