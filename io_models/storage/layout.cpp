// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/storage/layout.hpp"

#include <algorithm>

namespace tutti::io_models {
namespace {

// Joins what goes on where the target's last piece ended.
class PieceList {
 public:
  explicit PieceList(int targets) : last_(static_cast<std::size_t>(targets), none) {}

  void add(const TargetPiece& piece) {
    std::size_t& last = last_[static_cast<std::size_t>(piece.target)];
    if (last != none && pieces_[last].offset + pieces_[last].bytes == piece.offset) {
      pieces_[last].bytes += piece.bytes;
      return;
    }
    last = pieces_.size();
    pieces_.push_back(piece);
  }
  std::vector<TargetPiece> take() { return std::move(pieces_); }

 private:
  static constexpr std::size_t none = -1;
  std::vector<TargetPiece> pieces_;
  std::vector<std::size_t> last_;  // by target
};

void cut(const StorageSpec& spec, const Extent& extent, PieceList& pieces) {
  const Bytes stripe = spec.stripe_bytes;
  const std::int64_t first = extent.begin / stripe;
  const std::int64_t last = (extent.end - 1) / stripe;
  const std::int64_t end = std::min(last + 1, first + spec.targets);
  for (std::int64_t i = first; i < end; ++i) {  // the target's first stripe of the extent
    const std::int64_t last_here = last - (last - i) % spec.targets;
    const Bytes from = i / spec.targets * stripe + (i == first ? extent.begin % stripe : 0);
    const Bytes cut_off = last_here == last ? stripe - 1 - (extent.end - 1) % stripe : 0;
    const Bytes to = (last_here / spec.targets + 1) * stripe - cut_off;
    pieces.add({static_cast<int>(i % spec.targets), from, to - from});
  }
}

// A unit larger than the stripe has a stripe or none on a target if it has fewer stripes than there
// are targets; else at least one.
std::int64_t lock_unit(const StorageSpec& spec, int target, Bytes offset) {
  if (spec.lock_bytes <= spec.stripe_bytes) return offset / spec.lock_bytes;
  const std::int64_t stripe = offset / spec.stripe_bytes;
  const std::int64_t stripes = spec.lock_bytes / spec.stripe_bytes;  // of a unit
  if (stripes < spec.targets) return stripe;
  return (stripe * spec.targets + target) / stripes;
}

}  // namespace

std::vector<TargetPiece> cut_into_pieces(const StorageSpec& spec, std::span<const Extent> extents) {
  PieceList pieces(spec.targets);
  for (const Extent& extent : extents)
    if (!extent.empty()) cut(spec, extent, pieces);
  return pieces.take();
}

LockUnits lock_units(const StorageSpec& spec, const TargetPiece& piece) {
  return {lock_unit(spec, piece.target, piece.offset),
          lock_unit(spec, piece.target, piece.offset + piece.bytes - 1)};
}

}  // namespace tutti::io_models
