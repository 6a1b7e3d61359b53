// SPDX-License-Identifier: BSD-3-Clause
// Independent accesses, the alternative to collective ones: each rank accesses its own pieces, one
// after the other, as POSIX calls and Open MPI's OMPIO do; or with data sieving as in ROMIO
// (ad_write_str.c, ad_read_str.c; Thakur, Gropp, Lusk, 1999): pieces with gaps are accessed
// together, a buffer at a time, and a write first reads the gaps. ROMIO locks the buffer's range
// meanwhile; that the lock is granted at once is an assumption, and a storage with a penalty for
// revoked locks charges it.
#include "io_models/implementations/implementation.hpp"

namespace tutti::io_models {
namespace {

using runtime::Rank;
using runtime::Task;

Task access_one(Rank& me, const ShuffleJob& job, Extent extent, bool writes) {
  if (job.storage != nullptr) co_await access_extents(me, *job.storage, {&extent, 1}, writes);
}

const Access& access_of(const ShuffleJob& job) { return job.schedule->redistribution().access(); }

void ended(Rank& me, const ShuffleJob& job, Seconds began_s) {
  if (job.times == nullptr) return;
  AggregatorSpent& spent = (*job.times)[job.number_of[me.id()]].now;
  spent.storage_s += me.now() - began_s;
  spent.waited_s += me.now() - began_s;
  spent.end_s = me.now();
}

template <bool writes>
Task access_pieces(Rank& me, const ShuffleJob& job) {
  const Seconds began_s = me.now();
  std::vector<Extent> pieces;
  access_of(job).pieces(me.id(), access_of(job).range(), pieces);
  for (const Extent& piece : pieces) co_await access_one(me, job, piece, writes);
  ended(me, job, began_s);
}

// The pieces in one buffer, which begins with the first of them.
template <bool writes>
Task access_buffers(Rank& me, const ShuffleJob& job) {
  const Seconds began_s = me.now();
  const Bytes buffer_bytes = job.buffer_bytes;
  std::vector<Extent> pieces;
  access_of(job).pieces(me.id(), access_of(job).range(), pieces);
  if (pieces.size() == 1) {
    co_await access_one(me, job, pieces.front(), writes);
  } else {
    for (std::size_t i = 0; i < pieces.size();) {
      Extent buffer{pieces[i].begin, std::min(pieces[i].end, pieces[i].begin + buffer_bytes)};
      const Bytes most = buffer.begin + buffer_bytes;
      Bytes gaps = 0;
      while (i < pieces.size() && pieces[i].begin < most) {
        gaps += std::max<Bytes>(0, pieces[i].begin - buffer.end);
        buffer.end = std::min(pieces[i].end, most);
        if (pieces[i].end > most) {
          pieces[i].begin = most;
          break;
        }
        ++i;
      }
      if (writes && gaps > 0) co_await access_one(me, job, buffer, false);
      co_await access_one(me, job, buffer, writes);
    }
  }
  ended(me, job, began_s);
}

}  // namespace

const Implementation independent{
    .name = "independent",
    .summary = "no shuffle: each process accesses its pieces one after the other",
    .domains = DomainRule::even,
    .is_collective = false,
    .write = access_pieces<true>,
    .read = access_pieces<false>,
};

const Implementation data_sieving{
    .name = "data_sieving",
    .summary = "ROMIO's independent accesses: pieces and the gaps between them, by buffers",
    .domains = DomainRule::even,
    .is_collective = false,
    .write = access_buffers<true>,
    .read = access_buffers<false>,
};

}  // namespace tutti::io_models
