// SPDX-License-Identifier: BSD-3-Clause
// The NIC from streams of several pairs whose parameters are known.
#include "sim/fit/node_fit.hpp"

#include <doctest/doctest.h>

#include <random>

#include "tests/support/close_to.hpp"

using namespace tutti;
using studies::PairMeasurement;

namespace {

struct Nic {
  double bandwidth_Bps = 12e9;
  double rank_Bps = 12e9;
  double beyond_B = 150;
  Seconds interval_s = 0.1e-6;  // of a rank's messages
};

// A stream takes as long as the rank's overhead, the rank's rate or its part of the NIC allow.
std::vector<PairMeasurement> streams_of(const Nic& nic, std::initializer_list<int> all_pairs,
                                        bool both_ways = false) {
  std::vector<PairMeasurement> streams;
  for (const int pairs : all_pairs)
    for (Bytes bytes = 1; bytes <= 4 << 20; bytes *= 2) {
      const auto data = static_cast<double>(bytes);
      streams.push_back({.quantity = studies::PairQuantity::interval,
                         .bytes = bytes,
                         .time_s = std::max({nic.interval_s, data / nic.rank_Bps,
                                             pairs * (data + nic.beyond_B) / nic.bandwidth_Bps}),
                         .window = 64,
                         .pairs = pairs,
                         .both_ways = both_ways});
    }
  return streams;
}

}  // namespace

TEST_CASE("a NIC that ranks share") {
  const auto fit = studies::fit_nic(streams_of({}, {1, 8, 32}));
  REQUIRE(fit);
  CHECK(fit->pairs == 32);
  CHECK(fit->bandwidth_Bps == tests::close_to(12e9, 0.001));
  CHECK_FALSE(fit->rank_Bps);
  CHECK(fit->message_bytes == 150);
}

TEST_CASE("a rank that is slower than its NIC") {
  const auto fit = studies::fit_nic(streams_of({.rank_Bps = 7e9}, {1, 4}));
  REQUIRE(fit);
  REQUIRE(fit->rank_Bps);
  CHECK(*fit->rank_Bps == tests::close_to(7e9, 0.001));
}

TEST_CASE("ranks whose messages the NIC does not slow down show nothing beyond the data") {
  const auto fit = studies::fit_nic(streams_of({.interval_s = 20e-6}, {1, 8, 32}));
  REQUIRE(fit);
  CHECK(fit->message_bytes == 0);
}

TEST_CASE("intervals contain the known parameters of noisy streams in nine of ten cases") {
  int inside = 0, all = 0;
  for (unsigned seed = 1; seed <= 10; ++seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> part(0.3, 0.8), beyond(50, 400);
    std::normal_distribution<double> noise(0, 0.03);
    Nic nic{.beyond_B = beyond(random)};
    nic.rank_Bps = part(random) * nic.bandwidth_Bps;
    auto streams = streams_of(nic, {1, 4, 16, 32});
    for (auto& stream : streams) stream.time_s *= std::exp(noise(random));
    const auto fit = studies::fit_nic(streams);
    REQUIRE(fit);
    for (const auto& [name, truth] :
         {std::pair("nic_bandwidth", nic.bandwidth_Bps), std::pair("rank_bandwidth", nic.rank_Bps),
          std::pair("bytes_per_message", nic.beyond_B)}) {
      const auto found = std::ranges::find(fit->parameters, name, &studies::FittedParameter::name);
      REQUIRE(found != fit->parameters.end());
      inside += *found->low <= truth && truth <= *found->high;
      ++all;
    }
  }
  CHECK(all == 30);
  CHECK(inside >= 27);
}

TEST_CASE("one pair does not show the NIC") { CHECK_FALSE(studies::fit_nic(streams_of({}, {1}))); }

TEST_CASE("streams in both directions show half duplex") {
  auto streams = streams_of({}, {1, 8});
  // A full duplex NIC moves twice as much in both directions: each pair keeps its interval.
  const auto full = streams_of({}, {8}, true);
  streams.insert(streams.end(), full.begin(), full.end());
  CHECK_FALSE(studies::fit_nic(streams)->half_duplex);
  for (auto& stream : streams)
    if (stream.both_ways) stream.time_s *= 2;
  CHECK(studies::fit_nic(streams)->half_duplex);
}

TEST_CASE("typical nodes grow with their cores, and are in a platform file's notation") {
  const auto small = studies::typical_node(8), large = studies::typical_node(128);
  CHECK(small.given.size() == large.given.size());
  CHECK(*large.parameters[1].value == tests::exactly(16 * *small.parameters[1].value));
}
