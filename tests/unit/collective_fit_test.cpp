// SPDX-License-Identifier: BSD-3-Clause
// Fits to collectives only.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "platforms/reader.hpp"
#include "platforms/writer/platform_file.hpp"
#include "sim/fit/fitted_parameters.hpp"
#include "sim/fit/joint_fit.hpp"
#include "tests/support/close_to.hpp"

using namespace tutti;
using namespace tutti::studies;

namespace {

Result<platforms::Machine> machine_of(const JointFit& fit, const std::string&) {
  platforms::PlatformFile file;
  file.id = "fitted";
  file.nodes = 8;
  file.bandwidth = network_bandwidth(fit.inter);
  file.latency = link_latency(fit.inter, 2);
  file.groups = {{"Between nodes.", inter_parameters(fit.inter)}};
  if (fit.system) file.groups.push_back({"System.", given_parameters(*fit.system)});
  return platforms::read_machine(platforms::platform_xml(file), "fitted.xml");
}

// L 1.4 us, o 0.15 us, 12 GB/s, copies 6 GB/s, eager up to 8 KiB, then a registration of 3 us at
// the sender and one of 1 us in the network; in addition latencies that grow with the size.
JointFit truth() {
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
  SystemParameters system = system_of(hardware_classes().front());
  system.arrival_skew_s.reset();
  system.copy_cache_Bps = 12e9;
  system.copy_memory_Bps = 6e9;
  system.extra_steps_s = {0.1e-6, 0.2e-6, 0.3e-6, 0.8e-6, 0.4e-6,
                          1.5e-6, 10e-6,  12e-6,  80e-6,  400e-6};
  return {.inter = fit, .system = system};
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

TEST_CASE("a fit to simulated collectives reproduces their times") {
  const auto measured = measured_on(machine_of(truth(), "").value());
  const auto fit = fit_to_collectives(measured, machine_of).value();
  CHECK(fit.inter.eager_max >= 4096);
  CHECK(fit.inter.eager_max <= 32767);
  const auto fitted = machine_of(fit, "").value();
  for (const auto& each : measured) {
    CAPTURE(each.collective);
    CAPTURE(each.message_bytes);
    CHECK(std::abs(simulated_time(each, fitted).value() / each.time_s - 1) < 0.05);
  }
}

TEST_CASE("a table of whole buffers gives blocks and Open MPI's names") {
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

TEST_CASE("times may be in microseconds, and a wrong unit of seconds is detected") {
  const auto cells = [](const char* collective, std::int64_t procs, std::int64_t bytes,
                        double time) {
    return std::vector<Cell>{std::string(collective), std::string("ring"), procs, bytes, time};
  };
  Table table{{"collective", "algorithm", "procs", "message_bytes", "time_us"},
              {cells("allgather", 64, 8, 90), cells("allgather", 64, 1 << 20, 15e3),
               cells("allreduce", 64, 1 << 20, 400)}};
  for (const char* name : {"time_us", "t_median_us", "latency_us"}) {
    table.columns.back() = name;
    const auto rows = measured_collectives(table).value().found;
    REQUIRE(rows.size() == 3);
    CHECK(rows[0].time_s == tests::exactly(90e-6));
    CHECK_FALSE(look_like_microseconds(rows));
  }
  table.columns.back() = "time_s";
  CHECK_FALSE(look_like_microseconds({}));
  auto rows = measured_collectives(table).value().found;
  CHECK(look_like_microseconds(rows));
  rows[0].time_s = 0.4;  // a network that is slow at times, not everywhere
  CHECK_FALSE(look_like_microseconds(rows));
  // A gigabyte in total over a link of 100 Mbit/s takes minutes.
  for (auto& row : rows) row = {"allgather", "ring", 64, 1, 16 << 20};
  for (auto& row : rows) row.time_s = 90;
  CHECK_FALSE(look_like_microseconds(rows));
  table.rows[0].back() = 1e15;
  table.columns.back() = "time_us";
  const auto why = measured_collectives(table).value().omitted.why();
  CHECK(why.starts_with("invalid time '"));
  CHECK(why.ends_with("' of a collective, in us"));
}

TEST_CASE("a row without a time is not filled with another quantity") {
  const Table table{{"collective", "algorithm", "procs", "message_bytes", "time_s", "time_mean_s"},
                    {{std::string("bcast"), std::string("chain"), 8, 8, 3e-6, 2e-6},
                     {std::string("bcast"), std::string("chain"), 8, 64, Cell{}, 2e-6}}};
  const auto read = measured_collectives(table).value();
  REQUIRE(read.found.size() == 1);
  CHECK(read.found[0].time_s == 3e-6);
  CHECK(read.omitted.count == 1);
  CHECK(read.omitted.why() == "missing time");
}

TEST_CASE("rows that cannot be simulated are reported once") {
  const Table table{
      {"collective", "algorithm", "procs", "message_bytes", "time_s"},
      {{std::string("bcast"), std::string("binomal"), std::int64_t{4}, std::int64_t{1}, 1e-6},
       {std::string("bcast"), std::string("binomal"), std::int64_t{4}, std::int64_t{2}, 1e-6}}};
  const auto found = measured_collectives(table);
  REQUIRE(!found);
  CHECK(found.errors().size() == 1);
  CHECK(found.error().hint.find("binomial") != std::string::npos);
}

std::string message_of(const std::vector<MeasuredCollective>& measured) {
  const auto fit = fit_to_collectives(measured, machine_of);
  return fit ? "" : fit.error().message;
}

TEST_CASE("too few times, or times of one size, cannot be fitted") {
  CHECK(message_of({}).find("too few") != std::string::npos);
  MeasuredCollective one{"bcast", "binomial", 8, 1, 1024};
  one.time_s = 1e-5;
  CHECK(message_of(std::vector(7, one)).find("7 times of collectives") != std::string::npos);
  CHECK(message_of(std::vector(8, one)).find("only one message size") != std::string::npos);
}

TEST_CASE("times of one call that differ by more than any noise are contradictory") {
  MeasuredCollective one{"bcast", "binomial", 8, 1, 1024};
  one.time_s = 1e-5;
  one.file = "a.csv";
  one.line = 2;
  auto other = one;
  other.line = 3;
  other.time_s = 3e-5;
  CHECK(!contradiction({one, other}));
  other.time_s = 10;  // us
  const auto error = contradiction({one, other});
  REQUIRE(error);
  CHECK(error->place == "a.csv");
  CHECK(error->line == 3);
  CHECK(error->message.find("line 2 of a.csv") != std::string::npos);
  CHECK(error->hint.find("in s") != std::string::npos);
  other.procs = 16;
  CHECK(!contradiction({one, other}));
}

TEST_CASE("parameters that no time determines keep the class's value, and are reported") {
  const auto hardware = find_hardware_class("infiniband-hdr").value();
  const auto measured = measured_on(machine_of(truth(), "").value());
  const auto fit =
      fit_to_collectives(measured, machine_of, {.hardware = hardware, .cross_validate = false})
          .value();
  // No reduction, no buffer of 32 MiB, no barrier.
  for (const auto& each : fit.inter.parameters)
    if (each.name == "combine_bandwidth") {
      CHECK(each.status == ParameterStatus::prior);
      CHECK(each.note == "infiniband-hdr");
    }
  CHECK(std::abs(fit.system->combine_cache_Bps / hardware.combine_cache.value - 1) < 1e-6);
  CHECK(!fit.system->arrival_skew_s);
  CHECK(fit.inter.eager_max == hardware.eager_max);
  CHECK(fit.validations.empty());
  CHECK(fit.runs.count == 0);
}

}  // namespace
