// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "platforms/message_protocol.hpp"
#include "platforms/parameters/values.hpp"
#include "tests/support/close_to.hpp"

using namespace tutti;
using namespace tutti::platforms;

namespace {

Piecewise good(const std::string& text, PiecewiseKind kind,
               SectionOrder order = SectionOrder::ascending) {
  const auto parsed = parse_piecewise(text, kind, order);
  REQUIRE(parsed);
  return *parsed;
}

}  // namespace

TEST_CASE("a message is eager, detached or rendezvous by its size") {
  MessageProtocol protocol;
  protocol.eager_max = 100;
  protocol.detached_max = 200;
  CHECK(protocol.protocol_of(0) == Protocol::eager);
  CHECK(protocol.protocol_of(100) == Protocol::eager);
  CHECK(protocol.protocol_of(101) == Protocol::detached);
  CHECK(protocol.protocol_of(200) == Protocol::detached);
  CHECK(protocol.protocol_of(201) == Protocol::rendezvous);
  protocol.detached_max = -1;
  CHECK(protocol.protocol_of(101) == Protocol::rendezvous);
  protocol.eager_max = -1;
  CHECK(protocol.protocol_of(0) == Protocol::rendezvous);
}

TEST_CASE("one value applies to all sizes") {
  for (const auto kind : {PiecewiseKind::overhead, PiecewiseKind::surcharge}) {
    const auto cost = good("0.4us", kind);
    CHECK(cost(0) == 0.4e-6);
    CHECK(cost(1'000'000) == 0.4e-6);
  }
  CHECK(good("0.9", PiecewiseKind::latency_factor)(5) == 0.9);
}

TEST_CASE("a section applies above its limit, as a + b * bytes") {
  const auto cost = good("1KiB:1us;12KiB:2us:0.5ns", PiecewiseKind::overhead);
  CHECK(cost(0) == 1e-6);  // the first section also applies to smaller messages
  CHECK(cost(1024) == 1e-6);
  CHECK(cost(12288) == 1e-6);
  CHECK(cost(12289) == tests::close_to(2e-6 + 12289 * 0.5e-9, 1e-12));
  const auto sloped = good("8:1us:1ns", PiecewiseKind::overhead);
  CHECK(sloped(4) == tests::close_to(1e-6 + 4e-9, 1e-12));
}

TEST_CASE("up to the first limit a surcharge is 0 and a factor 1") {
  const auto surcharge = good("64KiB:31us", PiecewiseKind::surcharge);
  CHECK(surcharge(65536) == 0);
  CHECK(surcharge(65537) == 31e-6);
  for (const auto kind : {PiecewiseKind::latency_factor, PiecewiseKind::bandwidth_factor}) {
    const auto factor = good("12KiB:0.5;64KiB:0.8", kind);
    CHECK(factor(12288) == 1);
    CHECK(factor(12289) == 0.5);
    CHECK(factor(65536) == 0.5);
    CHECK(factor(65537) == 0.8);
  }
}

TEST_CASE("SMPI's sections may come in any order") {
  const std::string text = "65472:0.940694;15424:0.697866;9376:0.58729;0:0.95;";
  const auto factor = good(text, PiecewiseKind::bandwidth_factor, SectionOrder::any);
  CHECK(factor(0) == 1);
  CHECK(factor(1) == 0.95);
  CHECK(factor(9377) == 0.58729);
  CHECK(factor(15425) == 0.697866);
  CHECK(factor(100'000) == 0.940694);
  CHECK_FALSE(parse_piecewise(text, PiecewiseKind::bandwidth_factor, SectionOrder::ascending));
}

TEST_CASE("invalid piecewise values are rejected") {
  for (const std::string text : {"", ";", ":", "1us;2us", "0:1us;0:2us", "2:1us;1:2us", "0:1us;",
                                 "0:-1us", "0:1us:-1ns", "-1:1us", "0:1us:1ns:1", "0:nan", "0:inf",
                                 "0:1e400", "x:1us", "0:1x", "1e7", "0:1us:2", "1.5:1us"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_piecewise(text, PiecewiseKind::overhead, SectionOrder::ascending));
  }
  for (const std::string text :
       {"", "0:0", "0", "-1", "nan", "0:1:1", "1us", "1e10", "0:1us", "1e-316", "9e-10", "-0"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_piecewise(text, PiecewiseKind::bandwidth_factor, SectionOrder::ascending));
  }
  for (const std::string text : {"1e-316", "9e-10", "-1", "nan", "0:1e-200"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_piecewise(text, PiecewiseKind::latency_factor, SectionOrder::ascending));
  }
  CHECK(good("1e-9", PiecewiseKind::bandwidth_factor)(0) == 1e-9);
  CHECK(good("0", PiecewiseKind::latency_factor)(0) == 0);
  CHECK_FALSE(parse_piecewise(";;", PiecewiseKind::overhead, SectionOrder::any));
  CHECK_FALSE(parse_piecewise("1:1us;1:2us", PiecewiseKind::overhead, SectionOrder::any));
  std::string many = "0:1us";
  for (int i = 1; i <= 1000; ++i) many += ";" + std::to_string(i) + ":1us";
  CHECK_FALSE(parse_piecewise(many, PiecewiseKind::overhead, SectionOrder::ascending));
}

TEST_CASE("limits, thresholds and times per byte have their own notation") {
  CHECK(*parse_limit("none") == -1);
  CHECK(*parse_limit("12KiB") == 12288);
  CHECK(*parse_threshold("12289") == 12288);
  CHECK(*parse_threshold("0") == -1);
  CHECK_FALSE(parse_threshold("none"));
  CHECK(*parse_time_per_byte("0.67ns") == 0.67e-9);
  CHECK(*parse_time_per_byte("2GBps") == 0.5e-9);
  CHECK(*parse_time_per_byte("8Gbps") == 1e-9);
  CHECK(*parse_time_per_byte("3ps") == 3e-12);
  CHECK_FALSE(parse_time_per_byte("2"));
  CHECK_FALSE(parse_time_per_byte("0GBps"));
  CHECK(*parse_time("1e6") == 1e6);
  CHECK_FALSE(parse_time("1000001"));
  CHECK_FALSE(parse_bandwidth("0.5"));
  CHECK_FALSE(parse_bandwidth("1e19"));
}
