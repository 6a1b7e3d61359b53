// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/topologies/host_names.hpp"

#include <charconv>

namespace tutti::platforms {

HostNames::HostNames(std::string prefix, std::string suffix, std::vector<IdRange> radical)
    : prefix_(std::move(prefix)), suffix_(std::move(suffix)), radical_(std::move(radical)) {
  for (const auto& range : radical_) {
    by_number_.push_back(static_cast<std::uint32_t>(starts_.size()));
    starts_.push_back(count_);
    count_ += range.count;
  }
  std::sort(by_number_.begin(), by_number_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return radical_[a].first < radical_[b].first;
  });
  TUTTI_CHECK(count_ > 0, "a cluster without hosts");
}

std::size_t HostNames::range_of(HostId id) const {
  TUTTI_CHECK(id < count_, "no such host");
  const auto next = std::upper_bound(starts_.begin(), starts_.end(), id);
  return static_cast<std::size_t>(next - starts_.begin()) - 1;
}

std::uint32_t HostNames::radical_number(HostId id) const {
  const auto range = range_of(id);
  return radical_[range].first + (id - starts_[range]);
}

std::string HostNames::name(HostId id) const {
  return fmt::format("{}{:0{}}{}", prefix_, radical_number(id), radical_[range_of(id)].digits,
                     suffix_);
}

std::optional<HostId> HostNames::find(std::string_view name) const {
  if (!name.starts_with(prefix_)) return std::nullopt;
  name.remove_prefix(prefix_.size());
  if (!name.ends_with(suffix_)) return std::nullopt;
  name.remove_suffix(suffix_.size());
  std::uint32_t number = 0;
  const char* end = name.data() + name.size();
  const auto [after, status] = std::from_chars(name.data(), end, number);
  if (status != std::errc{} || after != end) return std::nullopt;
  const auto next = std::upper_bound(
      by_number_.begin(), by_number_.end(), number,
      [&](std::uint32_t wanted, std::uint32_t i) { return wanted < radical_[i].first; });
  if (next == by_number_.begin()) return std::nullopt;
  const std::uint32_t range = *(next - 1);
  const std::uint32_t within = number - radical_[range].first;
  if (within >= radical_[range].count) return std::nullopt;
  const bool is_padded = name.size() > 1 && name.front() == '0';
  const bool is_short = name.size() < radical_[range].digits;
  if (is_short || (is_padded && name.size() != radical_[range].digits)) return std::nullopt;
  return starts_[range] + within;
}

}  // namespace tutti::platforms
