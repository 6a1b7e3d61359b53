// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/file_domains.hpp"

namespace tutti::io_models {
namespace {

Bytes largest_share(Extent range, int aggregators) {
  return (range.bytes() + aggregators - 1) / aggregators;
}

Bytes nearest_multiple(Bytes offset, Bytes unit) {
  const Bytes below = offset / unit * unit;
  return offset - below <= below + unit - offset ? below : below + unit;
}

}  // namespace

FileDomains FileDomains::even(Extent range, int aggregators, Bytes alignment) {
  FileDomains domains(range, aggregators);
  const Bytes part = largest_share(range, aggregators);
  domains.borders_.push_back(range.begin);
  for (int i = 1; i < aggregators; ++i) {
    const Bytes border = range.begin + i * part;
    const Bytes moved = alignment > 0 ? nearest_multiple(border, alignment) : border;
    domains.borders_.push_back(std::clamp(moved, domains.borders_.back(), range.end));
  }
  domains.borders_.push_back(range.end);
  return domains;
}

FileDomains FileDomains::even_from_zero(Extent range, int aggregators) {
  return round_robin(range, aggregators, std::max<Bytes>(1, largest_share(range, aggregators)));
}

FileDomains FileDomains::round_robin(Extent range, int aggregators, Bytes unit) {
  FileDomains domains(range, aggregators);
  domains.unit_ = unit;
  return domains;
}

int FileDomains::owner(Bytes offset) const {
  if (borders_.empty()) return static_cast<int>(offset / unit_ % aggregators_);
  // Skips empty domains by selecting the last one that begins here.
  const auto after = std::upper_bound(borders_.begin(), borders_.end() - 1, offset);
  return static_cast<int>(after - borders_.begin()) - 1;
}

Extent FileDomains::unit(std::int64_t index) const {
  return {std::max(range_.begin, index * unit_), std::min(range_.end, (index + 1) * unit_)};
}

std::int64_t FileDomains::first_unit(int aggregator) const {
  const std::int64_t first = range_.begin / unit_;
  return first + (aggregator - first % aggregators_ + aggregators_) % aggregators_;
}

Bytes FileDomains::own_bytes(int aggregator) const {
  if (!borders_.empty()) return borders_[aggregator + 1] - borders_[aggregator];
  const std::int64_t first = first_unit(aggregator);
  if (first * unit_ >= range_.end) return 0;
  const std::int64_t rounds = ((range_.end - 1) / unit_ - first) / aggregators_;  // after the first
  const std::int64_t last = first + rounds * aggregators_;
  if (rounds == 0) return unit(first).bytes();
  return unit(first).bytes() + (rounds - 1) * unit_ + unit(last).bytes();
}

Bytes FileDomains::cut_bytes(int aggregator) const {
  const std::int64_t first = first_unit(aggregator);
  return std::max<Bytes>(0, range_.begin - first * unit_);
}

Bytes FileDomains::place(int aggregator, Bytes coordinate) const {
  if (!borders_.empty()) return borders_[aggregator] + coordinate;
  const std::int64_t first = first_unit(aggregator);
  const Bytes whole = coordinate + unit(first).begin - first * unit_;
  return (first + whole / unit_ * aggregators_) * unit_ + whole % unit_;
}

Bytes FileDomains::coordinate_from(int aggregator, Bytes offset) const {
  if (!borders_.empty()) return std::max<Bytes>(0, offset - borders_[aggregator]);
  const std::int64_t first = first_unit(aggregator);
  if (offset <= unit(first).begin) return 0;
  const std::int64_t rounds = (offset / unit_ - first) / aggregators_;
  const bool is_own = offset / unit_ == first + rounds * aggregators_;
  const Bytes whole = is_own ? rounds * unit_ + offset % unit_ : (rounds + 1) * unit_;
  return whole - (unit(first).begin - first * unit_);
}

void FileDomains::own(int aggregator, Extent coordinates, std::vector<Extent>& out) const {
  const Bytes end = std::min(coordinates.end, own_bytes(aggregator));
  Bytes at = coordinates.begin;
  if (at >= end) return;
  if (!borders_.empty()) {
    out.push_back({borders_[aggregator] + at, borders_[aggregator] + end});
    return;
  }
  // Computes as if the first unit were complete; `cut` bytes of it lie before the range.
  const std::int64_t first = first_unit(aggregator);
  const Bytes cut = unit(first).begin - first * unit_;
  while (at < end) {
    const std::int64_t round = (at + cut) / unit_;
    const Bytes in_unit = (at + cut) % unit_;
    const Bytes bytes = std::min(end - at, unit_ - in_unit);
    const Bytes begin = (first + round * aggregators_) * unit_ + in_unit;
    if (!out.empty() && out.back().end == begin)
      out.back().end = begin + bytes;  // a single aggregator: units are adjacent
    else
      out.push_back({begin, begin + bytes});
    at += bytes;
  }
}

}  // namespace tutti::io_models
