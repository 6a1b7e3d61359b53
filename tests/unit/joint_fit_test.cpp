// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/joint_fit.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "platforms/reader.hpp"
#include "platforms/writer/platform_file.hpp"
#include "sim/fit/fitted_parameters.hpp"
#include "sim/fit/message_rows.hpp"

using namespace tutti;
using namespace tutti::studies;

namespace {

Result<platforms::Machine> machine_of(const JointFit& fit, const std::string& = {}) {
  platforms::PlatformFile file;
  file.id = "fitted";
  file.nodes = 8;
  file.cores = 4;
  file.bandwidth = network_bandwidth(fit.inter);
  file.latency = link_latency(fit.inter, 2);
  file.groups = {{"Between nodes.", inter_parameters(fit.inter)}};
  return platforms::read_machine(platforms::platform_xml(file), "fitted.xml");
}

// L 1 us, o_s 0.3 us, o_r 0.9 us, copies of the receiver 3 GB/s.
ProtocolFit truth(Seconds gap_s = 2e-6) {
  ProtocolFit fit;
  fit.eager_max = 16384;
  fit.latency_s = 1e-6;
  fit.send_overhead_s = 0.3e-6;
  fit.recv_overhead_s = 0.9e-6;
  fit.gap_s = gap_s;
  fit.recv_s_per_B = 1 / 3e9;
  fit.sections = {{.wire_s_per_B = 1e-10},
                  {.above = 16384,
                   .protocol = platforms::Protocol::rendezvous,
                   .extra_s = 4e-6,
                   .wire_s_per_B = 1e-10}};
  return fit;
}

MeasuredMessages messages() {
  std::vector<PairMeasurement> samples;
  for (Bytes bytes = 1; bytes <= 4 << 20; bytes *= 2)
    samples.push_back({PairQuantity::one_way, bytes, truth().one_way_s(bytes)});
  return {samples, fit_protocol(samples).value()};
}

Result<JointFit> fit_of(const std::vector<MeasuredCollective>& measured) {
  return fit_to_collectives(measured, machine_of, {.messages = messages()});
}

std::vector<MeasuredCollective> measured_collectives(Seconds gap_s = 2e-6) {
  const auto machine = machine_of({truth(gap_s)}).value();
  std::vector<MeasuredCollective> all;
  for (const auto& [collective, algorithm] :
       {std::pair("allgather", "ring"), {"gather", "basic_linear"}, {"bcast", "basic_linear"}})
    for (const Bytes bytes : {8, 512, 8192, 65536}) {
      MeasuredCollective one{collective, algorithm, 8, 1, bytes, 0};
      one.time_s = simulated_time(one, machine).value();
      all.push_back(one);
    }
  return all;
}

TEST_CASE("collectives separate latency, overheads and gap; message times are unchanged") {
  const auto alone = messages().fit;
  const auto joint = fit_of(measured_collectives()).value();
  const auto& fit = joint.inter;
  CHECK(std::abs(fit.recv_overhead_s / 0.9e-6 - 1) < 0.1);
  CHECK(std::abs(*fit.gap_s / 2e-6 - 1) < 0.1);
  CHECK(std::abs(fit.latency_s + fit.send_overhead_s - 1.3e-6) < 0.1e-6);
  for (Bytes bytes = 1; bytes <= 4 << 20; bytes *= 3)
    CHECK(std::abs(fit.one_way_s(bytes) / alone.one_way_s(bytes) - 1) < 1e-9);
  const auto gap = std::ranges::find(fit.parameters, "gap", &FittedParameter::name);
  CHECK(gap->note == from_collectives);
  const auto bandwidth = std::ranges::find(fit.parameters, "bandwidth", &FittedParameter::name);
  CHECK(bandwidth->note.empty());
}

TEST_CASE("a gap below the receive overhead is visible; one below the send overhead is omitted") {
  const auto gap_of = [](const ProtocolFit& fit) {
    return *std::ranges::find(fit.parameters, "gap", &FittedParameter::name);
  };
  const auto shown = fit_of(measured_collectives(0.6e-6)).value().inter;
  REQUIRE(shown.gap_s);
  CHECK(std::abs(*shown.gap_s / 0.6e-6 - 1) < 0.1);
  CHECK(gap_of(shown).note == from_collectives);
  const auto hidden = fit_of(measured_collectives(0.1e-6)).value();
  CHECK(!hidden.inter.gap_s);
  CHECK(gap_of(hidden.inter).status == ParameterStatus::not_determined);
  CHECK(!gap_of(hidden.inter).note.empty());
  const auto machine = machine_of(hidden).value();
  for (const auto& each : measured_collectives(0.1e-6))
    CHECK(std::abs(simulated_time(each, machine).value() / each.time_s - 1) < 0.03);
}

TEST_CASE("a gap determined by a stream is kept, although the collectives do not determine it") {
  const auto machine = machine_of({truth()}).value();
  auto with_stream = messages();
  PairMeasurement stream{PairQuantity::interval, 1, 0, false, 64};
  stream.time_s = message_time(stream, machine).value();
  with_stream.times.push_back(stream);
  with_stream.fit = fit_protocol(with_stream.times).value();
  auto rings = measured_collectives();
  std::erase_if(rings, [](const auto& each) { return each.collective != "allgather"; });
  const auto fit = fit_to_collectives(rings, machine_of, {.messages = with_stream}).value();
  REQUIRE(fit.inter.gap_s);
  CHECK(std::abs(*fit.inter.gap_s / 2e-6 - 1) < 0.1);
}

TEST_CASE("two times of collectives are too few") {
  auto two = measured_collectives();
  two.resize(2);
  CHECK(!fit_of(two));
}

}  // namespace
