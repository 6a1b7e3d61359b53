// SPDX-License-Identifier: BSD-3-Clause
// Which bytes of the file each rank writes or reads: what an MPI file view says. Nothing is kept
// per byte or per piece unless it was given so: a job of 250,000 ranks has billions of pieces.
#pragma once

#include <cstdint>
#include <vector>

#include "io_models/extent.hpp"
#include "sim/runtime/types.hpp"

namespace tutti::io_models {

using runtime::RankId;

class Access {
 public:
  virtual ~Access() = default;

  virtual int procs() const = 0;
  // From the first to after the last byte that any rank accesses; empty: nobody accesses any.
  virtual Extent range() const = 0;
  // Of the rank's bytes those before this place of the file. Its data are packed in the order of
  // the file, so this is also where the byte at `offset` stands among them.
  virtual Bytes bytes_below(RankId rank, Bytes offset) const = 0;
  // How many contiguous pieces the rank has in the extent.
  virtual std::int64_t pieces_in(RankId rank, Extent extent) const = 0;
  // Appends the rank's pieces in the extent, in the order of the file.
  virtual void pieces(RankId rank, Extent extent, std::vector<Extent>& out) const = 0;
  // Appends the ranks with bytes in the extent, ascending.
  virtual void ranks_in(Extent extent, std::vector<RankId>& out) const = 0;
  // The first byte from `offset` on that some rank accesses; range().end: there is none.
  virtual Bytes next_data(Bytes offset) const = 0;
  // Every byte of the range belongs to exactly one rank.
  virtual bool is_dense() const = 0;
  // Some byte belongs to several ranks: may be read, not written.
  virtual bool overlaps() const = 0;

  Bytes bytes_in(RankId rank, Extent extent) const {
    return extent.empty() ? 0 : bytes_below(rank, extent.end) - bytes_below(rank, extent.begin);
  }
  Bytes bytes(RankId rank) const { return bytes_in(rank, range()); }
};

}  // namespace tutti::io_models
