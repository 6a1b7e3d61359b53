// SPDX-License-Identifier: BSD-3-Clause
// Which bytes of the file each rank writes or reads: what an MPI file view says. Nothing is kept
// per byte or per piece unless it was given so: a job of 250,000 ranks has billions of pieces.
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

// A two-dimensional array of bytes in a file, row by row, of which each process of a grid holds a
// rectangle: block rows (a grid of one column), 2-D blocks, and the tiles of MPI-Tile-IO, which may
// overlap or leave gaps. Rank i * columns + j holds row i, column j of the grid.

// How an array is cut: `rows` x `columns` processes.
struct Grid {
  int rows = 1;
  int columns = 1;
  int procs() const { return rows * columns; }
};

// rows <= columns... of all grids of so many processes the one nearest to a square; more rows than
// columns if it is none.
Grid squarest_grid(int procs);

class GridAccess : public Access {
 public:
  // The rows and the columns (bytes) of an array dealt out evenly, the first ones get one more.
  static GridAccess blocks(Grid grid, Bytes rows, Bytes columns);

  // Every tile has `rows` x `columns` bytes; neighbours share `row_overlap` rows and
  // `column_overlap` columns (negative: so many lie between them). MPI-Tile-IO's sz_tile_* and
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
  // Rows, or columns, from `begin` to before `end`; by row or column of the grid.
  using Spans = std::vector<Extent>;
  GridAccess(Spans rows, Spans columns);

  static int count(const Spans& spans) { return static_cast<int>(spans.size()); }
  const Extent& rows_of(RankId rank) const { return rows_[rank / columns_.size()]; }
  const Extent& columns_of(RankId rank) const { return columns_[rank % columns_.size()]; }

  Spans rows_;
  Spans columns_;
  Bytes width_ = 0;  // of a row of the array
  // The number of rows or columns between neighbours: negative where they overlap.
  Bytes row_gaps_ = 0;
  Bytes column_gaps_ = 0;
};

// Pieces of a file listed rank by rank: any access at all.

class ListAccess : public Access {
 public:
  // `pieces[rank]` in any order; pieces of one rank do not overlap.
  explicit ListAccess(std::vector<std::vector<Extent>> pieces);

  int procs() const override { return static_cast<int>(first_.size()) - 1; }
  Extent range() const override { return range_; }
  Bytes bytes_below(RankId rank, Bytes offset) const override;
  std::int64_t pieces_in(RankId rank, Extent extent) const override;
  void pieces(RankId rank, Extent extent, std::vector<Extent>& out) const override;
  void ranks_in(Extent extent, std::vector<RankId>& out) const override;
  Bytes next_data(Bytes offset) const override;
  bool is_dense() const override { return is_dense_; }
  bool overlaps() const override { return overlaps_; }

 private:
  struct Piece {
    Extent extent;
    Bytes below = 0;  // of the rank's bytes, those in earlier pieces
  };
  // The rank's pieces from the first that ends behind `offset`.
  const Piece* from(RankId rank, Bytes offset) const;
  const Piece* end_of(RankId rank) const { return pieces_.data() + first_[rank + 1]; }
  void look_for_holes();

  std::vector<std::size_t> first_;  // by rank, into pieces_; one more
  std::vector<Piece> pieces_;       // by rank, then by offset
  struct Owned {
    Extent extent;
    RankId rank = 0;
  };
  std::vector<Owned> by_offset_;
  Bytes longest_ = 0;              // of all pieces
  std::vector<Extent> with_data_;  // what all pieces cover, by offset
  Extent range_;
  bool is_dense_ = true;
  bool overlaps_ = false;
};

// CSV "rank,offset,length", '#' comments and blank lines, any order; ranks without a line access
// nothing. Pieces of one rank must not overlap, and where `writes` those of different ranks
// neither. `file` is used in messages only.
Result<ListAccess> read_pieces(std::string_view text, const std::string& file, int procs,
                               bool writes);

}  // namespace tutti::io_models
