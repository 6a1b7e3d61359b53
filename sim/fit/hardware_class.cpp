// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/hardware_class.hpp"

#include "sim/jobs/point.hpp"

namespace tutti::studies {
namespace {

std::string two_levels(double cache_Bps, Bytes cache_bytes, double memory_Bps) {
  return fmt::format("0:{};{}:{}", rate_text(cache_Bps), cache_bytes, rate_text(memory_Bps));
}

constexpr double us = 1e-6;
constexpr double GBps = 1e9;
using Steps = std::array<Prior, extra_latency_sizes.size()>;

// Values in us, all with the same spread.
constexpr Steps steps_of(const std::array<double, extra_latency_sizes.size()>& values_us,
                         double sd) {
  Steps steps;
  for (std::size_t i = 0; i < steps.size(); ++i) steps[i] = {values_us[i] * us, sd};
  return steps;
}

// Any cluster of about 2015 to 2025. Medians are between those of the classes below; the spreads
// cover them.
HardwareClass generic() {
  return {.name = "generic",
          .summary = "any cluster: wide priors, the data decide (default)",
          .arrival_skew = {0.8 * us, 1},
          .overhead = {0.3 * us, 1},
          .cable_latency = {0.6 * us, 1},
          .scale_latency = {1 * us, 1.5},
          .bandwidth = {15 * GBps, 1},
          .combine_cache = {9 * GBps, 0.8},
          .combine_memory = {5.5 * GBps, 0.8},
          .copy_cache = {18 * GBps, 0.7},
          .copy_memory = {10 * GBps, 0.7},
          .allocation = {4 * GBps, 1},
          .extra_steps = steps_of({0.05, 0.3, 0.2, 0.6, 0.5, 1, 6, 6, 60, 600}, 1.2)};
}

// Open MPI with UCX on InfiniBand. Source: the joint fit to HLC-Lab/pico's times of Leonardo, 4 to
// 256 nodes (platforms/catalog/README.md, leonardo; two rails of HDR100). With a single machine,
// the spreads are estimates. Bandwidth: 0.97 to 0.98 of the link rate, as in public osu_bw results
// of each generation. The curve's additional time of large messages scales with the time on the
// wire.
HardwareClass infiniband(std::string name, std::string summary, double bandwidth_GBps) {
  constexpr double leonardo_GBps = 26.1;
  constexpr std::size_t first_large = 6;  // 256 KiB
  Steps steps = steps_of({0.0406, 0.265, 0.091, 1.023, 0.28, 0.15, 10.25, 2, 105, 1211}, 0.7);
  steps.front().sd = 1.3;
  for (std::size_t i = first_large; i < steps.size(); ++i)
    steps[i].value *= leonardo_GBps / bandwidth_GBps;
  return {.name = std::move(name),
          .summary = std::move(summary),
          .protocol_known = true,
          .arrival_skew = {0.93 * us, 0.5},
          .overhead = {0.09 * us, 0.5},
          .cable_latency = {0.606 * us, 0.5},
          .scale_latency = {1 * us, 1.5},
          .bandwidth = {bandwidth_GBps * GBps, 0.15},
          .combine_cache = {10.6 * GBps, 0.5},
          .combine_memory = {5.93 * GBps, 0.5},
          .copy_cache = {20.5 * GBps, 0.5},
          .copy_memory = {9.58 * GBps, 0.5},
          .allocation = {2.74 * GBps, 0.7},
          .extra_steps = steps};
}

// Cray MPICH. Source: the joint fit to HLC-Lab/pico's times of LUMI-C, 4 to 32 nodes
// (platforms/catalog/README.md, lumi): one machine.
HardwareClass slingshot() {
  return {
      .name = "slingshot11",
      .summary = "Slingshot 11 with Cray MPICH, 200 Gb/s per node",
      .protocol_known = true,
      .send_s_per_B = 0.03e-9,
      .arrival_skew = {0.549 * us, 0.7},
      .overhead = {1.07 * us, 0.5},
      .cable_latency = {0.424 * us, 0.5},
      .scale_latency = {1 * us, 1.5},
      .bandwidth = {17.3 * GBps, 0.3},
      .combine_cache = {5.58 * GBps, 0.5},
      .combine_memory = {3.85 * GBps, 0.5},
      .copy_cache = {28.3 * GBps, 0.5},
      .copy_memory = {20 * GBps, 0.7},
      .allocation = {10 * GBps, 1},
      .extra_steps = steps_of({0.0382, 1.18, 1.3, 0.05, 0.05, 6.6, 28.1, 90.8, 472, 2660}, 0.7)};
}

// Fujitsu MPI. Source: the joint fit to HLC-Lab/pico's times of Fugaku, 8 and 64 nodes
// (platforms/catalog/README.md, fugaku): one machine. 8 MiB is a quarter of the last-level cache.
// That fit has no arrival skew; the value here is a small one, of a machine without noise.
HardwareClass tofud() {
  return {
      .name = "tofud",
      .summary = "TofuD with Fujitsu MPI, one interface per message; needs --topology TORUS:...",
      .protocol_known = true,
      .eager_max = 32 << 10,
      .send_s_per_B = 0,
      .cache_bytes = 8 << 20,
      .allocation_bytes = 128 << 20,
      .torus_axes = 6,
      .receives_by_one = true,
      .arrival_skew = {0.1 * us, 1},
      .overhead = {1.21 * us, 0.5},
      .cable_latency = {0.0501 * us, 0.5},
      .scale_latency = {0.5 * us, 1.5},
      .bandwidth = {6.47 * GBps, 0.15},
      .combine_cache = {28.7 * GBps, 0.5},
      .combine_memory = {27.1 * GBps, 0.5},
      .copy_cache = {18.6 * GBps, 0.5},
      .copy_memory = {13.4 * GBps, 0.5},
      .allocation = {5.62 * GBps, 0.7},
      .extra_steps = steps_of({0.438, 0.073, 0.323, 0.05, 0.8, 5, 0.8, 0.5, 5, 50}, 0.9)};
}

// Open MPI with UCX over RoCE v2, 100 Gb/s: assumed, without a joint fit. Such adapters reach 11 to
// 12 GB/s; public osu_latency results are 0.3 to 1 us above InfiniBand's. Cores as above.
HardwareClass roce() {
  HardwareClass found = infiniband("roce", "RoCE v2, 100 Gb/s; other rates: the data decide", 11.5);
  found.cable_latency = {0.9 * us, 0.6};
  found.overhead = {0.15 * us, 0.7};
  found.bandwidth.sd = 0.7;
  for (auto& step : found.extra_steps) step.sd = 1;
  return found;
}

// Sockets, 10 to 25 Gb/s: assumed. Public results of osu_latency and osu_bw over TCP show latencies
// of 15 to 50 us one way and 1 to 2.5 GB/s; the system call costs about 1.5 us. Open MPI's btl tcp
// has an eager limit of 64 KiB and a rendezvous in which the sender moves the data (put).
HardwareClass tcp() {
  HardwareClass found = generic();
  found.name = "tcp";
  found.summary = "TCP over Ethernet, 10 to 25 Gb/s";
  found.protocol_known = true;
  found.eager_max = 64 << 10;
  found.rendezvous = platforms::Rendezvous::put;
  found.send_s_per_B = 0.1e-9;
  found.arrival_skew = {5 * us, 1};
  found.overhead = {1.5 * us, 0.7};
  found.cable_latency = {10 * us, 0.7};
  found.scale_latency = {5 * us, 1.5};
  found.bandwidth = {1.2 * GBps, 0.7};
  found.extra_steps = steps_of({0.5, 1, 3, 5, 10, 20, 50, 100, 500, 5000}, 1.2);
  return found;
}

std::vector<HardwareClass> made_classes() {
  return {generic(),
          infiniband("infiniband-edr", "InfiniBand EDR, 100 Gb/s, with UCX", 12.1),
          infiniband("infiniband-hdr100", "InfiniBand HDR100, 100 Gb/s, with UCX", 12.1),
          infiniband("infiniband-hdr", "InfiniBand HDR, 200 Gb/s, with UCX", 24.6),
          infiniband("infiniband-ndr200", "InfiniBand NDR200, 200 Gb/s, with UCX", 24.6),
          infiniband("infiniband-ndr", "InfiniBand NDR, 400 Gb/s, with UCX", 48.5),
          slingshot(),
          tofud(),
          roce(),
          tcp()};
}

constexpr double of_similar = 0.3;     // spread between similar machines
constexpr double similar_curve = 0.7;  // spread if protocols change at other sizes

void take_if_above_0(Prior& prior, double value, double sd = of_similar) {
  if (value > 0 && std::isfinite(value)) prior = {value, sd};
}

}  // namespace

std::span<const HardwareClass> hardware_classes() {
  static const std::vector<HardwareClass> all = made_classes();
  return all;
}

std::vector<std::string> hardware_class_names() {
  std::vector<std::string> names;
  for (const auto& hardware : hardware_classes()) names.push_back(hardware.name);
  return names;
}

Result<HardwareClass> find_hardware_class(std::string_view name) {
  const auto all = hardware_classes();
  if (const auto found = std::ranges::find(all, name, &HardwareClass::name); found != all.end())
    return *found;
  const auto names = hardware_class_names();
  return make_error(ErrorKind::usage, "", fmt::format("unknown hardware class {}", in_quotes(name)),
                    did_you_mean(std::string(name), names,
                                 fmt::format("expected one of: {}", fmt::join(names, ", "))));
}

HardwareClass like_machine(const HardwareClass& fallback, const platforms::Machine& machine) {
  constexpr Bytes huge = Bytes{1} << 40;
  HardwareClass found = fallback;
  found.name = machine.name;
  found.summary = "like " + machine.name;
  const auto& messages = machine.inter;
  found.protocol_known = true;
  const auto axes =
      std::ranges::find(machine.given, "torus/network_axes", &platforms::GivenParameter::key);
  found.torus_axes = axes != machine.given.end() ? std::stoi(axes->value) : 0;
  found.receives_by_one = machine.rank_receive_Bps && !machine.rank_send_Bps;
  found.eager_max = messages.eager_max;
  found.rendezvous = messages.rendezvous;
  take_if_above_0(found.arrival_skew, machine.arrival_skew_s);
  take_if_above_0(found.overhead, (messages.send_overhead(0) + messages.recv_overhead(0)) / 2, 0.5);
  if (machine.host_count() > 1) {
    std::vector<platforms::LinkId> links;
    const auto path = machine.path(0, 1, links);
    const auto count = static_cast<double>(std::max<std::size_t>(1, links.size()));
    take_if_above_0(found.cable_latency, messages.latency_s(path.latency_s, 0) / count, 0.5);
    take_if_above_0(found.bandwidth, path.bandwidth_Bps);
  }
  const auto rates = [](Prior& cache, Prior& memory, const platforms::Piecewise& rate) {
    take_if_above_0(cache, rate(1));
    take_if_above_0(memory, rate(huge));
  };
  if (machine.combine_Bps) rates(found.combine_cache, found.combine_memory, *machine.combine_Bps);
  if (machine.local_copy_Bps)
    rates(found.copy_cache, found.copy_memory, *machine.local_copy_Bps);
  else if (messages.copy_Bps)
    rates(found.copy_cache, found.copy_memory, platforms::Piecewise(*messages.copy_Bps));
  if (machine.allocation_Bps) take_if_above_0(found.allocation, (*machine.allocation_Bps)(huge));
  Seconds before_s = messages.extra_latency(0);
  for (std::size_t i = 0; i < extra_latency_sizes.size(); ++i) {
    const Seconds here_s = messages.extra_latency(extra_latency_sizes[i]);
    take_if_above_0(found.extra_steps[i], here_s - before_s, similar_curve);
    before_s = std::max(before_s, here_s);
  }
  return found;
}

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
  if (const auto& law = system.scale_law) {
    const std::string end = law->up_to ? fmt::format(";{}:0us", *law->up_to) : "";
    give("mpi/scale_latency",
         fmt::format("{}:{}{}", law->above, time_text(system.scale_latency_s), end));
  }
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
