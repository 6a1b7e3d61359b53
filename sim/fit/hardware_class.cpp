// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/hardware_class.hpp"

#include <toml++/toml.h>

#include "sim/fit/hardware_classes.texts.hpp"
#include "sim/jobs/point.hpp"

namespace tutti::studies {
namespace {

std::string two_levels(double cache_Bps, Bytes cache_bytes, double memory_Bps) {
  return fmt::format("0:{};{}:{}", rate_text(cache_Bps), cache_bytes, rate_text(memory_Bps));
}

constexpr double us = 1e-6;
constexpr double GBps = 1e9;

struct PriorKey {
  const char* name;
  Prior HardwareClass::*prior;
  double unit;
};
constexpr PriorKey prior_keys[] = {{"arrival_skew", &HardwareClass::arrival_skew, us},
                                   {"overhead", &HardwareClass::overhead, us},
                                   {"cable_latency", &HardwareClass::cable_latency, us},
                                   {"scale_latency", &HardwareClass::scale_latency, us},
                                   {"bandwidth", &HardwareClass::bandwidth, GBps},
                                   {"combine_cache", &HardwareClass::combine_cache, GBps},
                                   {"combine_memory", &HardwareClass::combine_memory, GBps},
                                   {"copy_cache", &HardwareClass::copy_cache, GBps},
                                   {"copy_memory", &HardwareClass::copy_memory, GBps},
                                   {"allocation", &HardwareClass::allocation, GBps}};

// The numbers of a list in hardware_classes.toml.
std::vector<double> numbers_in(const toml::table& values, const char* key, std::size_t count) {
  std::vector<double> numbers;
  if (const auto* list = values.get_as<toml::array>(key))
    for (const auto& number : *list) numbers.push_back(number.value<double>().value());
  TUTTI_CHECK(numbers.size() == count, fmt::format("hardware_classes.toml: {}", key));
  return numbers;
}

HardwareClass read_class(const toml::table& values) {
  HardwareClass read;
  read.name = values["name"].value_or(std::string());
  read.summary = values["summary"].value_or(std::string());
  read.protocol_known = values["protocol_known"].value_or(true);
  read.eager_max = values["eager_max"].value_or(read.eager_max);
  if (values["rendezvous"].value<std::string>() == "put")
    read.rendezvous = platforms::Rendezvous::put;
  read.send_s_per_B = values["send_s_per_B"].value_or(read.send_s_per_B);
  read.cache_bytes = values["cache_bytes"].value_or(read.cache_bytes);
  read.allocation_bytes = values["allocation_bytes"].value_or(read.allocation_bytes);
  read.torus_axes = values["torus_axes"].value_or(read.torus_axes);
  read.receives_by_one = values["receives_by_one"].value_or(read.receives_by_one);
  for (const auto& [key, prior, unit] : prior_keys) {
    const auto numbers = numbers_in(values, key, 2);
    read.*prior = {numbers[0] * unit, numbers[1]};
  }
  constexpr std::size_t first_large = 6;  // 256 KiB
  const auto steps = numbers_in(values, "extra_steps", extra_latency_sizes.size());
  const auto measured_GBps = values["steps_bandwidth"].value<double>();
  for (std::size_t i = 0; i < steps.size(); ++i) {
    read.extra_steps[i] = {steps[i] * us, values["steps_sd"].value<double>().value()};
    if (measured_GBps && i >= first_large)
      read.extra_steps[i].value *= *measured_GBps / numbers_in(values, "bandwidth", 2)[0];
  }
  read.extra_steps[0].sd = values["first_step_sd"].value_or(read.extra_steps[0].sd);
  return read;
}

std::vector<HardwareClass> read_classes() {
  std::vector<HardwareClass> classes;
  // By name, with the values of the class that it is like.
  std::map<std::string, toml::table> known;
  const auto file = toml::parse(texts::hardware_classes["hardware_classes"]);
  for (const auto& node : *file["class"].as_array()) {
    const auto& own = *node.as_table();
    auto values = known[own["like"].value_or(std::string())];
    for (const auto& [key, value] : own) values.insert_or_assign(key, value);
    classes.push_back(read_class(values));
    known[classes.back().name] = std::move(values);
  }
  return classes;
}

constexpr double of_similar = 0.3;     // spread between similar machines
constexpr double similar_curve = 0.7;  // spread if protocols change at other sizes

void take_if_above_0(Prior& prior, double value, double sd = of_similar) {
  if (value > 0 && std::isfinite(value)) prior = {value, sd};
}

}  // namespace

std::span<const HardwareClass> hardware_classes() {
  static const std::vector<HardwareClass> all = read_classes();
  return all;
}

std::vector<std::string> hardware_class_names() {
  return collect_names(hardware_classes(), &HardwareClass::name);
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
