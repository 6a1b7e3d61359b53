// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/calls.hpp"

namespace tutti::io_models {

SlotOrder::SlotOrder(std::vector<RankId> slot_of) : slot_of_(std::move(slot_of)) {
  for (RankId rank = 0; rank < slots(); ++rank) by_slot_.emplace_back(slot_of_[rank], rank);
  std::ranges::sort(by_slot_);
  for (std::size_t i = 0; i < by_slot_.size(); ++i)
    is_permutation_ = is_permutation_ && by_slot_[i].first == static_cast<RankId>(i);
}

void SlotOrder::ranks(RankId first, RankId last, std::vector<RankId>& out) const {
  const std::size_t before = out.size();
  auto slot = std::ranges::lower_bound(by_slot_, first, {}, &std::pair<RankId, RankId>::first);
  for (; slot != by_slot_.end() && slot->first < last; ++slot) out.push_back(slot->second);
  std::sort(out.begin() + static_cast<std::ptrdiff_t>(before), out.end());
}

RankId SlotOrder::next_slot(RankId slot) const {
  const auto found =
      std::ranges::lower_bound(by_slot_, slot, {}, &std::pair<RankId, RankId>::first);
  return found == by_slot_.end() ? slots() : found->first;
}

Extent SlotAccess::range() const {
  if (slots_.bytes == 0) return {};
  const RankId first = order_ ? order_->first_slot() : 0;
  const RankId last = order_ ? order_->last_slot() : slots_.procs - 1;
  return {slot(first).begin, slot(last).end};
}

Bytes SlotAccess::bytes_below(RankId rank, Bytes offset) const {
  const Extent own = slot_of(rank);
  return std::clamp<Bytes>(offset - own.begin, 0, own.bytes());
}

std::int64_t SlotAccess::pieces_in(RankId rank, Extent extent) const {
  return bytes_in(rank, extent) > 0 ? 1 : 0;
}

void SlotAccess::pieces(RankId rank, Extent extent, std::vector<Extent>& out) const {
  const Extent own = slot_of(rank);
  const Extent piece{std::max(own.begin, extent.begin), std::min(own.end, extent.end)};
  if (!piece.empty()) out.push_back(piece);
}

void SlotAccess::ranks_in(Extent extent, std::vector<RankId>& out) const {
  extent = {std::max(extent.begin, range().begin), std::min(extent.end, range().end)};
  if (extent.empty()) return;
  // The first slot that ends after the extent's begin, and the last one that begins before its end.
  Bytes first = (extent.begin - slots_.first) / slots_.distance;
  if (slot(static_cast<RankId>(first)).end <= extent.begin) ++first;
  const Bytes last = (extent.end - 1 - slots_.first) / slots_.distance + 1;
  if (order_) return order_->ranks(static_cast<RankId>(first), static_cast<RankId>(last), out);
  for (Bytes rank = first; rank < last; ++rank) out.push_back(static_cast<RankId>(rank));
}

Bytes SlotAccess::next_data(Bytes offset) const {
  const Extent all = range();
  if (offset >= all.end) return all.end;
  if (offset <= all.begin) return all.begin;
  auto number = static_cast<RankId>((offset - slots_.first) / slots_.distance);
  if (slot(number).end <= offset) ++number;
  if (order_) number = order_->next_slot(number);
  return std::max(offset, slot(number).begin);
}

}  // namespace tutti::io_models
