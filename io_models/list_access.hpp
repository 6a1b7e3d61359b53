// SPDX-License-Identifier: BSD-3-Clause
// Pieces of a file listed rank by rank: any access at all.
#pragma once

#include <string>
#include <string_view>

#include "io_models/access.hpp"
#include "sim/base/result.hpp"

namespace tutti::io_models {

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
