// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/machine_size.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace tutti::platforms {

MachineSize size_of(const Machine& machine) {
  MachineSize size{.hosts = machine.host_count(),
                   .least_cores = machine.cores_per_host,
                   .most_cores = machine.cores_per_host,
                   .cores = std::int64_t{machine.host_count()} * machine.cores_per_host};
  if (machine.host_cores.empty()) return size;
  const auto& each = machine.host_cores;
  const auto [least, most] = std::minmax_element(each.begin(), each.end());
  size.least_cores = *least;
  size.most_cores = *most;
  size.cores = std::accumulate(each.begin(), each.end(), std::int64_t{0});
  return size;
}

std::string nodes_and_cores(const MachineSize& size) {
  const auto nodes = fmt::format("{} node{}", size.hosts, size.hosts == 1 ? "" : "s");
  const auto cores = fmt::format("{} core{}", size.most_cores, size.most_cores == 1 ? "" : "s");
  return size.is_even() ? fmt::format("{} x {}", nodes, cores)
                        : fmt::format("{} of {} to {}", nodes, size.least_cores, cores);
}

std::string describe(const MachineSize& size) {
  const auto told = nodes_and_cores(size);
  return size.is_even() ? told : fmt::format("{}, {} in all", told, size.cores);
}

}  // namespace tutti::platforms
