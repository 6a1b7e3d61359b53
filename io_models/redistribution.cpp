// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/redistribution.hpp"

#include "io_models/partitioning.hpp"

namespace tutti::io_models {
namespace {

// Sums the bytes of each rank over several extents; sorts `found` by rank from `first` on.
void merge_by_rank(std::vector<Transfer>& found, std::size_t first) {
  const auto begin = found.begin() + static_cast<std::ptrdiff_t>(first);
  std::stable_sort(begin, found.end(),
                   [](const Transfer& a, const Transfer& b) { return a.rank < b.rank; });
  auto last = begin;
  for (auto transfer = begin; transfer != found.end(); ++transfer) {
    if (last != begin && (last - 1)->rank == transfer->rank)
      (last - 1)->bytes += transfer->bytes;
    else
      *last++ = *transfer;
  }
  found.erase(last, found.end());
}

// Calls visit(rank, part) for each part and each rank with data in it.
template <class Visit>
void visit_ranks(const Access& access, const std::vector<Extent>& parts, Visit visit) {
  std::vector<RankId> ranks;
  for (const Extent& part : parts) {
    ranks.clear();
    access.ranks_in(part, ranks);
    for (const RankId rank : ranks) visit(rank, part);
  }
}

// Merges sorted extents that touch or overlap.
void merge(std::vector<Extent>& extents, std::size_t first) {
  const auto begin = extents.begin() + static_cast<std::ptrdiff_t>(first);
  std::sort(begin, extents.end(),
            [](const Extent& a, const Extent& b) { return a.begin < b.begin; });
  auto last = begin;
  for (auto extent = begin; extent != extents.end(); ++extent) {
    if (last != begin && extent->begin <= (last - 1)->end)
      (last - 1)->end = std::max((last - 1)->end, extent->end);
    else
      *last++ = *extent;
  }
  extents.erase(last, extents.end());
}

}  // namespace

Redistribution::Redistribution(const Access& access, FileDomains domains, Bytes cycle_bytes,
                               Slices slices)
    : access_(access),
      domains_(std::move(domains)),
      cycle_bytes_(cycle_bytes),
      is_dense_(access.is_dense() && domains_.range() == access.range()) {
  if (!is_dense_ && slices == Slices::of_data) list_pieces();
  if (!is_dense_ && slices == Slices::of_requests) trim_to_requests();
  if (slices == Slices::of_units)
    for (int i = 0; i < aggregators(); ++i) cut_.push_back(domains_.cut_bytes(i));
  for (int i = 0; i < aggregators(); ++i) cycles_ = std::max(cycles_, cycles_of(i));
}

Redistribution::Redistribution(const Access& access, RankGroups groups, Bytes cycle_bytes)
    : access_(access),
      domains_(FileDomains::even(access.range(), groups.count())),
      groups_(groups),
      cycle_bytes_(cycle_bytes),
      is_dense_(access.is_dense()) {
  for (int i = 0; i < aggregators(); ++i)
    group_bytes_.push_back(group_bytes_below(i, access.range().end));
  if (access.overlaps()) list_pieces_of_groups();
  for (int i = 0; i < aggregators(); ++i) cycles_ = std::max(cycles_, cycles_of(i));
}

void Redistribution::list_pieces_of_groups() {
  listed_.resize(aggregators());
  std::vector<Extent> found;
  for (int i = 0; i < aggregators(); ++i) {
    for (RankId rank = groups_->begin(i); rank < groups_->end(i); ++rank) {
      found.clear();
      access_.pieces(rank, access_.range(), found);
      for (const Extent& extent : found) listed_[i].push_back({extent, rank, 0});
    }
    sort_listed(i);
  }
}

void Redistribution::sort_listed(int aggregator) {
  auto& pieces = listed_[aggregator];
  std::ranges::stable_sort(pieces, {}, [](const Listed& piece) { return piece.extent.begin; });
  Bytes below = 0;
  for (Listed& piece : pieces) below += (piece.below = below, piece.extent.bytes());
}

Bytes Redistribution::group_bytes_below(int group, Bytes offset) const {
  Bytes bytes = 0;
  for (RankId rank = groups_->begin(group); rank < groups_->end(group); ++rank)
    bytes += access_.bytes_below(rank, offset);
  return bytes;
}

Bytes Redistribution::group_offset(int group, Bytes bytes) const {
  if (bytes <= 0) return access_.range().begin;
  Bytes low = access_.range().begin;
  Bytes high = access_.range().end;
  Bytes below_low = 0;
  Bytes below_high = group_bytes_[group];
  // Linear interpolation, which finds offsets in large pieces at once, and bisection in turn.
  for (bool interpolates = true; high - low > 1; interpolates = !interpolates) {
    const Wide part = interpolates
                          ? Wide{high - low} * (bytes - below_low) / (below_high - below_low)
                          : Wide{high - low} / 2;
    const Bytes offset = std::clamp(low + narrow(part), low + 1, high - 1);
    const Bytes below = group_bytes_below(group, offset);
    (below < bytes ? low : high) = offset;
    (below < bytes ? below_low : below_high) = below;
  }
  return high;
}

Extent Redistribution::group_part(int group, std::int64_t cycle) const {
  const Bytes begin = cycle * cycle_bytes_;
  return {group_offset(group, begin),
          group_offset(group, std::min(group_bytes_[group], begin + cycle_bytes_))};
}

// Cuts all pieces at the borders of the domains.
void Redistribution::list_pieces() {
  listed_.resize(aggregators());
  std::vector<Extent> own, found;
  for (int i = 0; i < aggregators(); ++i) {
    own.clear();
    domains_.own(i, {0, domains_.own_bytes(i)}, own);
    visit_ranks(access_, own, [&](RankId rank, const Extent& part) {
      found.clear();
      access_.pieces(rank, part, found);
      for (const Extent& piece : found) listed_[i].push_back({piece, rank, 0});
    });
    sort_listed(i);
  }
}

void Redistribution::trim_to_requests() {
  requested_.resize(aggregators());
  std::vector<Extent> own;
  for (int i = 0; i < aggregators(); ++i) {
    own.clear();
    domains_.own(i, {0, domains_.own_bytes(i)}, own);
    Extent& requested = requested_[i];
    visit_ranks(access_, own, [&](RankId rank, const Extent& part) {
      const Extent data = data_in(access_, rank, part);
      const Bytes at = domains_.coordinate_from(i, part.begin);
      const Extent span{at + data.begin - part.begin, at + data.end - part.begin};
      requested = requested.empty() ? span
                                    : Extent{std::min(requested.begin, span.begin),
                                             std::max(requested.end, span.end)};
    });
  }
}

std::int64_t Redistribution::cycles_of(int aggregator) const {
  Bytes bytes = domains_.own_bytes(aggregator);
  if (groups_) {
    bytes = group_bytes_[aggregator];
  } else if (!listed_.empty()) {
    const auto& pieces = listed_[aggregator];
    bytes = pieces.empty() ? 0 : pieces.back().below + pieces.back().extent.bytes();
  } else if (!requested_.empty()) {
    bytes = requested_[aggregator].bytes();
  }
  if (bytes == 0) return 0;
  return (bytes + cut(aggregator) + cycle_bytes_ - 1) / cycle_bytes_;
}

std::int64_t Redistribution::next_with_data(int aggregator, std::int64_t cycle) const {
  const std::int64_t cycles = cycles_of(aggregator);
  if (all_have_data() || cycle >= cycles) return std::min(cycle, cycles);
  const Bytes origin = coordinates(aggregator, 0).begin - cut(aggregator);
  const Bytes end = coordinates(aggregator, cycles - 1).end;
  Bytes at = coordinates(aggregator, cycle).begin;
  while (at < end) {
    const Bytes place = domains_.place(aggregator, at);
    const Bytes data = access_.next_data(place);
    if (data >= domains_.range().end) return cycles;
    const Bytes next = domains_.coordinate_from(aggregator, data);
    if (next >= end) return cycles;
    if (domains_.place(aggregator, next) == data) return (next - origin) / cycle_bytes_;
    at = next;
  }
  return cycles;
}

// The extent of a cycle in the aggregator's own coordinates.
Extent Redistribution::coordinates(int aggregator, std::int64_t cycle) const {
  const Bytes first = requested_.empty() ? 0 : requested_[aggregator].begin;
  const Bytes end =
      requested_.empty() ? domains_.own_bytes(aggregator) : requested_[aggregator].end;
  const Bytes begin = first + cycle * cycle_bytes_ - cut(aggregator);
  return {std::max(first, begin), std::min(end, begin + cycle_bytes_)};
}

void Redistribution::covered(int aggregator, std::int64_t cycle, std::vector<Extent>& out) const {
  domains_.own(aggregator, coordinates(aggregator, cycle), out);
}

template <class Visit>
void Redistribution::visit_listed(int aggregator, std::int64_t cycle, Visit visit) const {
  const auto& pieces = listed_[aggregator];
  const Bytes begin = cycle * cycle_bytes_;
  const Bytes end = begin + cycle_bytes_;
  auto piece_at = std::partition_point(pieces.begin(), pieces.end(), [&](const Listed& piece) {
    return piece.below + piece.extent.bytes() <= begin;
  });
  for (; piece_at != pieces.end() && piece_at->below < end; ++piece_at) {
    const Bytes from = piece_at->extent.begin + std::max<Bytes>(0, begin - piece_at->below);
    const Bytes to = std::min(piece_at->extent.end, piece_at->extent.begin + end - piece_at->below);
    visit(piece_at->rank, Extent{from, to});
  }
}

void Redistribution::group_transfers(int group, std::int64_t cycle,
                                     std::vector<Transfer>& out) const {
  if (cycle >= cycles_of(group)) return;
  const std::size_t first = out.size();
  for (RankId rank = groups_->begin(group); rank < groups_->end(group); ++rank)
    out.push_back({rank, group, 0});
  Transfer* const of_group = out.data() + first;
  const RankId begin = groups_->begin(group);
  if (!listed_.empty())
    return visit_listed(group, cycle, [&](RankId rank, const Extent& extent) {
      of_group[rank - begin].bytes += extent.bytes();
    });
  const Extent part = group_part(group, cycle);
  for (RankId rank = begin; rank < groups_->end(group); ++rank)
    of_group[rank - begin].bytes = access_.bytes_in(rank, part);
}

void Redistribution::transfers(int aggregator, std::int64_t cycle,
                               std::vector<Transfer>& out) const {
  if (groups_) return group_transfers(aggregator, cycle, out);
  const std::size_t first = out.size();
  if (!listed_.empty()) {
    visit_listed(aggregator, cycle, [&](RankId rank, const Extent& extent) {
      out.push_back({rank, aggregator, extent.bytes()});
    });
    return merge_by_rank(out, first);
  }
  std::vector<Extent> parts;
  covered(aggregator, cycle, parts);
  visit_ranks(access_, parts, [&](RankId rank, const Extent& part) {
    out.push_back({rank, aggregator, access_.bytes_in(rank, part)});
  });
  if (parts.size() > 1) merge_by_rank(out, first);
}

void Redistribution::file_extents(int aggregator, std::int64_t cycle,
                                  std::vector<Extent>& out) const {
  const std::size_t first = out.size();
  if (!listed_.empty()) {
    visit_listed(aggregator, cycle, [&](RankId, const Extent& extent) { out.push_back(extent); });
    return merge(out, first);
  }
  if (groups_) {
    if (cycle >= cycles_of(aggregator)) return;
    const Extent part = group_part(aggregator, cycle);
    for (RankId rank = groups_->begin(aggregator); rank < groups_->end(aggregator); ++rank)
      access_.pieces(rank, part, out);
    return merge(out, first);
  }
  if (is_dense_) return covered(aggregator, cycle, out);
  std::vector<Transfer> messages;
  transfers(aggregator, cycle, messages);
  for (const Transfer& transfer : messages) pieces(transfer, cycle, out);
  merge(out, first);
}

void Redistribution::pieces(const Transfer& transfer, std::int64_t cycle,
                            std::vector<Extent>& out) const {
  if (!listed_.empty()) {
    visit_listed(transfer.aggregator, cycle, [&](RankId rank, const Extent& extent) {
      if (rank == transfer.rank) out.push_back(extent);
    });
    return;
  }
  std::vector<Extent> parts;
  if (groups_)
    parts.push_back(group_part(transfer.aggregator, cycle));
  else
    covered(transfer.aggregator, cycle, parts);
  for (const Extent& part : parts) access_.pieces(transfer.rank, part, out);
}

std::vector<Leg> Redistribution::requests_to(int aggregator) const {
  if (groups_) {
    std::vector<Leg> legs;
    for (RankId rank = groups_->begin(aggregator); rank < groups_->end(aggregator); ++rank)
      if (const auto count = access_.pieces_in(rank, access_.range()); count > 0)
        legs.push_back({0, rank, count});
    return legs;
  }
  std::vector<Extent> own;
  domains_.own(aggregator, {0, domains_.own_bytes(aggregator)}, own);
  std::map<RankId, std::int64_t> pieces;
  visit_ranks(access_, own, [&](RankId rank, const Extent& part) {
    pieces[rank] += access_.pieces_in(rank, part);
  });
  std::vector<Leg> legs;
  for (const auto& [rank, count] : pieces) legs.push_back({0, rank, count});
  return legs;
}

Schedule::Schedule(const Redistribution& redistribution, std::vector<std::int64_t> cycles)
    : redistribution_(&redistribution), cycles_(std::move(cycles)) {
  std::vector<std::vector<Leg>> legs(redistribution.aggregators());
  std::vector<Transfer> found;
  for (int i = 0; i < redistribution.aggregators(); ++i)
    for (int step = 0; step < steps(); ++step) {
      found.clear();
      redistribution.transfers(i, cycle(step), found);
      for (const Transfer& transfer : found)
        legs[i].push_back({step, transfer.rank, transfer.bytes});
    }
  messages_ = Legs(redistribution.procs(), steps(), legs);
}

}  // namespace tutti::io_models
