// SPDX-License-Identifier: BSD-3-Clause
// Machines of each shape with known message parameters, for measurements from which they must be
// recovered.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "platforms/reader.hpp"
#include "tests/support/platform_text.hpp"

namespace tutti::tests {

// In the units of the platform file.
struct KnownParameters {
  double o_send_us = 0.3;
  double o_recv_us = 0.3;
  double gap_us = 0.9;
  double link_us = 0.5;     // latency of a link
  double link_GBps = 2;     // bandwidth
  double gap_ns_per_B = 0;  // of an eager message; 0: the link's
  Bytes eager_limit = 8192;
  Bytes detached_limit = 0;
};

struct MeasuredShape {
  std::string name;
  std::string attributes;  // of the cluster
  int nodes;
  platforms::HostId from;
  platforms::HostId to;
  int links;  // between the pair
};

// A pair of the torus is two hops apart in one dimension and one in another.
inline const std::vector<MeasuredShape>& shapes() {
  static const std::vector<MeasuredShape> all{
      {"flat", "", 8, 0, 1, 2},
      {"fat tree", R"(topology="FAT_TREE" topo_parameters="2;4,4;1,2;1,2")", 16, 0, 5, 4},
      {"torus", R"(topology="TORUS" topo_parameters="5,4,3")", 60, 0, 7, 3}};
  return all;
}

inline platforms::Machine known_machine(const MeasuredShape& shape, const KnownParameters& known) {
  std::string props;
  const auto add = [&](const char* key, const std::string& value) {
    props += platforms::prop(key, value);
  };
  add("mpi/send_overhead", fmt::format("{}us", known.o_send_us));
  add("mpi/recv_overhead", fmt::format("{}us", known.o_recv_us));
  add("mpi/gap", fmt::format("{}us", known.gap_us));
  add("mpi/eager_limit", fmt::format("{}", known.eager_limit));
  if (known.detached_limit > 0) add("mpi/detached_limit", fmt::format("{}", known.detached_limit));
  if (known.gap_ns_per_B > 0) add("mpi/gap_per_byte", fmt::format("{}ns", known.gap_ns_per_B));
  return platforms::good(fmt::format(
      R"(<?xml version='1.0'?>
<platform version="4.1">
<cluster id="c" prefix="n" suffix="" speed="1Gf" core="4" radical="0-{}" bw="{}GBps" lat="{}us" {}>
{}</cluster>
</platform>
)",
      shape.nodes - 1, known.link_GBps, known.link_us, shape.attributes, props));
}

}  // namespace tutti::tests
