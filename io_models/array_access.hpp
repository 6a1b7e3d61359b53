// SPDX-License-Identifier: BSD-3-Clause
// A distributed array of any number of dimensions, in the file row by row or in chunks: what
// MPI_Type_create_subarray and MPI_Type_create_darray describe (MPI 4.0, sections 5.1.3 and 5.1.4)
// and HDF5 stores. Everything is a formula in the file offset; nothing is stored per piece.
#pragma once

#include "io_models/access.hpp"
#include "sim/base/common.hpp"

namespace tutti::io_models {

inline constexpr std::size_t most_dimensions = 16;

// How the indices of a dimension are distributed over `procs` coordinates of the process grid.
struct Distribution {
  enum class Kind : std::uint8_t {
    even,   // one block each; the first size mod procs blocks have one index more
    cyclic  // blocks of `block` indices in turn (MPI_DISTRIBUTE_CYCLIC); with ceil(size / procs),
            // MPI_DISTRIBUTE_BLOCK
  };
  Kind kind = Kind::even;
  Bytes block = 1;
  // Number of indices of the neighbors on each side that a block includes; cut at the ends of the
  // dimension. Only for one block per coordinate.
  Bytes ghost = 0;
};

// The indices of one dimension that a coordinate of the process grid has.
class DimensionShare {
 public:
  DimensionShare(Bytes size, int procs, const Distribution& distribution);

  Bytes size() const { return size_; }
  int procs() const { return procs_; }
  bool overlaps() const { return ghost_ > 0 && procs_ > 1; }

  // `coordinate` may be `all`: the indices of any coordinate.
  static constexpr int all = -1;
  bool has(int coordinate, Bytes index) const;
  // Number of the coordinate's indices below `index`.
  Bytes below(int coordinate, Bytes index) const;
  Bytes count(int coordinate, Extent indices) const {
    return below(coordinate, indices.end) - below(coordinate, indices.begin);
  }
  // Number of runs of adjacent indices in [first, ...) that start below `index`; the first may be
  // cut at `first`.
  Bytes runs(int coordinate, Bytes first, Bytes index) const;
  // The coordinate's first index at or after `index`, at least size() if there is none; and the end
  // of the run of one of its indices.
  Bytes next(int coordinate, Bytes index) const;
  Bytes run_end(int coordinate, Bytes index) const;
  // Appends the coordinates that have some of the indices, which must not be empty.
  void coordinates(Extent indices, std::vector<int>& out) const;

 private:
  bool is_single_block() const { return is_even_ || block_ >= (size_ + procs_ - 1) / procs_; }
  Extent block_of(int coordinate) const;

  Bytes size_;
  int procs_;
  bool is_even_;
  Bytes block_;
  Bytes ghost_;
};

struct ArraySpec {
  std::vector<Bytes> sizes;  // of the dimensions in elements; in C's order the last one is adjacent
  std::vector<int> grid;     // processes per dimension; ranks count in C's order
  std::vector<Distribution> distributions;
  Bytes element_bytes = 1;
  bool is_fortran_order = false;  // the first dimension is adjacent in the file
  // Sizes of a chunk in elements; empty: no chunks. Chunks are complete in the file, also at the
  // ends of the array, and in the order of the elements.
  std::vector<Bytes> chunk = {};
};

// A grid of `procs` processes over as many dimensions as there are limits, as balanced as their
// prime factors allow, in descending order; 1 in dimensions with `is_divided` false.
std::vector<int> balanced_grid(int procs, const std::vector<bool>& is_divided);

class ArrayAccess : public Access {
 public:
  // All sizes are at least 1; the array has at most 2^60 bytes and `most_dimensions` dimensions.
  explicit ArrayAccess(const ArraySpec& spec);

  int procs() const override { return procs_; }
  Extent range() const override { return {0, end_}; }
  Bytes bytes_below(RankId rank, Bytes offset) const override;
  std::int64_t pieces_in(RankId rank, Extent extent) const override;
  void pieces(RankId rank, Extent extent, std::vector<Extent>& out) const override;
  void ranks_in(Extent extent, std::vector<RankId>& out) const override;
  Bytes next_data(Bytes offset) const override;
  bool is_dense() const override { return !overlaps_ && !has_padding_; }
  bool overlaps() const override { return overlaps_; }

 private:
  using Indices = std::array<Bytes, most_dimensions + 1>;

  struct Axis {
    DimensionShare share;
    Bytes chunk = 1;          // indices of a chunk
    RankId rank_step = 1;     // between ranks with adjacent coordinates
    Bytes chunk_step = 1;     // between chunks that are adjacent in this dimension
    Bytes in_chunk_step = 1;  // between elements of a chunk
  };
  // An element by its index in each dimension, and the same as chunk and position in it.
  struct Position {
    Indices first{};  // of the chunk
    Indices index{};
  };
  using Coordinates = std::array<int, most_dimensions>;

  std::size_t dimensions() const { return axes_.size(); }
  Coordinates coordinates_of(RankId rank) const;
  Position position_of(Bytes element) const;
  Bytes element_at(const Indices& index) const;
  bool has(const Coordinates& at, const Indices& index) const;
  Extent in_chunk(std::size_t dimension, const Indices& first) const;
  Bytes elements_below(const Coordinates& at, Bytes element) const;
  bool has_some(const Coordinates& at, const Indices& first_of_chunk) const;
  // The first element at or after `element` that the coordinates have; elements_ if there is none.
  Bytes next_element(const Coordinates& at, Bytes element) const;
  Bytes run_end(const Coordinates& at, Bytes element) const;
  Bytes runs_below(const Coordinates& at, Bytes first_of_chunk, Bytes element) const;
  Bytes runs_between(const Coordinates& at, Bytes first, Bytes last) const;
  template <class Visit>
  void visit_boxes(Bytes first, Bytes last, Visit visit) const;

  std::vector<Axis> axes_;  // in the order of the file, the last one is adjacent
  Bytes element_bytes_ = 1;
  Bytes chunk_elements_ = 1;
  Bytes elements_ = 0;  // in the file, including padding
  Bytes end_ = 0;
  int procs_ = 1;
  bool overlaps_ = false;
  bool has_padding_ = false;
};

}  // namespace tutti::io_models
