// SPDX-License-Identifier: BSD-3-Clause
// Prior knowledge about a machine: for each class of networks and nodes the parameters of its
// message model as priors. If measurements do not determine a parameter, the fit uses the prior's
// value.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/fit/scale_law.hpp"

namespace tutti::studies {

// A log-normal prior of a positive number.
struct Prior {
  double value = 0;  // the median
  // Standard deviation of the logarithm: 0.3 is about 35 % up or down, 1 a factor of e.
  double sd = 1;
};

// Sizes in bytes of the points of the curve `mpi/extra_latency`, which is 0 at 0 bytes.
inline constexpr std::array<Bytes, 10> extra_latency_sizes = {
    64, 256, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 8 << 20, 64 << 20};

struct HardwareClass {
  std::string name;
  std::string summary;  // one line for text tables
  // Values that a fit does not vary. `protocol_known`: eager limit and rendezvous are the library's
  // defaults; otherwise a fit tries others.
  bool protocol_known = false;
  Bytes eager_max = 16 << 10;
  platforms::Rendezvous rendezvous = platforms::Rendezvous::get;
  double send_s_per_B = 0.05e-9;      // of eager messages
  Bytes cache_bytes = 32 << 20;       // working set that fits into the caches
  Bytes allocation_bytes = 32 << 20;  // buffers of this size or more are mapped anew
  // Axes of the network that a job's torus is folded on; 0: as many as the torus has.
  int torus_axes = 0;
  // A process receives all its messages together at most at the rate of one link.
  bool receives_by_one = false;
  // Times in s, rates in B/s.
  Prior arrival_skew;
  Prior overhead;       // of the sender and of the receiver each
  Prior cable_latency;  // latency of a link
  Prior scale_latency;
  Prior bandwidth;
  Prior combine_cache;
  Prior combine_memory;
  Prior copy_cache;
  Prior copy_memory;
  Prior allocation;
  // Cost of the sender for each rendezvous message. The value is assumed: it is almost 0 if a
  // library caches registered memory, as all but old ones do.
  Prior registration = {0.1e-6, 2};
  // Rise of the curve up to each of its points, in s.
  std::array<Prior, extra_latency_sizes.size()> extra_steps;
};

// The classes of hardware_classes.toml. The first one is the default: its wide priors let the data
// decide.
std::span<const HardwareClass> hardware_classes();
// Errors: an unknown class; the hint is the nearest name.
Result<HardwareClass> find_hardware_class(std::string_view name);
std::vector<std::string> hardware_class_names();

// Returns the machine's values, with a spread of some 35 % for similar machines, and the class's
// values where the machine lacks them. The machine's curve of extra latencies is sampled at the
// points above.
HardwareClass like_machine(const HardwareClass& fallback, const platforms::Machine& machine);

// Parameters of a machine beyond the protocol of a single message: the rates at which cores
// combine, copy and allocate, extra latencies of messages, and the arrival skew of ranks. Times in
// s, rates in B/s.
struct SystemParameters {
  Bytes cache_bytes = 32 << 20;
  Bytes allocation_bytes = 32 << 20;
  double combine_cache_Bps = 0;
  double combine_memory_Bps = 0;
  double copy_cache_Bps = 0;
  double copy_memory_Bps = 0;
  double allocation_Bps = 0;
  std::optional<Seconds> arrival_skew_s = {};
  std::optional<ScaleLaw> scale_law = {};
  Seconds scale_latency_s = 0;  // of jobs to which the law applies
  // Rise of the extra latency up to each of `extra_latency_sizes`; unset: the sections of sizes
  // contain all of a message's time.
  std::optional<std::array<Seconds, extra_latency_sizes.size()>> extra_steps_s = {};
  std::optional<platforms::Rendezvous> rendezvous = {};

  // Returns the value of the curve at one of its points.
  Seconds extra_latency_s(std::size_t point) const;
};

// Returns the medians of all priors of the class.
SystemParameters system_of(const HardwareClass& hardware);

// Returns the keys of a platform file: mpi/combine_bandwidth, ...
std::vector<platforms::GivenParameter> given_parameters(const SystemParameters& system);

}  // namespace tutti::studies
