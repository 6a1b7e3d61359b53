// SPDX-License-Identifier: BSD-3-Clause
// The properties of the links of a job. Machines have few kinds of links, each in long ranges of
// numbers, or one kind for each link. The ranges fit into a cache, but a number for each link of a
// large machine does not.
#pragma once

#include "platforms/job_links.hpp"
#include "sim/base/common.hpp"
#include "sim/engines/flow/zero_array.hpp"

namespace tutti::engines {

// The bandwidth that each rank adds to the pooled NICs of its node (Contention::pooled_nics): the
// minimum of its NIC and of its core.
inline double pooled_Bps(const platforms::Machine& machine, double nic_Bps) {
  constexpr double unlimited = std::numeric_limits<double>::infinity();
  return std::min(nic_Bps, std::max(machine.rank_send_Bps.value_or(unlimited),
                                    machine.rank_receive_Bps.value_or(unlimited)));
}

class LinkKinds {
 public:
  // `links` must outlive this object.
  explicit LinkKinds(const platforms::JobLinks& links) : links_(links), kind_of_(links.count()) {}

  // The properties of the link; valid until the next call.
  const platforms::Link& of(platforms::LinkId id) {
    for (const Range& range : ranges_)
      if (id - range.from < range.size) return kinds_[range.kind];
    if (const std::uint32_t kind = kind_of_[id]; kind != 0) return kinds_[kind - 1];
    return find(id);
  }

 private:
  // `size` equal links from `from` on.
  struct Range {
    platforms::LinkId from = 0;
    platforms::LinkId size = 0;
    std::uint32_t kind = 0;  // index in kinds_
  };
  static constexpr std::size_t most_ranges = 8;
  static constexpr platforms::LinkId shortest_range = 64;

  const platforms::Link& find(platforms::LinkId id) {
    const platforms::LinkId size = links_.end_of_equal_links(id) - id;
    const std::uint32_t kind = kind_number(links_.link(id));
    if (size >= shortest_range && ranges_.size() < most_ranges)
      ranges_.push_back({id, size, kind});
    else
      kind_of_[id] = kind + 1;
    return kinds_[kind];
  }

  // The kind of a link, which is compared with the last kinds only.
  std::uint32_t kind_number(const platforms::Link& link) {
    constexpr std::size_t compared = 16;
    const auto first =
        kinds_.end() - static_cast<std::ptrdiff_t>(std::min(kinds_.size(), compared));
    const auto same = std::find(first, kinds_.end(), link);
    const auto number = static_cast<std::uint32_t>(same - kinds_.begin());
    if (same == kinds_.end()) kinds_.push_back(link);
    return number;
  }

  const platforms::JobLinks& links_;
  std::vector<platforms::Link> kinds_;
  std::vector<Range> ranges_;
  ZeroArray<std::uint32_t> kind_of_;  // by link outside the ranges: 1 + index in kinds_; 0: unknown
};

}  // namespace tutti::engines
