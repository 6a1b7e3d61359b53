// SPDX-License-Identifier: BSD-3-Clause
// A two-dimensional array of bytes in a file, row by row, of which each process of a grid holds a
// rectangle: block rows (a grid of one column), 2-D blocks, and the tiles of MPI-Tile-IO, which may
// overlap or leave gaps. Rank i * columns + j holds row i, column j of the grid.
#pragma once

#include "io_models/access.hpp"
#include "sim/base/result.hpp"

namespace tutti::io_models {

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

}  // namespace tutti::io_models
