// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/device_names.hpp"

namespace tutti::studies::replay {
namespace {

using workloads::traces::RegionRole;
using Work = DeviceName::Work;

bool has_one_of(const std::string& name, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](auto word) { return name.find(word) != name.npos; });
}

Work work_of_call(const std::string& lower, RegionRole role) {
  if (role != RegionRole::launch && role != RegionRole::device_wait) return Work::other;
  if (has_one_of(lower, {"hostfunc", "prefetch", "mallocasync", "freeasync"})) return Work::other;
  if (has_one_of(lower, {"memset", "enqueuefill"})) return Work::fill;
  if (has_one_of(lower,
                 {"memcpy", "enqueueread", "enqueuewrite", "enqueuecopy", "upload", "download",
                  "target data", "target enter", "target exit", "target update"}))
    return Work::copy;
  return role == RegionRole::launch &&
                 has_one_of(lower, {"launch", "ndrange", "enqueuetask", "omp target"})
             ? Work::kernel
             : Work::other;
}

Work work_of_operation(const std::string& lower) {
  if (lower.find("memset") != lower.npos) return Work::fill;
  return has_one_of(lower, {"memcpy", "htod", "dtoh", "dtod", "upload", "download"}) ||
                 lower.starts_with("copy")
             ? Work::copy
             : Work::kernel;
}

// "AllReduce" of "ncclDevKernel_AllReduce_Sum_f32_RING_LL",
// "ncclKernel_AllReduce_RING_LL_Sum_float" and "ncclAllReduceRingLLKernel_sum_f32".
std::string collective_of(const std::string& name) {
  constexpr std::array<std::string_view, 8> known{"AllReduce", "ReduceScatter", "AllGather",
                                                  "Broadcast", "SendRecv",      "AllToAll",
                                                  "Reduce",    "Generic"};
  const auto begin = name.find("nccl");
  if (begin == name.npos || name.find("Kernel", begin) == name.npos) return {};
  for (const auto operation : known)
    if (name.find(operation, begin) != name.npos) return std::string(operation);
  return "Generic";
}

}  // namespace

std::vector<DeviceName> device_names(const std::vector<workloads::traces::TraceRegion>& regions) {
  std::vector<DeviceName> names;
  for (const auto& region : regions) {
    const std::string lower = lower_case(region.name);
    DeviceName name{.call = work_of_call(lower, region.role),
                    .operation = work_of_operation(lower),
                    .is_target = lower.starts_with("!$omp target"),
                    .collective = collective_of(region.name)};
    if (lower.find("event") != lower.npos)
      name.scope = DeviceName::Scope::event;
    else if (lower.find("stream") != lower.npos)
      name.scope = DeviceName::Scope::stream;
    name.has_unknown_peers = name.collective == "SendRecv" || name.collective == "Generic";
    names.push_back(std::move(name));
  }
  return names;
}

}  // namespace tutti::studies::replay
