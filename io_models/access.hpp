// SPDX-License-Identifier: BSD-3-Clause
// Which bytes of the file each rank writes or reads, as defined by an MPI file view. Nothing is
// stored per byte or per piece except in ListAccess: a job of 250,000 ranks has billions of pieces.
#pragma once

#include "sim/base/common.hpp"
#include "sim/runtime/types.hpp"

namespace tutti::io_models {

// The file's bytes from `begin` to before `end`.
struct Extent {
  Bytes begin = 0;
  Bytes end = 0;

  Bytes bytes() const { return end - begin; }
  bool empty() const { return end <= begin; }
  bool operator==(const Extent&) const = default;
};

using runtime::RankId;

class Access {
 public:
  virtual ~Access() = default;

  virtual int procs() const = 0;
  // The range from the first to the last byte that any rank accesses; empty if no rank accesses
  // any.
  virtual Extent range() const = 0;
  // Number of the rank's bytes before `offset`. The rank's data are packed in file order, so this
  // is also the position of the byte at `offset` among them.
  virtual Bytes bytes_below(RankId rank, Bytes offset) const = 0;
  // Number of contiguous pieces of the rank in the extent.
  virtual std::int64_t pieces_in(RankId rank, Extent extent) const = 0;
  // Appends the rank's pieces in the extent, in file order.
  virtual void pieces(RankId rank, Extent extent, std::vector<Extent>& out) const = 0;
  // Appends the ranks with bytes in the extent, in ascending order.
  virtual void ranks_in(Extent extent, std::vector<RankId>& out) const = 0;
  // The first byte at or after `offset` that some rank accesses; range().end if there is none.
  virtual Bytes next_data(Bytes offset) const = 0;
  // Whether every byte of the range belongs to exactly one rank.
  virtual bool is_dense() const = 0;
  // Whether some byte belongs to several ranks; such accesses may be read, not written.
  virtual bool overlaps() const = 0;
  // Whether the file views of ranks without data begin at byte 0; otherwise, it is unknown where.
  virtual bool idle_ranks_are_at_zero() const { return true; }

  Bytes bytes_in(RankId rank, Extent extent) const {
    return extent.empty() ? 0 : bytes_below(rank, extent.end) - bytes_below(rank, extent.begin);
  }
  Bytes bytes(RankId rank) const { return bytes_in(rank, range()); }
};

// The span from the first to the last of the rank's bytes in the extent, which must not be empty of
// them. Takes a bisection of the extent, however many pieces the rank has there.
Extent data_in(const Access& access, RankId rank, Extent extent);

// Whether some rank's data begin before those of the previous rank end, which makes ROMIO's
// collective calls exchange data if the hint romio_cb_write or romio_cb_read is automatic (MPICH
// 4.0, ad_write_coll.c, ad_read_coll.c).
bool interleaves(const Access& access);

// A two-dimensional array of bytes in row-major order, with a rectangle per process of a grid:
// block rows (a grid of one column), 2-D blocks, or the tiles of MPI-Tile-IO, which may overlap or
// leave gaps. Rank i * columns + j is at row i, column j of the grid.

// A grid of `rows` x `columns` processes.
struct Grid {
  int rows = 1;
  int columns = 1;
  int procs() const { return rows * columns; }
};

// The grid of `procs` processes that is nearest to a square; if it is not square, it has more rows
// than columns.
Grid squarest_grid(int procs);

class GridAccess : public Access {
 public:
  // Distributes the rows and the columns (bytes) of an array evenly; the first blocks get one more.
  static GridAccess blocks(Grid grid, Bytes rows, Bytes columns);

  // Every tile has `rows` x `columns` bytes; neighbours share `row_overlap` rows and
  // `column_overlap` columns (negative: the gap between them). MPI-Tile-IO's sz_tile_* and
  // overlap_*, in bytes.
  struct Tiles {
    Bytes rows = 1;
    Bytes columns = 1;
    Bytes row_overlap = 0;
    Bytes column_overlap = 0;
  };
  static GridAccess tiles(Grid grid, const Tiles& tiles);

  Grid grid() const { return {count(rows_), count(columns_)}; }
  Bytes width() const { return width_; }

  int procs() const override { return grid().procs(); }
  Extent range() const override;
  Bytes bytes_below(RankId rank, Bytes offset) const override;
  std::int64_t pieces_in(RankId rank, Extent extent) const override;
  void pieces(RankId rank, Extent extent, std::vector<Extent>& out) const override;
  void ranks_in(Extent extent, std::vector<RankId>& out) const override;
  Bytes next_data(Bytes offset) const override;
  bool is_dense() const override { return row_gaps_ == 0 && column_gaps_ == 0; }
  bool overlaps() const override { return row_gaps_ < 0 || column_gaps_ < 0; }

 private:
  // Rows or columns of the array as [begin, end), by row or column of the grid.
  using Spans = std::vector<Extent>;
  GridAccess(Spans rows, Spans columns);

  static int count(const Spans& spans) { return static_cast<int>(spans.size()); }
  const Extent& rows_of(RankId rank) const { return rows_[rank / columns_.size()]; }
  const Extent& columns_of(RankId rank) const { return columns_[rank % columns_.size()]; }

  Spans rows_;
  Spans columns_;
  Bytes width_ = 0;  // of a row of the array
  // Number of rows or columns between neighbours; negative if they overlap.
  Bytes row_gaps_ = 0;
  Bytes column_gaps_ = 0;
};

// An arbitrary access, as lists of pieces per rank.

class ListAccess : public Access {
 public:
  // `pieces[rank]` may be in any order; pieces of one rank must not overlap.
  // `idle_at_zero`: see idle_ranks_are_at_zero.
  explicit ListAccess(std::vector<std::vector<Extent>> pieces, bool idle_at_zero = true);

  int procs() const override { return static_cast<int>(first_.size()) - 1; }
  Extent range() const override { return range_; }
  Bytes bytes_below(RankId rank, Bytes offset) const override;
  std::int64_t pieces_in(RankId rank, Extent extent) const override;
  void pieces(RankId rank, Extent extent, std::vector<Extent>& out) const override;
  void ranks_in(Extent extent, std::vector<RankId>& out) const override;
  Bytes next_data(Bytes offset) const override;
  bool is_dense() const override { return is_dense_; }
  bool overlaps() const override { return overlaps_; }
  bool idle_ranks_are_at_zero() const override { return idle_at_zero_; }

 private:
  struct Piece {
    Extent extent;
    Bytes below = 0;  // bytes of the rank in earlier pieces
  };
  // The rank's first piece that ends after `offset`.
  const Piece* from(RankId rank, Bytes offset) const;
  const Piece* end_of(RankId rank) const { return pieces_.data() + first_[rank + 1]; }
  void look_for_holes();

  std::vector<std::size_t> first_;  // by rank, into pieces_; one extra entry
  std::vector<Piece> pieces_;       // by rank, then by offset
  struct Owned {
    Extent extent;
    RankId rank = 0;
  };
  std::vector<Owned> by_offset_;
  Bytes longest_ = 0;              // length of the longest piece
  std::vector<Extent> with_data_;  // union of all pieces, by offset
  Extent range_;
  bool idle_at_zero_ = true;
  bool is_dense_ = true;
  bool overlaps_ = false;
};

// Reads CSV "rank,offset,length" with '#' comments and blank lines, in any order; ranks without a
// line access nothing. Pieces of one rank must not overlap; with `writes`, pieces of different
// ranks must not overlap either. `file` is used only in messages.
Result<ListAccess> read_pieces(std::string_view text, const std::string& file, int procs,
                               bool writes);

}  // namespace tutti::io_models
