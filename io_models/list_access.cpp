// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/list_access.hpp"

#include <algorithm>

namespace tutti::io_models {

ListAccess::ListAccess(std::vector<std::vector<Extent>> pieces) : first_{0} {
  for (RankId rank = 0; const auto& own : pieces) {
    std::vector<Extent> sorted;
    for (const Extent& each : own)
      if (!each.empty()) sorted.push_back(each);
    std::ranges::sort(sorted, {}, &Extent::begin);
    Bytes below = 0;
    for (const Extent& each : sorted) {
      pieces_.push_back({each, below});
      by_offset_.push_back({each, rank});
      below += each.bytes();
      longest_ = std::max(longest_, each.bytes());
    }
    first_.push_back(pieces_.size());
    ++rank;
  }
  std::ranges::stable_sort(by_offset_, {}, [](const Owned& each) { return each.extent.begin; });
  look_for_holes();
}

void ListAccess::look_for_holes() {
  if (by_offset_.empty()) return;
  range_ = {by_offset_.front().extent.begin, by_offset_.front().extent.begin};
  for (const Owned& each : by_offset_) {
    is_dense_ = is_dense_ && each.extent.begin == range_.end;
    overlaps_ = overlaps_ || each.extent.begin < range_.end;
    if (with_data_.empty() || each.extent.begin > range_.end) with_data_.push_back(each.extent);
    range_.end = std::max(range_.end, each.extent.end);
    with_data_.back().end = range_.end;
  }
}

const ListAccess::Piece* ListAccess::from(RankId rank, Bytes offset) const {
  return std::partition_point(pieces_.data() + first_[rank], end_of(rank),
                              [&](const Piece& each) { return each.extent.end <= offset; });
}

Bytes ListAccess::bytes_below(RankId rank, Bytes offset) const {
  const Piece* piece = from(rank, offset);
  if (piece != end_of(rank)) return piece->below + std::max<Bytes>(0, offset - piece->extent.begin);
  if (first_[rank] == first_[rank + 1]) return 0;
  const Piece& last = *(piece - 1);
  return last.below + last.extent.bytes();
}

Bytes ListAccess::next_data(Bytes offset) const {
  const auto found = std::partition_point(with_data_.begin(), with_data_.end(),
                                          [&](const Extent& each) { return each.end <= offset; });
  return found == with_data_.end() ? range_.end : std::max(offset, found->begin);
}

std::int64_t ListAccess::pieces_in(RankId rank, Extent extent) const {
  if (extent.empty()) return 0;
  const Piece* first = from(rank, extent.begin);
  return std::partition_point(first, end_of(rank),
                              [&](const Piece& each) { return each.extent.begin < extent.end; }) -
         first;
}

void ListAccess::pieces(RankId rank, Extent extent, std::vector<Extent>& out) const {
  const std::int64_t count = pieces_in(rank, extent);
  const Piece* piece = from(rank, extent.begin);
  for (std::int64_t i = 0; i < count; ++i, ++piece)
    out.push_back(
        {std::max(piece->extent.begin, extent.begin), std::min(piece->extent.end, extent.end)});
}

void ListAccess::ranks_in(Extent extent, std::vector<RankId>& out) const {
  if (extent.empty()) return;
  const auto found = static_cast<std::ptrdiff_t>(out.size());
  auto each = std::ranges::lower_bound(by_offset_, extent.begin - longest_, {},
                                       [](const Owned& owned) { return owned.extent.begin; });
  for (; each != by_offset_.end() && each->extent.begin < extent.end; ++each)
    if (each->extent.end > extent.begin) out.push_back(each->rank);
  std::sort(out.begin() + found, out.end());
  out.erase(std::unique(out.begin() + found, out.end()), out.end());
}

}  // namespace tutti::io_models
