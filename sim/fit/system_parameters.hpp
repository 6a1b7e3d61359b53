// SPDX-License-Identifier: BSD-3-Clause
// What a machine has beside the protocol of a single message: what its cores combine, copy and
// allocate, what messages take beyond latency and bandwidth, how late ranks arrive.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "platforms/machine.hpp"
#include "sim/fit/hardware_class.hpp"

namespace tutti::studies {

// Times in s, rates in B/s.
struct SystemParameters {
  Bytes cache_bytes = 32 << 20;
  Bytes allocation_bytes = 32 << 20;
  double combine_cache_Bps = 0;
  double combine_memory_Bps = 0;
  double copy_cache_Bps = 0;
  double copy_memory_Bps = 0;
  double allocation_Bps = 0;
  std::optional<Seconds> arrival_skew_s = {};
  std::optional<Seconds> scale_latency_s = {};
  // How much the extra latency rises up to each of `extra_latency_sizes`; unset: sections of
  // sizes say what a message takes.
  std::optional<std::array<Seconds, extra_latency_sizes.size()>> extra_steps_s = {};
  std::optional<platforms::Rendezvous> rendezvous = {};

  // Of the curve at its point.
  Seconds extra_latency_s(std::size_t point) const;
};

// The medians of the class, all of them.
SystemParameters system_of(const HardwareClass& hardware);

// mpi/combine_bandwidth, ... as a platform file has them.
std::vector<platforms::GivenParameter> given_parameters(const SystemParameters& system);

}  // namespace tutti::studies
