// SPDX-License-Identifier: BSD-3-Clause
// The keys of platform files that SimGrid and SMPI define.
#include <doctest/doctest.h>

#include <algorithm>

#include "platforms/parameters/keys.hpp"
#include "platforms/reader.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/platform_text.hpp"

using namespace tutti;
using namespace tutti::platforms;

TEST_CASE("SMPI's own keys are read as SMPI does") {
  const auto machine = good(with_props(
      "", config(prop("smpi/async-small-thresh", "1001") +
                 prop("smpi/send-is-detached-thresh", "5000") + prop("smpi/os", "0:1e-6:1e-9") +
                 prop("smpi/or", "100:3e-6:0;10:2e-6:0") + prop("smpi/lat-factor", "10:2;100:3") +
                 prop("smpi/bw-factor", "0.5"))));
  CHECK(machine.warnings ==
        std::vector<std::string>{
            "dir/my.xml: smpi/os without smpi/ois: non-blocking sends cost nothing, as in SMPI",
            "dir/my.xml: messages are those of SMPI 3.32, with its defaults of smpi/ois"});
  const MessageProtocol& inter = machine.inter;
  CHECK(inter.protocol_of(1000) == Protocol::eager);
  CHECK(inter.protocol_of(1001) == Protocol::detached);
  CHECK(inter.protocol_of(4999) == Protocol::detached);
  CHECK(inter.protocol_of(5000) == Protocol::rendezvous);
  CHECK(inter.rendezvous == Rendezvous::direct);
  CHECK(inter.nic_order == NicOrder::free);
  CHECK(inter.send_overhead(1000) == tests::exactly(2e-6));
  CHECK(inter.send_overhead(4999) > 0);
  CHECK(inter.send_overhead(5000) == 0);  // the sender waits instead
  CHECK(inter.isend_overhead(1000) == 0);
  CHECK(inter.recv_overhead(0) == 2e-6);
  CHECK(inter.recv_overhead(101) == 3e-6);
  CHECK(inter.recv_overhead(5000) == 0);
  // The envelope counts for the sections.
  CHECK(inter.latency_s(1, 0) == 2);
  CHECK(inter.latency_s(1, 84) == 2);
  CHECK(inter.latency_s(1, 85) == 3);
  CHECK(inter.link_bytes(1000) == (1000 + 16) / 0.5);
  CHECK(inter.window == 4194304);
  CHECK(machine.cross_traffic);
  CHECK(machine.hockney.b_Bps == 0.5e9);
}

TEST_CASE("SMPI's defaults apply if one of its keys of messages is set, and only then") {
  const auto machine = good(with_props("", config(prop("smpi/os", "0:0:0:0:0"))));
  CHECK(machine.follows_smpi);
  CHECK(machine.inter.eager_max == -1);
  CHECK(machine.inter.detached_max == 65535);
  CHECK(machine.inter.latency_s(1, 0) == 2.01467);
  CHECK(machine.inter.latency_s(1, 65457) == 11.6436);
  CHECK(machine.inter.efficiency(5777) == 1.08739);
  CHECK(machine.warnings.back() ==
        "dir/my.xml: messages are those of SMPI 3.32, with its defaults of "
        "smpi/async-small-thresh, smpi/send-is-detached-thresh, smpi/ois, smpi/or, "
        "smpi/lat-factor, smpi/bw-factor");
  CHECK(good(with_props(""), {{"smpi/or", "0:0"}}).follows_smpi);
  const auto speed = good(with_props("", config(prop("smpi/host-speed", "1Gf"))));
  CHECK(!speed.follows_smpi);
  CHECK(speed.inter.envelope == 0);
}

TEST_CASE("the factors of SimGrid's other network models apply without SMPI's keys") {
  const auto factors =
      prop("network/latency-factor", "13.01") + prop("network/bandwidth-factor", "0.97");
  const auto machine = good(with_props("", config(factors + prop("network/TCP-gamma", "1000"))));
  CHECK(machine.inter.latency_factor(0) == 13.01);
  CHECK(machine.inter.efficiency(0) == 0.97);
  CHECK(machine.inter.window == 1000);
  CHECK(machine.inter.envelope == 0);
  CHECK(!machine.cross_traffic);
  const auto smpi = good(with_props("", config(factors + prop("smpi/lat-factor", "0:2"))));
  CHECK(smpi.inter.latency_factor(17) == 2);
  CHECK(smpi.inter.efficiency(17) == 0.812084);
  CHECK(smpi.warnings.back() ==
        "dir/my.xml: no effect in SMPI's network model: network/latency-factor, "
        "network/bandwidth-factor");
  CHECK(good(with_props("", config(prop("network/TCP-gamma", "0")))).inter.window == -1);
}
