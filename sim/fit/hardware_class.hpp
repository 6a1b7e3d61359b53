// SPDX-License-Identifier: BSD-3-Clause
// What is known of a machine before anything is measured: for each class of networks and nodes the
// parameters of its message model as priors. Where measurements do not determine a parameter, the
// fit gives the prior's value.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"

namespace tutti::studies {

// A log-normal prior of a positive number.
struct Prior {
  double value = 0;  // the median
  double sd = 1;     // standard deviation of the logarithm: 0.3 is 35 % up or down, 1 a factor of e
};

// Sizes in bytes at which the curve `mpi/extra_latency` has its points; it is 0 at 0.
inline constexpr std::array<Bytes, 10> extra_latency_sizes = {
    64, 256, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 8 << 20, 64 << 20};

// More nodes than these pay the scale latency.
inline constexpr int scale_latency_nodes = 64;

struct HardwareClass {
  std::string name;
  std::string summary;  // one line for people
  // What a fit does not move. `protocol_known`: eager limit and rendezvous are the library's
  // defaults; else a fit tries others.
  bool protocol_known = false;
  Bytes eager_max = 16 << 10;
  platforms::Rendezvous rendezvous = platforms::Rendezvous::get;
  double send_s_per_B = 0.05e-9;      // of eager messages
  Bytes cache_bytes = 32 << 20;       // working set that the caches contain
  Bytes allocation_bytes = 32 << 20;  // buffers from this size on are mapped anew
  // Written although no job is large enough to show it.
  bool has_scale_latency = false;
  int torus_axes = 0;  // of the network on which a job's torus lies; 0: those of the torus
  bool receives_by_one = false;  // what a process receives at a time comes at the rate of one link
  // Times in s, rates in B/s.
  Prior arrival_skew;
  Prior overhead;       // of the sender, and of the receiver
  Prior cable_latency;  // of a link
  Prior scale_latency;
  Prior bandwidth;
  Prior combine_cache;
  Prior combine_memory;
  Prior copy_cache;
  Prior copy_memory;
  Prior allocation;
  // Of the sender, for each rendezvous message. Assumed: libraries keep registered memory, so that
  // it is next to nothing, but old ones do not.
  Prior registration = {0.1e-6, 2};
  // How much the curve rises up to each of its points, in s.
  std::array<Prior, extra_latency_sizes.size()> extra_steps;
};

// The first is the default: wide priors, which let the data decide.
std::span<const HardwareClass> hardware_classes();
// Errors: there is no such class, with the nearest name.
Result<HardwareClass> find_hardware_class(std::string_view name);
std::vector<std::string> hardware_class_names();

// Values of the class where the machine does not give them, else the machine's, which a machine
// like it has within some 35 %. The machine's curve of extra latencies counts at the points above.
HardwareClass like_machine(const HardwareClass& fallback, const platforms::Machine& machine);

// What a machine has beside the protocol of a single message: what its cores combine, copy and
// allocate, what messages take beyond latency and bandwidth, how late ranks arrive.
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
