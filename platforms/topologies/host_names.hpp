// SPDX-License-Identifier: BSD-3-Clause
// Names of a cluster's hosts: prefix + number of SimGrid's `radical` + suffix, computed on demand.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"

namespace tutti::platforms {

inline constexpr std::uint64_t most_hosts = 1 << 24;  // of a cluster, and of a machine

// Host numbers first .. first + count - 1, as a range of SimGrid's `radical`.
struct IdRange {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  std::uint32_t digits = 1;  // shorter numbers have leading zeros in names: "0001-0008"
};

// The number of hosts of a radical.
inline std::uint64_t count_hosts(const std::vector<IdRange>& radical) {
  std::uint64_t hosts = 0;
  for (const auto& range : radical) hosts += range.count;
  return hosts;
}

class HostNames {
 public:
  // `radical` must not be empty or contain duplicates.
  HostNames(std::string prefix, std::string suffix, std::vector<IdRange> radical);

  HostId count() const { return count_; }
  std::uint32_t radical_number(HostId id) const;
  std::string name(HostId id) const;
  std::optional<HostId> find(std::string_view name) const;

 private:
  // The index of the range that contains the host.
  std::size_t range_of(HostId id) const;

  std::string prefix_;
  std::string suffix_;
  std::vector<IdRange> radical_;
  std::vector<HostId> starts_;            // first host of each range
  std::vector<std::uint32_t> by_number_;  // indices of ranges, ordered by their numbers
  HostId count_ = 0;
};

}  // namespace tutti::platforms
