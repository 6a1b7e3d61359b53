// SPDX-License-Identifier: BSD-3-Clause
// A machine with parameters that a fit must recover, and times measured on it: simulated, with
// lognormal noise.
#pragma once

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "platforms/reader.hpp"
#include "platforms/writer/platform_file.hpp"
#include "sim/fit/fitted_parameters.hpp"
#include "sim/fit/joint_fit.hpp"
#include "sim/fit/message_rows.hpp"
#include "workloads/benchmark.hpp"

namespace tutti::tests {

inline constexpr const char* hidden_xml =
    R"(<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="hidden" prefix="n" suffix="" radical="0-63" speed="1Gf" core="1"
           bw="12GBps" lat="0.5us" sharing_policy="SPLITDUPLEX">
    <prop id="mpi/eager_limit" value="16KiB"/>
    <prop id="mpi/send_overhead" value="0:0.25us:0.05ns;16KiB:0.25us"/>
    <prop id="mpi/recv_overhead" value="0.25us"/>
    <prop id="mpi/copy_bandwidth" value="6GBps"/>
    <prop id="mpi/extra_latency"
          value="0:0;64:0.1us;256:0.3us;1KiB:0.6us;4KiB:1.4us;)"
    R"(16KiB:1.8us;64KiB:3.3us;256KiB:13.3us;1MiB:25.3us;8MiB:105us;64MiB:505us"/>
    <prop id="mpi/rendezvous" value="get"/>
    <prop id="mpi/arrival_skew" value="1.3us"/>
    <prop id="mpi/combine_bandwidth" value="0:14GBps;32MiB:4GBps"/>
    <prop id="mpi/local_copy_bandwidth" value="0:12GBps;32MiB:6GBps"/>
    <prop id="mpi/allocation_bandwidth" value="0:none;33554431:2GBps"/>
  </cluster>
</platform>
)";

// The parameters by their names in a report, in s and B/s.
inline const std::map<std::string, double>& hidden_values() {
  static const std::map<std::string, double> values{{"latency", 1e-6},
                                                    {"send_overhead", 0.25e-6},
                                                    {"recv_overhead", 0.25e-6},
                                                    {"gap", 0.25e-6},  // by the send overhead
                                                    {"bandwidth", 12e9},
                                                    {"arrival_skew", 1.3e-6},
                                                    {"copy_bandwidth", 6e9},
                                                    {"combine_bandwidth", 14e9},
                                                    {"combine_bandwidth above 33554432", 4e9},
                                                    {"local_copy_bandwidth", 12e9},
                                                    {"local_copy_bandwidth above 33554432", 6e9},
                                                    {"allocation_bandwidth above 33554431", 2e9},
                                                    {"extra_latency of 64 B", 0.1e-6},
                                                    {"extra_latency of 256 B", 0.3e-6},
                                                    {"extra_latency of 1 KiB", 0.6e-6},
                                                    {"extra_latency of 4 KiB", 1.4e-6},
                                                    {"extra_latency of 16 KiB", 1.8e-6},
                                                    {"extra_latency of 64 KiB", 3.3e-6},
                                                    {"extra_latency of 256 KiB", 13.3e-6},
                                                    {"extra_latency of 1 MiB", 25.3e-6},
                                                    {"extra_latency of 8 MiB", 105e-6},
                                                    {"extra_latency of 64 MiB", 505e-6},
                                                    {"eager_limit", 16384}};
  return values;
}

using HiddenCalls = std::vector<std::pair<const char*, const char*>>;  // collective, algorithm

// As PICO measures them, without noise: one size per factor of four up to `largest`, for each
// number of nodes.
inline std::vector<studies::MeasuredCollective> hidden_calls_of(const HiddenCalls& calls,
                                                                const std::vector<int>& nodes,
                                                                Bytes largest) {
  const auto machine = platforms::read_machine(hidden_xml, "hidden.xml").value();
  std::vector<studies::MeasuredCollective> all;
  for (const auto& [collective, algorithm] : calls)
    for (const int procs : nodes)
      for (Bytes bytes = 32; bytes <= largest; bytes *= 4) {
        studies::MeasuredCollective one{.collective = collective, .algorithm = algorithm};
        one.procs = procs;
        const bool in_blocks = one.collective == "allgather" || one.collective == "gather" ||
                               one.collective == "alltoall";
        one.message_bytes = in_blocks ? std::max<Bytes>(4, bytes / procs / 4 * 4) : bytes;
        one.element_bytes = 4;
        one.harness = workloads::find_harness("pico");
        one.time_s = studies::simulated_time(one, machine).value();
        all.push_back(std::move(one));
      }
  return all;
}

// Ten algorithms of six collectives.
inline std::vector<studies::MeasuredCollective> hidden_calls(const std::vector<int>& nodes,
                                                             Bytes largest) {
  return hidden_calls_of({{"allgather", "ring"},
                          {"allgather", "recursive_doubling"},
                          {"allreduce", "ring"},
                          {"allreduce", "recursive_doubling"},
                          {"allreduce", "rabenseifner"},
                          {"bcast", "binomial"},
                          {"bcast", "basic_linear"},
                          {"gather", "basic_linear"},
                          {"reduce", "binomial"},
                          {"reduce_scatter", "recursive_halving"}},
                         nodes, largest);
}

// One-way times of each power of two up to 4 MiB, as osu_latency measures them, with noise.
inline std::vector<studies::PairMeasurement> hidden_messages(double sd, unsigned seed) {
  const auto machine = platforms::read_machine(hidden_xml, "hidden.xml").value();
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(0, sd);
  std::vector<studies::PairMeasurement> all;
  for (Bytes bytes = 1; bytes <= 4 << 20; bytes *= 2) {
    studies::PairMeasurement one{studies::PairQuantity::one_way, bytes};
    one.time_s = studies::message_time(one, machine).value() * std::exp(normal(random));
    all.push_back(one);
  }
  return all;
}

inline std::vector<studies::MeasuredCollective> with_noise(
    std::vector<studies::MeasuredCollective> calls, double sd, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(0, sd);
  for (auto& each : calls) each.time_s *= std::exp(normal(random));
  return calls;
}

inline std::string text_of(const studies::JointFit& fit, int nodes) {
  platforms::PlatformFile file;
  file.id = "fitted";
  file.nodes = static_cast<platforms::HostId>(nodes);
  file.bandwidth = studies::network_bandwidth(fit.inter);
  file.latency = studies::link_latency(fit.inter, 2);
  file.groups = {{"Messages.", studies::inter_parameters(fit.inter)}};
  if (fit.system) file.groups.push_back({"System.", studies::given_parameters(*fit.system)});
  return platforms::platform_xml(file);
}

inline studies::JointMachineOf flat_machine(int nodes) {
  return [nodes](const studies::JointFit& fit, const std::string&) {
    return platforms::read_machine(text_of(fit, nodes), "fitted.xml");
  };
}

// The number of parameters that a fit calls fitted; and how many of them are more than 5% off, and
// how many are outside their intervals.
struct Recovered {
  int fitted = 0;
  int far_off = 0;
  int outside = 0;
  int bounded = 0;          // of all with an interval
  int bounded_outside = 0;  // of those with an interval
};

inline Recovered& operator+=(Recovered& sum, const Recovered& more) {
  sum.fitted += more.fitted;
  sum.far_off += more.far_off;
  sum.outside += more.outside;
  sum.bounded += more.bounded;
  sum.bounded_outside += more.bounded_outside;
  return sum;
}

inline Recovered recovered(const studies::ProtocolFit& fit) {
  Recovered found;
  for (const auto& each : fit.parameters) {
    if (each.name.starts_with("rendezvous_")) continue;  // it has no such overheads
    if (!each.value) continue;
    const auto name =
        each.above < 0 ? each.name : fmt::format("{} above {}", each.name, each.above);
    const double truth = hidden_values().at(name);
    const bool outside = each.low && each.high && (*each.low > truth || *each.high < truth);
    if (each.low) ++found.bounded;
    found.bounded_outside += outside;
    if (each.status != studies::ParameterStatus::fitted) continue;
    ++found.fitted;
    found.far_off += std::abs(*each.value / truth - 1) > 0.05;
    found.outside += outside;
    INFO(name, ": ", *each.value, " in place of ", truth);
    CHECK(std::abs(*each.value / truth - 1) <= 0.1);
  }
  return found;
}

// A fit to messages and a few collectives, and its predictions of others.
struct FitToBoth {
  studies::JointFit fit;
  std::vector<double> errors;  // absolute errors of linear gathers and alltoalls
};

inline FitToBoth fit_to_both(double sd, unsigned seed, int jobs = 1) {
  studies::MeasuredMessages messages{hidden_messages(sd, seed), {}};
  messages.fit = studies::fit_protocol(messages.times).value();
  const auto few = with_noise(hidden_calls_of({{"allgather", "ring"},
                                               {"allgather", "recursive_doubling"},
                                               {"bcast", "binomial"},
                                               {"bcast", "basic_linear"}},
                                              {2, 4, 8, 16}, 1 << 20),
                              sd, seed);
  FitToBoth found{
      studies::fit_to_collectives(few, flat_machine(16),
                                  {.jobs = jobs, .cross_validate = false, .messages = messages})
          .value(),
      {}};
  const auto machine = flat_machine(16)(found.fit, "").value();
  for (const auto& each :
       hidden_calls_of({{"gather", "basic_linear"}, {"alltoall", "linear"}}, {4, 8, 16}, 1 << 20)) {
    const auto time_s = studies::simulated_time(each, machine).value();
    found.errors.push_back(std::abs(time_s / each.time_s - 1));
  }
  return found;
}

}  // namespace tutti::tests
