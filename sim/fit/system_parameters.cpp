// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/system_parameters.hpp"

#include <fmt/format.h>

#include <numeric>

#include "sim/studies/parameter_text.hpp"

namespace tutti::studies {
namespace {

std::string two_levels(double cache_Bps, Bytes cache_bytes, double memory_Bps) {
  return fmt::format("0:{};{}:{}", rate_text(cache_Bps), cache_bytes, rate_text(memory_Bps));
}

}  // namespace

Seconds SystemParameters::extra_latency_s(std::size_t point) const {
  return std::accumulate(extra_steps_s->begin(),
                         extra_steps_s->begin() + static_cast<std::ptrdiff_t>(point) + 1, 0.0);
}

SystemParameters system_of(const HardwareClass& hardware) {
  SystemParameters system{.cache_bytes = hardware.cache_bytes,
                          .allocation_bytes = hardware.allocation_bytes,
                          .combine_cache_Bps = hardware.combine_cache.value,
                          .combine_memory_Bps = hardware.combine_memory.value,
                          .copy_cache_Bps = hardware.copy_cache.value,
                          .copy_memory_Bps = hardware.copy_memory.value,
                          .allocation_Bps = hardware.allocation.value,
                          .arrival_skew_s = hardware.arrival_skew.value,
                          .scale_latency_s = hardware.scale_latency.value,
                          .extra_steps_s = std::array<Seconds, extra_latency_sizes.size()>{},
                          .rendezvous = hardware.rendezvous};
  for (std::size_t i = 0; i < extra_latency_sizes.size(); ++i)
    (*system.extra_steps_s)[i] = hardware.extra_steps[i].value;
  return system;
}

std::vector<platforms::GivenParameter> given_parameters(const SystemParameters& system) {
  std::vector<platforms::GivenParameter> given;
  const auto give = [&](const char* key, std::string value) {
    given.push_back({.key = key, .value = std::move(value), .line = 0});
  };
  if (system.extra_steps_s) {
    std::string curve = "0:0";
    for (std::size_t i = 0; i < extra_latency_sizes.size(); ++i)
      curve += fmt::format(";{}:{}", extra_latency_sizes[i], time_text(system.extra_latency_s(i)));
    give("mpi/extra_latency", std::move(curve));
  }
  if (system.scale_latency_s)
    give("mpi/scale_latency",
         fmt::format("{}:{}", scale_latency_nodes, time_text(*system.scale_latency_s)));
  if (system.rendezvous)
    give("mpi/rendezvous", *system.rendezvous == platforms::Rendezvous::get ? "get" : "put");
  if (system.arrival_skew_s) give("mpi/arrival_skew", time_text(*system.arrival_skew_s));
  give("mpi/combine_bandwidth",
       two_levels(system.combine_cache_Bps, system.cache_bytes, system.combine_memory_Bps));
  give("mpi/local_copy_bandwidth",
       two_levels(system.copy_cache_Bps, system.cache_bytes, system.copy_memory_Bps));
  give("mpi/allocation_bandwidth",
       fmt::format("0:none;{}:{}", system.allocation_bytes - 1, rate_text(system.allocation_Bps)));
  return given;
}

}  // namespace tutti::studies
