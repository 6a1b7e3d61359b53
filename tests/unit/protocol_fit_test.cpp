// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/protocol_fit.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "platforms/reader.hpp"
#include "platforms/writer/platform_file.hpp"
#include "sim/base/random.hpp"
#include "sim/fit/fitted_parameters.hpp"
#include "sim/fit/loggp_measurement.hpp"
#include "sim/jobs/point_to_point.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/hidden_machine.hpp"
#include "tests/support/test_machine.hpp"

using namespace tutti;
using namespace tutti::studies;

namespace {

using tests::close_to;

double normal(std::uint64_t seed, std::uint64_t i) {
  return std::sqrt(2 * random_exponential(seed, 0, i)) *
         std::cos(2 * M_PI * random_uniform(seed, 1, i));
}

// L 2 us, o_s 0.4 us, o_r 0.6 us, wire 1 GB/s, copies 4 GB/s, eager up to 16 KiB, then 5 us of
// registration.
platforms::Machine known_machine(Seconds registration_s = 5e-6) {
  auto machine = tests::test_machine(2);
  auto& inter = machine.inter;
  inter.eager_max = inter.detached_max = 16384;
  inter.send_overhead = inter.isend_overhead = platforms::Piecewise(0.4e-6);
  inter.recv_overhead = platforms::Piecewise(0.6e-6);
  inter.copy_Bps = 4e9;
  inter.rendezvous_overhead = platforms::Piecewise(registration_s);
  return machine;
}

std::vector<Bytes> powers_and_limit() {
  std::vector<Bytes> sizes;
  for (Bytes bytes = 1; bytes <= 4 << 20; bytes *= 2) sizes.push_back(bytes);
  sizes.push_back(16385);
  std::ranges::sort(sizes);
  return sizes;
}

// Each size 100 times, with 5% noise; one sample in twenty is 1.5 to 4 times as long.
std::vector<PairMeasurement> sampled(const std::vector<Bytes>& sizes, std::uint64_t seed,
                                     const platforms::Machine& machine = known_machine()) {
  const auto times = ping_pong_times(machine, {.nodes = {0, 1}}, {.sizes = sizes}).value();
  std::vector<PairMeasurement> samples;
  std::uint64_t draw = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    for (int repetition = 0; repetition < 100; ++repetition) {
      ++draw;
      double factor = 1 + 0.05 * normal(seed, draw);
      if (random_uniform(seed, 2, draw) < 0.05) factor = 1.5 + 2.5 * random_uniform(seed, 3, draw);
      samples.push_back({PairQuantity::one_way, sizes[i], times[i] * factor});
    }
  return samples;
}

const FittedParameter& parameter(const ProtocolFit& fit, const std::string& name,
                                 Bytes above = -1) {
  for (const auto& each : fit.parameters)
    if (each.name == name && each.above == above) return each;
  FAIL("no parameter " << name << " above " << above);
  return fit.parameters.front();
}

void check_within_5_percent(const FittedParameter& found, double truth) {
  CAPTURE(found.name);
  CHECK(found.status == ParameterStatus::fitted);
  CHECK(*found.value / truth == close_to(1, 0.05));
}

// A flat cluster of two nodes with these messages between them and inside them.
platforms::Machine machine_of(const ProtocolFit& fit) {
  platforms::PlatformFile file;
  file.id = "fitted";
  file.nodes = file.cores = 2;
  file.bandwidth = network_bandwidth(fit);
  file.latency = link_latency(fit, 2);
  file.groups = {{"Between nodes.", inter_parameters(fit)},
                 {"Inside a node.", intra_parameters(fit, {})}};
  auto machine = platforms::read_machine(platforms::platform_xml(file), "fitted.xml");
  if (!machine) FAIL(machine.error().message);
  return *std::move(machine);
}

TEST_CASE("if the latency is undetermined, a rendezvous costs at least two latencies") {
  ProtocolFit truth;
  truth.eager_max = 16384;
  truth.latency_s = 0.5e-6;
  truth.send_overhead_s = truth.recv_overhead_s = 1e-6;
  truth.sections = {{.wire_s_per_B = 1e-10},
                    {.above = 16384,
                     .protocol = platforms::Protocol::rendezvous,
                     .extra_s = 0.5e-6,
                     .wire_s_per_B = 1e-10}};
  std::vector<PairMeasurement> samples;
  for (const Bytes bytes : powers_and_limit())
    samples.push_back({PairQuantity::one_way, bytes, truth.one_way_s(bytes)});
  const auto fit = fit_protocol(samples, {.eager_limit = 16384}).value();
  CHECK(fit.latency_s == close_to(0.75e-6, 1e-9));
  CHECK(parameter(fit, "rendezvous_overhead").value == 0);
  CHECK(parameter(fit, "latency").note == "half of the rendezvous cost");
  for (const auto& each : samples) CHECK(fit.one_way_s(each.bytes) == close_to(each.time_s, 1e-6));
  const auto again = machine_of(fit);
  const auto time_s = ping_pong_times(again, {.nodes = {0, 1}}, {.sizes = {1 << 16}}).value();
  CHECK(time_s.front() == close_to(truth.one_way_s(1 << 16), 1e-6));
}

TEST_CASE("noisy ping-pong recovers all that it determines, and the rest is reported") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    const auto fit = fit_protocol(sampled(powers_and_limit(), seed)).value();
    check_within_5_percent(parameter(fit, "latency_and_overheads"), 3e-6);
    check_within_5_percent(parameter(fit, "bandwidth", 0), 1 / (1 / 1e9 + 1 / 4e9));
    check_within_5_percent(parameter(fit, "bandwidth", 16384), 1e9);
    check_within_5_percent(parameter(fit, "rendezvous_cost"), 2 * 2e-6 + 5e-6);
    CHECK(fit.eager_max == 16384);
    CHECK(parameter(fit, "eager_limit").low == 16384);
    CHECK(parameter(fit, "eager_limit").high == 16384);
    for (const char* name :
         {"latency", "send_overhead", "recv_overhead", "copy_bandwidth", "rendezvous_overhead"})
      CHECK(parameter(fit, name).status == ParameterStatus::assumed);
    CHECK(parameter(fit, "gap").status == ParameterStatus::not_determined);
  }
}

TEST_CASE("the eager limit is between the two adjacent sizes") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    auto sizes = powers_and_limit();
    std::erase(sizes, 16385);
    const auto fit = fit_protocol(sampled(sizes, seed, known_machine(15e-6))).value();
    CHECK(*parameter(fit, "eager_limit").low == 16384);
    CHECK(*parameter(fit, "eager_limit").high == 32767);
    CHECK(fit.eager_max == 16384);
  }
}

TEST_CASE("overheads and gap are fitted to data like Netgauge's") {
  auto machine = known_machine();
  machine.inter.gap = platforms::Piecewise(1.5e-6);
  const auto measured = measure_loggp(machine, {.nodes = {0, 1}}).value();
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    auto samples = sampled(powers_and_limit(), seed);
    std::uint64_t draw = 0;
    const auto noisy = [&](double time_s) {
      return time_s * (1 + 0.02 * normal(seed + 99, ++draw));
    };
    for (const auto& [message, L_s, g_s, G] : measured.rows) {
      samples.push_back({PairQuantity::send_overhead, message.bytes, noisy(message.o_send_s)});
      samples.push_back({PairQuantity::recv_overhead, message.bytes, noisy(message.o_recv_s)});
      for (int i = 0; i < 5; ++i)
        samples.push_back({PairQuantity::interval, message.bytes, noisy(message.interval_s)});
    }
    CAPTURE(seed);
    const auto fit = fit_protocol(samples).value();
    check_within_5_percent(parameter(fit, "send_overhead"), 0.4e-6);
    check_within_5_percent(parameter(fit, "recv_overhead"), 0.6e-6);
    check_within_5_percent(parameter(fit, "latency"), 2e-6);
    CHECK(*parameter(fit, "copy_bandwidth").value / 4e9 == close_to(1, 0.1));
    check_within_5_percent(parameter(fit, "gap"), 1.5e-6);
  }
}

TEST_CASE("streams bound the gap and overheads that ping-pong leaves open") {
  auto with_gap = known_machine();
  with_gap.inter.gap = platforms::Piecewise(1.5e-6);
  for (const auto& [machine, interval_s] :
       {std::pair(known_machine(), 0.6e-6), std::pair(with_gap, 1.5e-6)}) {
    PingPongSizes streams{.sizes = powers_and_limit()};
    streams.pattern = workloads::PingPongPattern::stream;
    streams.window = 64;
    const auto times = ping_pong_times(machine, {.nodes = {0, 1}}, streams).value();
    auto samples = sampled(streams.sizes, 1, machine);
    for (std::size_t i = 0; i < times.size(); ++i)
      samples.push_back(
          {PairQuantity::interval, streams.sizes[i], times[i], false, streams.window});
    const auto fit = fit_protocol(samples).value();
    CHECK(*fit.gap_s / interval_s == close_to(1, 0.03));
    CHECK(fit.send_overhead_s <= *fit.gap_s * 1.001);
    CHECK(fit.recv_overhead_s <= *fit.gap_s * 1.001);
    CHECK(*parameter(fit, "latency_and_overheads").value / 3e-6 == close_to(1, 0.05));
    const auto fitted = ping_pong_times(machine_of(fit), {.nodes = {0, 1}}, streams).value();
    for (std::size_t i = 0; i < times.size(); ++i) {
      CAPTURE(streams.sizes[i]);
      if (streams.sizes[i] <= 256 || streams.sizes[i] >= 65536)
        CHECK(fitted[i] / times[i] == close_to(1, 0.05));
    }
  }
}

TEST_CASE("exact times are predicted exactly") {
  const auto sizes = powers_and_limit();
  const auto times = ping_pong_times(known_machine(), {.nodes = {0, 1}}, {.sizes = sizes}).value();
  std::vector<PairMeasurement> samples;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    samples.push_back({PairQuantity::one_way, sizes[i], times[i]});
  const auto fit = fit_protocol(samples).value();
  for (std::size_t i = 0; i < sizes.size(); ++i)
    CHECK(fit.one_way_s(sizes[i]) / times[i] == close_to(1, 1e-6));
  CHECK(fit.condition > 1);
}

// Latencies and bandwidths that differ in both protocols, and a time that falls at the eager limit.
platforms::Machine piecewise_machine() {
  auto machine = known_machine(1e-6);
  machine.inter.latency_factor = platforms::Piecewise(
      {0, 1, 0}, {{.above = 512, .a = 3}, {.above = 16384, .a = 0.5}, {.above = 262144, .a = 2}});
  machine.inter.bandwidth_factor = platforms::Piecewise(
      {0, 1, 0}, {{.above = 512, .a = 0.5}, {.above = 16384, .a = 1}, {.above = 262144, .a = 0.8}});
  return machine;
}

TEST_CASE("the fitted machine simulates the times that the fit predicts") {
  std::vector<Bytes> sizes;
  for (Bytes bytes = 16; bytes <= 4 << 20; bytes += bytes / 4) sizes.push_back(bytes);
  for (const auto& machine : {known_machine(), piecewise_machine(), known_machine(0)})
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      CAPTURE(seed);
      const auto fit = fit_protocol(sampled(sizes, seed, machine)).value();
      const auto fitted = machine_of(fit);
      const auto times = ping_pong_times(fitted, {.nodes = {0, 1}}, {.sizes = sizes}).value();
      for (std::size_t i = 0; i < sizes.size(); ++i) {
        CAPTURE(sizes[i]);
        CHECK(times[i] / fit.one_way_s(sizes[i]) == close_to(1, 1e-4));
      }
    }
}

TEST_CASE("a fit of messages inside a node simulates as it predicts") {
  const auto fit = fit_protocol(sampled(powers_and_limit(), 1)).value();
  const auto fitted = machine_of(fit);
  const auto times = ping_pong_times(fitted, {.nodes = {0, 0}}, {.sizes = {1, 4096, 1 << 20}});
  CHECK(times->at(0) / fit.one_way_s(1) == close_to(1, 1e-4));
  CHECK(times->at(1) / fit.one_way_s(4096) == close_to(1, 1e-4));
  CHECK(times->at(2) / fit.one_way_s(1 << 20) == close_to(1, 1e-4));
}

// Latency of messages above 8 KiB, copies of eager ones, limit, registration.
struct Classes {
  double second_latency_factor = 1;
  double copy_Bps = 4e9;
  Bytes eager_max = 32768;
  Seconds registration_s = 5e-6;
};

ProtocolFit fit_of_classes(const Classes& classes, std::uint64_t seed) {
  auto machine = known_machine(classes.registration_s);
  auto& inter = machine.inter;
  inter.eager_max = inter.detached_max = classes.eager_max;
  inter.copy_Bps = classes.copy_Bps;
  inter.latency_factor = platforms::Piecewise(
      {0, 1, 0}, {{.above = 8192, .a = classes.second_latency_factor}, {.above = 32768, .a = 1}});
  auto sizes = powers_and_limit();
  sizes.push_back(classes.eager_max + 1);
  std::ranges::sort(sizes);
  return fit_protocol(sampled(sizes, seed, machine)).value();
}

TEST_CASE("a class of two sizes does not move the eager limit") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    const auto fit = fit_of_classes({.second_latency_factor = 1.5, .registration_s = 15e-6}, seed);
    CHECK(fit.eager_max == 32768);
    CHECK(parameter(fit, "eager_limit").status == ParameterStatus::fitted);
  }
}

TEST_CASE("eager limits of 1 KiB and of 1 MiB are found") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    CHECK(fit_of_classes({.eager_max = 1024}, seed).eager_max == 1024);
    CHECK(fit_of_classes({.copy_Bps = 2e9, .eager_max = 1 << 20}, seed).eager_max == 1 << 20);
  }
}

TEST_CASE("an eager limit with another explanation, or with a small effect, is marked uncertain") {
  int doubted = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    const auto rival = parameter(
        fit_of_classes({.second_latency_factor = 2, .registration_s = 0}, seed), "eager_limit");
    doubted += rival.status == ParameterStatus::uncertain && !rival.note.empty();
    // 4 us in 2 ms: visible only by the copies that end there.
    const auto copies =
        parameter(fit_of_classes({.eager_max = 1 << 20, .registration_s = 0}, seed), "eager_limit");
    CHECK(copies.status == ParameterStatus::uncertain);
    CHECK(*copies.value == 1 << 20);
  }
  CHECK(doubted >= 9);
}

TEST_CASE("steps of the latency by size leave the eager limit uncertain") {
  const auto limit = parameter(fit_protocol(tests::hidden_messages(0, 1)).value(), "eager_limit");
  CHECK(limit.status == ParameterStatus::uncertain);
  CHECK(!limit.note.empty());
  const auto leonardo = platforms::load_machine("leonardo").value();
  std::vector<PairMeasurement> samples;
  for (Bytes bytes = 1; bytes <= 4 << 20; bytes *= 2)
    samples.push_back(
        {PairQuantity::one_way, bytes,
         ping_pong_times(leonardo, {.nodes = {0, 1}}, {.sizes = {bytes}}).value().front()});
  const auto again = parameter(fit_protocol(samples).value(), "eager_limit");
  CHECK(again.status == ParameterStatus::uncertain);
  CHECK_MESSAGE(again.note.find("latency step") != std::string::npos, again.note);
}

TEST_CASE("a sender that waits above the eager limit determines it") {
  const auto machine = known_machine();
  auto samples = sampled(powers_and_limit(), 1);
  for (const Bytes bytes : {1 << 10, 16 << 10, 32 << 10}) {
    const auto one = measure_message(machine, {.nodes = {0, 1}}, bytes).value();
    samples.push_back({PairQuantity::send_overhead, bytes, one.o_send_s});
  }
  const auto limit = parameter(fit_protocol(samples).value(), "eager_limit");
  CHECK(limit.value == 16384);
  CHECK(limit.status == ParameterStatus::fitted);
}

TEST_CASE("few sizes and no handshake give a fit of eager messages") {
  std::vector<PairMeasurement> samples;
  for (const Bytes bytes : {1, 128, 1024, 65536, 1 << 20})
    samples.push_back({PairQuantity::one_way, bytes, 2e-6 + 1e-9 * static_cast<double>(bytes)});
  const auto fit = fit_protocol(samples).value();
  CHECK(fit.eager_max == 1 << 20);
  CHECK(!parameter(fit, "eager_limit").low);
  CHECK(fit.one_way_s(65536) == close_to(67.536e-6, 1e-9));
}

TEST_CASE("without a visible handshake its cost is not reported") {
  auto machine = known_machine();
  machine.inter.eager_max = machine.inter.detached_max = 64 << 20;
  const auto fit = fit_protocol(sampled(powers_and_limit(), 1, machine)).value();
  CHECK(parameter(fit, "eager_limit").status == ParameterStatus::assumed);
  CHECK(parameter(fit, "rendezvous_cost").status == ParameterStatus::not_determined);
}

TEST_CASE("too few sizes and invalid times are rejected") {
  const PairMeasurement one{PairQuantity::one_way, 1, 1e-6};
  const PairMeasurement two{PairQuantity::one_way, 2, 1e-6};
  CHECK(!fit_protocol({one, one}));
  CHECK(!fit_protocol({one, two}));
  CHECK(!fit_protocol({one, two, {PairQuantity::one_way, 3, 0}}));
  const PairMeasurement flat{PairQuantity::one_way, 1 << 20, 1e-6};
  CHECK(!fit_protocol({one, two, flat}));
}

}  // namespace
