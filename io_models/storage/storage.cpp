// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/storage/storage.hpp"

#include <iterator>

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

int LockTable::take(runtime::RankId holder, LockUnits units) {
  auto at = ranges_.upper_bound(units.first);
  if (at != ranges_.begin() && std::prev(at)->second.last >= units.first) --at;
  int called_back = 0;
  while (at != ranges_.end() && at->first <= units.last) {
    const auto [first, range] = *at;
    called_back += range.holder != holder;
    at = ranges_.erase(at);
    if (first < units.first) ranges_[first] = {units.first - 1, range.holder};
    if (range.last > units.last) ranges_[units.last + 1] = range;
  }
  join(ranges_.insert_or_assign(units.first, Range{units.last, holder}).first);
  return called_back;
}

// With the holder's ranges right before and right after.
void LockTable::join(Ranges::iterator range) {
  const auto touches = [](Ranges::iterator low, Ranges::iterator high) {
    return low->second.holder == high->second.holder && low->second.last + 1 == high->first;
  };
  const auto next = std::next(range);
  if (next != ranges_.end() && touches(range, next)) {
    range->second.last = next->second.last;
    ranges_.erase(next);
  }
  if (range == ranges_.begin()) return;
  const auto previous = std::prev(range);
  if (!touches(previous, range)) return;
  previous->second.last = range->second.last;
  ranges_.erase(range);
}

using runtime::RankId;

Storage::Storage(const StorageSpec& spec, RankId first_server)
    : spec_(spec), first_server_(first_server), use_(static_cast<std::size_t>(spec.targets)) {
  if (spec.lock_penalty_s > 0) locks_.resize(use_.size());
}

platforms::ServersSpec Storage::servers() const {
  return {.count = static_cast<platforms::HostId>(spec_.targets),
          .bandwidth_Bps = spec_.network_Bps,
          .latency_s = spec_.network_latency_s};
}

std::int32_t Storage::new_reply_tag(RankId client) {
  constexpr std::int32_t tags = 1 << 28;
  return first_reply_tag + replies_[client]++ % tags;
}

void Storage::announce(std::int64_t message, const StorageRequest& request) {
  const bool is_new = under_way_.try_emplace(message, request).second;
  TUTTI_CHECK(is_new, "a message asks twice");
}

StorageRequest Storage::take(std::int64_t message) {
  const auto found = under_way_.extract(message);
  TUTTI_CHECK(!found.empty(), "a server gets a message that asks for nothing");
  return found.mapped();
}

Seconds Storage::serve(const StorageRequest& request) {
  const auto target = static_cast<std::size_t>(request.piece.target);
  const Bytes bytes = request.piece.bytes;
  const bool is_write = request.kind == StorageRequest::Kind::write;
  TargetUse& use = use_[target];
  ++(is_write ? use.writes : use.reads);
  (is_write ? use.written : use.read) += bytes;
  Seconds duration_s =
      spec_.request_s + static_cast<double>(bytes) / (is_write ? spec_.write_Bps : spec_.read_Bps);
  if (is_write && !locks_.empty()) {
    const int called_back = locks_[target].take(request.client, lock_units(spec_, request.piece));
    use.locks_called_back += called_back;
    duration_s += called_back * spec_.lock_penalty_s;
  }
  use.busy_s += duration_s;
  return duration_s;
}

}  // namespace tutti::io_models
