// SPDX-License-Identifier: BSD-3-Clause
// Where the bytes of a striped file lie. A target has its stripes one after the other, in the order
// of the file: its object.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "io_models/extent.hpp"
#include "io_models/storage/storage_spec.hpp"

namespace tutti::io_models {

// A contiguous part of one target's object.
struct TargetPiece {
  int target = 0;
  Bytes offset = 0;  // in the object
  Bytes bytes = 0;
  bool operator==(const TargetPiece&) const = default;
};

// What one call asks of the targets: what is contiguous on a target is one piece, as a client of
// Lustre sends it. In the order in which the file reaches the pieces; extents should ascend, empty
// ones have none. Takes steps per extent and target, not per stripe.
std::vector<TargetPiece> cut_into_pieces(const StorageSpec& spec, std::span<const Extent> extents);

// The lock units of a piece, as numbers that count those of its target without gaps.
struct LockUnits {
  std::int64_t first = 0;
  std::int64_t last = 0;
};
LockUnits lock_units(const StorageSpec& spec, const TargetPiece& piece);

}  // namespace tutti::io_models
