// SPDX-License-Identifier: BSD-3-Clause
// File domains: which aggregator owns which byte of the file.
#pragma once

#include "io_models/access.hpp"
#include "sim/base/common.hpp"

namespace tutti::io_models {

// The bytes of an aggregator, numbered from 0 in file order, are its own coordinates.
class FileDomains {
 public:
  // Even (Jha's dissertation, section 5.1.2; ROMIO): contiguous parts of ceil(range / A) bytes,
  // assigned to the aggregators in order. With `alignment` > 0, borders are moved to its nearest
  // multiple (the lower one in a tie).
  static FileDomains even(Extent range, int aggregators, Bytes alignment = 0);

  // Even as in Open MPI's vulcan: parts of ceil(range / A) bytes, counted from byte 0 of the file
  // instead of the beginning of the range, distributed round robin.
  static FileDomains even_from_zero(Extent range, int aggregators);

  // Static (section 5.1.3; Open MPI's dynamic_gen2): units of `unit` bytes from byte 0 on,
  // distributed round robin.
  static FileDomains round_robin(Extent range, int aggregators, Bytes unit);

  int aggregators() const { return aggregators_; }
  Extent range() const { return range_; }
  // Unit size of round-robin domains.
  Bytes unit_bytes() const { return unit_; }
  int owner(Bytes offset) const;

  // Number of bytes of the range that the aggregator owns.
  Bytes own_bytes(int aggregator) const;
  // Number of bytes of the aggregator's first unit that lie before the range; round-robin domains.
  Bytes cut_bytes(int aggregator) const;
  // The file offset of an existing own coordinate; and the first own coordinate at or after a file
  // offset, at least own_bytes() if there is none.
  Bytes place(int aggregator, Bytes coordinate) const;
  Bytes coordinate_from(int aggregator, Bytes offset) const;
  // Appends the parts of the file at the aggregator's own coordinates [begin, end).
  void own(int aggregator, Extent coordinates, std::vector<Extent>& out) const;

 private:
  FileDomains(Extent range, int aggregators) : range_(range), aggregators_(aggregators) {}

  Extent unit(std::int64_t index) const;
  // The index of the aggregator's first unit in the range; the beginning of the range may cut it.
  std::int64_t first_unit(int aggregator) const;

  Extent range_;
  int aggregators_ = 1;
  // Round-robin units of one size; or, if borders_ is not empty, contiguous domains.
  Bytes unit_ = 1;
  std::vector<Bytes> borders_;
};

}  // namespace tutti::io_models
