// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/hardware_class.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "platforms/reader.hpp"

using namespace tutti;
using namespace tutti::studies;

namespace {

void check(const Prior& prior) {
  CHECK(prior.value > 0);
  CHECK(prior.sd >= 0.1);
  CHECK(prior.sd <= 2);
}

TEST_CASE("every class has every prior, and a unique name") {
  std::set<std::string> names;
  for (const auto& each : hardware_classes()) {
    CAPTURE(each.name);
    CHECK(names.insert(each.name).second);
    CHECK(!each.summary.empty());
    for (const Prior& prior :
         {each.arrival_skew, each.overhead, each.cable_latency, each.scale_latency, each.bandwidth,
          each.combine_cache, each.combine_memory, each.copy_cache, each.copy_memory,
          each.allocation, each.registration})
      check(prior);
    for (const Prior& prior : each.extra_steps) check(prior);
    CHECK(find_hardware_class(each.name)->name == each.name);
  }
  CHECK(hardware_classes().front().name == "generic");
  CHECK(!hardware_classes().front().protocol_known);
}

TEST_CASE("the error of an unknown class suggests the nearest name, or lists all") {
  CHECK(find_hardware_class("infiniband-hdr10").error().hint ==
        "did you mean 'infiniband-hdr100'?");
  CHECK(find_hardware_class("x").error().hint.find("expected one of: generic, infiniband-edr") ==
        0);
}

TEST_CASE("a machine similar to another has its values, and the class's where those are missing") {
  const auto leonardo = platforms::load_machine("leonardo").value();
  const auto like = like_machine(hardware_classes().front(), leonardo);
  CHECK(like.name == "leonardo");
  CHECK(like.protocol_known);
  CHECK(like.eager_max == 16384);
  CHECK(std::abs(like.cable_latency.value - 0.355e-6) < 1e-12);
  CHECK(std::abs(like.bandwidth.value - 26.1e9) < 1);
  CHECK(std::abs(like.combine_memory.value - 5.93e9) < 1);
  CHECK(std::abs(like.allocation.value - 2.74e9) < 1);
  CHECK(std::abs(system_of(like).extra_latency_s(9) - 1330e-6) < 1e-9);
  // A law by the size of jobs belongs to the machine that shows it.
  CHECK(like.scale_latency.value == hardware_classes().front().scale_latency.value);
}

TEST_CASE("a system is written like a platform file") {
  SystemParameters system = system_of(hardware_classes().front());
  system.combine_cache_Bps = 14e9;
  system.combine_memory_Bps = 4e9;
  bool found = false;
  for (const auto& each : given_parameters(system)) {
    CHECK(each.key != "mpi/scale_latency");
    if (each.key != "mpi/combine_bandwidth") continue;
    found = true;
    CHECK(each.value == "0:14000MBps;33554432:4000MBps");
  }
  CHECK(found);
  system.scale_law = ScaleLaw{.above = 64, .up_to = 256};
  system.scale_latency_s = 2e-6;
  const auto given = given_parameters(system);
  const auto law = std::ranges::find(given, "mpi/scale_latency", &platforms::GivenParameter::key);
  REQUIRE(law != given.end());
  CHECK(law->value == "64:2us;256:0us");
}

}  // namespace
