// SPDX-License-Identifier: BSD-3-Clause
// Compares the engines simgrid and flow on one job: every rank must end at the same time.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "algorithms/collective.hpp"
#include "platforms/reader.hpp"
#include "tests/support/plain_algorithms.hpp"
#include "tests/support/programs.hpp"
#include "tests/support/run_in_child.hpp"

namespace tutti::tests {

// Machines of every shape, large enough for 64 ranks at one per node (Tofu has 72 nodes), with a
// protocol in which every step has a cost; `hosts` of the larger ones.
struct Shape {
  std::string name;
  std::string elements;  // of the platform file
};

inline std::string cluster(const std::string& attributes, int hosts,
                           const std::string& props = "") {
  return fmt::format(
      R"(<cluster id="c" prefix="n" suffix="" speed="1Gf" core="4" radical="0-{}" bw="1GBps"
         lat="0.5us" loopback_bw="5GBps" loopback_lat="0.2us" {}>{}</cluster>)",
      hosts - 1, attributes, props);
}

// NICs of the nodes of a cluster.
inline std::string rails(int count, const std::string& order) {
  return fmt::format(
      R"(<prop id="topology/rails" value="{}"/><prop id="topology/rail_order" value="{}"/>)", count,
      order);
}

// A square of routers with one host each, with routes from Dijkstra's algorithm.
inline std::string dijkstra_grid(int side) {
  const auto link = [](const std::string& name, const char* bandwidth) {
    return fmt::format(
        R"(<link id="{}" bandwidth="{}" latency="0.4us" sharing_policy="SPLITDUPLEX"/>)", name,
        bandwidth);
  };
  const auto route = [](const std::string& from, const std::string& to, const std::string& name,
                        const char* direction) {
    return fmt::format(
        R"(<route src="{}" dst="{}" symmetrical="NO"><link_ctn id="{}" direction="{}"/></route>)",
        from, to, name, direction);
  };
  std::string hosts, links, routes;
  for (int i = 0; i < side * side; ++i) {
    hosts += fmt::format(R"(<host id="n{0}" speed="1Gf" core="4"/><router id="r{0}"/>)", i);
    const auto add = [&](const std::string& from, const std::string& to, const char* bandwidth) {
      links += link(from + to, bandwidth);
      routes += route(from, to, from + to, "UP") + route(to, from, from + to, "DOWN");
    };
    const std::string here = fmt::format("r{}", i);
    add(fmt::format("n{}", i), here, "1GBps");
    if (i % side + 1 < side) add(here, fmt::format("r{}", i + 1), "1.5GBps");
    if (i + side < side * side) add(here, fmt::format("r{}", i + side), "1.5GBps");
  }
  return R"(<zone id="z" routing="Dijkstra">)" + hosts + links + routes + "</zone>";
}

inline std::vector<Shape> shapes_of_64() {
  return {
      {"flat", cluster("", 64)},
      {"flat, shared", cluster(R"(sharing_policy="SHARED")", 64)},
      {"backbone", cluster(R"(bb_bw="7GBps" bb_lat="0.3us")", 64)},
      {"fat tree 1:1", cluster(R"(topology="FAT_TREE" topo_parameters="3;4,4,4;1,4,4;1,1,1")", 64)},
      {"fat tree 2:1", cluster(R"(topology="FAT_TREE" topo_parameters="3;4,4,4;1,2,2;1,1,1")", 64)},
      {"torus", cluster(R"(topology="TORUS" topo_parameters="4,4,2,2")", 64)},
      {"dragonfly",
       cluster(R"(topology="DRAGONFLY" topo_parameters="4,2;2,2;4,1;2" limiter_link="3GBps")", 64)},
      {"dragonfly+", cluster(R"(topology="DRAGONFLY_PLUS" topo_parameters="4,6;4,3,2;4")", 64)},
      {"1D dragonfly", cluster(R"(topology="DRAGONFLY_1D" topo_parameters="4,3;4,1;4")", 64)},
      {"hyperx", cluster(R"(topology="HYPERX" topo_parameters="4,4;1,2;4")", 64)},
      {"dijkstra", dijkstra_grid(8)},
      {"flat, rails", cluster("", 64, rails(2, "planes"))},
      {"fat tree, rails by leaf",
       cluster(R"(topology="FAT_TREE" topo_parameters="2;16,8;1,8;1,1")", 64, rails(2, "leaves"))},
      {"fat tree, rails by node",
       cluster(R"(topology="FAT_TREE" topo_parameters="2;16,8;1,8;1,1")", 64, rails(2, "node"))},
      {"tofu", cluster(R"(topology="TOFU" topo_parameters="3,2,1,2,3,2")", 72)},
      {"tofu, logical torus", cluster(R"(topology="TOFU" topo_parameters="3,2,1,2,3,2")", 72,
                                      R"(<prop id="torus/dimensions" value="6x6x2"/>)"
                                      R"(<prop id="link/dimension4/bandwidth" value="2GBps"/>)")},
  };
}

inline std::vector<Shape> shapes_of_1024() {
  return {
      {"flat", cluster("", 1024)},
      {"fat tree 1:1",
       cluster(R"(topology="FAT_TREE" topo_parameters="3;16,8,8;1,16,8;1,1,1")", 1024)},
      {"fat tree 2:1",
       cluster(R"(topology="FAT_TREE" topo_parameters="3;16,8,8;1,8,4;1,1,1")", 1024)},
      {"torus", cluster(R"(topology="TORUS" topo_parameters="8,8,4,4")", 1024)},
      {"dragonfly", cluster(R"(topology="DRAGONFLY" topo_parameters="8,4;4,4;8,2;4")", 1024)},
      {"dijkstra", dijkstra_grid(32)},
  };
}

inline platforms::Machine machine_of(const Shape& shape) {
  const std::string xml = R"(<?xml version='1.0'?><platform version="4.1"><config>
<prop id="mpi/eager_limit" value="8KiB"/><prop id="mpi/send_overhead" value="0.3us"/>
<prop id="mpi/recv_overhead" value="0:0.2us;4KiB:0.4us"/><prop id="mpi/gap" value="0.1us"/>
<prop id="mpi/copy_bandwidth" value="3GBps"/><prop id="mpi/rendezvous_overhead" value="0.7us"/>
<prop id="mpi/bandwidth_factor" value="0:0.9;64KiB:1"/>
</config>)" + shape.elements +
                          "</platform>";
  auto machine = platforms::read_machine(xml, shape.name + ".xml");
  REQUIRE_MESSAGE(machine, (machine ? "" : machine.error().message));
  return *std::move(machine);
}

// Messages as in SMPI: direct, with an envelope, an efficiency above and below 1, and a window that
// limits long routes.
inline void make_smpis(platforms::Machine& machine) {
  for (platforms::MessageProtocol* each : {&machine.inter, &machine.intra}) {
    each->nic_order = platforms::NicOrder::free;
    each->rendezvous = platforms::Rendezvous::direct;
    each->detached_max = 32 << 10;
    each->envelope = 16;
    each->efficiency = platforms::Piecewise(
        {.a = 0.7}, {{.above = 4096, .a = 1.09}, {.above = 65'536, .a = 0.94}});
    each->window = 20'000;
  }
  machine.cross_traffic = true;
}

// The largest relative difference between the engines of any rank's end.
inline double disagreement(const engines::Job& job) {
  const ChildOutcome reference = run_simgrid_in_child(job);
  REQUIRE(reference.problems == "");
  return largest_difference(flow_ends(job), reference.end_s);
}

// A program that all ranks run, with its name.
struct NamedProgram {
  std::string name;
  runtime::Program program;
};

// The patterns, and every broadcast for any number of ranks with `bytes` in four segments.
inline std::vector<NamedProgram> programs(const PatternArgs& args) {
  std::vector<NamedProgram> all;
  for (const Pattern& pattern : patterns)
    all.push_back({pattern.name, [program = pattern.program, args](runtime::Rank& me) {
                     return program(me, args);
                   }});
  for (const auto* algorithm : general_algorithms_of("bcast")) {
    algorithms::CollectiveArgs call{.message_bytes = args.bytes,
                                    .segment_bytes = (args.bytes + 3) / 4,
                                    .fanout = algorithm->default_fanout};
    all.push_back(
        {std::string(algorithm->name), [algorithm, call, args](runtime::Rank& me) -> runtime::Task {
           start_late(me, args);
           co_await algorithm->program(me, call);
         }});
  }
  return all;
}

}  // namespace tutti::tests
