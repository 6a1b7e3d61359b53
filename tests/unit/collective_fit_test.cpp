// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/fit/collective_fit.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "platforms/reader.hpp"
#include "platforms/writer/platform_file.hpp"
#include "sim/studies/fit/fitted_parameters.hpp"

using namespace tutti;
using namespace tutti::studies;

namespace {

Result<platforms::Machine> machine_of(const ProtocolFit& fit) {
  platforms::PlatformFile file;
  file.id = "fitted";
  file.nodes = 8;
  file.bandwidth = network_bandwidth(fit);
  file.latency = link_latency(fit, 2);
  file.groups = {{"Between nodes.", inter_parameters(fit)}};
  return platforms::read_machine(platforms::platform_xml(file), "fitted.xml");
}

// L 1.4 us, o 0.15 us, 12 GB/s, copies 6 GB/s, eager up to 8 KiB, then a registration of the sender
// of 3 us and one of the network of 1 us.
ProtocolFit truth() {
  ProtocolFit fit;
  fit.eager_max = 8192;
  fit.latency_s = 1.4e-6;
  fit.send_overhead_s = fit.recv_overhead_s = 0.15e-6;
  fit.recv_s_per_B = 1 / 6e9;
  fit.sections = {{.wire_s_per_B = 1 / 12e9},
                  {.above = 8192,
                   .protocol = platforms::Protocol::rendezvous,
                   .extra_s = 1e-6,
                   .send_extra_s = 3e-6,
                   .wire_s_per_B = 1 / 12e9}};
  return fit;
}

std::vector<MeasuredCollective> measured_on(const platforms::Machine& machine) {
  std::vector<MeasuredCollective> all;
  for (const auto& [collective, algorithm] :
       {std::pair("allgather", "ring"), {"gather", "basic_linear"}})
    for (Bytes bytes = 8; bytes <= 8 << 20; bytes *= 8) {
      MeasuredCollective one{collective, algorithm, 8, 1, bytes, 0};
      one.time_s = simulated_time(one, machine).value();
      all.push_back(one);
    }
  return all;
}

TEST_CASE("a fit to simulated collectives simulates them again") {
  const auto measured = measured_on(machine_of(truth()).value());
  const auto fit = fit_protocol_to_collectives(measured, machine_of).value();
  CHECK(fit.eager_max >= 4096);
  CHECK(fit.eager_max <= 32767);
  const auto fitted = machine_of(fit).value();
  for (const auto& each : measured) {
    CAPTURE(each.collective);
    CAPTURE(each.message_bytes);
    CHECK(std::abs(simulated_time(each, fitted).value() / each.time_s - 1) < 0.05);
  }
}

TEST_CASE("a table of whole buffers gives blocks, and Open MPI's names") {
  const Table table{
      {"collective", "algorithm", "nprocs", "buffer_bytes", "t_median_s"},
      {{std::string("gather"), std::string("linear_ompi"), std::int64_t{4}, std::int64_t{4096},
        1e-6},
       {std::string("bcast"), std::string("binomial"), std::int64_t{4}, std::int64_t{4096}, 2e-6}}};
  const auto found = measured_collectives(table).value().found;
  REQUIRE(found.size() == 2);
  CHECK(found[0].algorithm == "basic_linear");
  CHECK(found[0].message_bytes == 1024);
  CHECK(found[1].message_bytes == 4096);
}

TEST_CASE("what cannot be simulated is told once") {
  const Table table{
      {"collective", "algorithm", "procs", "message_bytes", "time_s"},
      {{std::string("bcast"), std::string("binomal"), std::int64_t{4}, std::int64_t{1}, 1e-6},
       {std::string("bcast"), std::string("binomal"), std::int64_t{4}, std::int64_t{2}, 1e-6}}};
  const auto found = measured_collectives(table);
  REQUIRE(!found);
  CHECK(found.errors().size() == 1);
  CHECK(found.error().hint.find("binomial") != std::string::npos);
  CHECK(!fit_protocol_to_collectives({}, machine_of));
}

}  // namespace
