// SPDX-License-Identifier: BSD-3-Clause
// Which aggregator is responsible for which byte of the file.
#pragma once

#include "io_models/access.hpp"
#include "sim/base/common.hpp"

namespace tutti::io_models {

// What an aggregator owns, in the order of the file, is numbered from 0: its own coordinates.
class FileDomains {
 public:
  // Even (dissertation, section 5.1.2; ROMIO): contiguous parts of the range of ceil(range / A)
  // bytes, the first ones of the aggregators in order. With `alignment` > 0 borders are moved to
  // the nearer multiple of it (the lower one if both are as near).
  static FileDomains even(Extent range, int aggregators, Bytes alignment = 0);

  // Even as Open MPI's vulcan does it: parts of ceil(range / A) bytes from byte 0 of the file on,
  // not from the range's begin, dealt out round robin.
  static FileDomains even_from_zero(Extent range, int aggregators);

  // Static (section 5.1.3; Open MPI's dynamic_gen2): units of `unit` bytes from byte 0 on, dealt
  // out round robin.
  static FileDomains round_robin(Extent range, int aggregators, Bytes unit);

  int aggregators() const { return aggregators_; }
  Extent range() const { return range_; }
  // Of domains that are dealt out round robin.
  Bytes unit_bytes() const { return unit_; }
  int owner(Bytes offset) const;

  // How much of the range the aggregator owns.
  Bytes own_bytes(int aggregator) const;
  // The place of the file at the aggregator's own coordinate, which it has; and the first own
  // coordinate at or behind a place of the file: own_bytes() or more if there is none.
  Bytes place(int aggregator, Bytes coordinate) const;
  Bytes coordinate_from(int aggregator, Bytes offset) const;
  // Appends the parts of the file at the aggregator's own coordinates [begin, end).
  void own(int aggregator, Extent coordinates, std::vector<Extent>& out) const;

 private:
  FileDomains(Extent range, int aggregators) : range_(range), aggregators_(aggregators) {}

  Extent unit(std::int64_t index) const;
  // The index of the aggregator's first unit in the range, which may be cut by the range's begin.
  std::int64_t first_unit(int aggregator) const;

  Extent range_;
  int aggregators_ = 1;
  // Units of one size, round robin; or, if not empty, contiguous domains by their borders.
  Bytes unit_ = 1;
  std::vector<Bytes> borders_;
};

}  // namespace tutti::io_models
