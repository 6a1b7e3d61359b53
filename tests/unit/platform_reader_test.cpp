// SPDX-License-Identifier: BSD-3-Clause
// Contents of valid platform files. Invalid ones: platform_errors_test.cpp.
#include <doctest/doctest.h>

#include <algorithm>

#include "platforms/parameters/keys.hpp"
#include "platforms/reader.hpp"
#include "platforms/tunables.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/platform_text.hpp"

using namespace tutti;
using namespace tutti::platforms;

TEST_CASE("a flat cluster is read with its links, cores and names") {
  const auto machine =
      good(platform("bw=\"10Gbps\" lat=\"0.5us\" core=\"6\" bb_bw=\"5GBps\" bb_lat=\"2us\" "
                    "bb_sharing_policy=\"FATPIPE\""));
  CHECK(machine.name == "my");
  CHECK(machine.file == "dir/my.xml");
  CHECK(machine.host_count() == 4);
  CHECK(machine.cores_per_host == 6);
  CHECK(machine.topology->kind() == "flat cluster");
  CHECK(machine.topology->host_name(3) == "h3");
  CHECK(machine.link(0).bandwidth_Bps == 1.25e9);
  CHECK(machine.link(0).latency_s == 0.5e-6);
  CHECK(machine.link(8).sharing == LinkSharing::fat_pipe);
  CHECK(machine.path(0, 1).latency_s == tests::exactly(3e-6));
  CHECK(machine.intra_node == IntraNode::network);
  CHECK_FALSE(machine.default_ppn);
}

TEST_CASE("the cluster may be in nested zones, in old-style zones, or after a byte order mark") {
  const std::string cluster = "<cluster id='c' radical='0' bw='1' lat='0'/>";
  for (const std::string& xml :
       {"<zone id='a' routing='Full'>" + cluster + "</zone>",
        "<zone id='a' routing='None'><zone id='b' routing='full'>" + cluster + "</zone></zone>",
        "<AS id='a' routing='Full'>" + cluster + "</AS>", "<!-- a comment -->" + cluster}) {
    CAPTURE(xml);
    CHECK(good("<platform version='4'>" + xml + "</platform>").host_count() == 1);
    CHECK(good("\xef\xbb\xbf<platform version='4.1'>" + xml + "</platform>").host_count() == 1);
  }
}

TEST_CASE("a quarter of a million hosts are read at once") {
  const auto machine = good(
      "<platform version='4.1'><cluster id='c' radical='0-262143' bw='1' lat='0'/></platform>");
  CHECK(machine.host_count() == 262'144);
  CHECK(machine.topology->host_name(262'143) == "262143");
  CHECK(machine.topology->find_host("262143") == HostId{262'143});
}

TEST_CASE("host numbers with leading zeros keep them in the names") {
  const auto machine = good(
      "<platform version='4.1'><cluster id='c' prefix='n' suffix='x' bw='1' lat='0' "
      "radical='0098-0101,\n 0007,12,1003-1004'/></platform>");
  const auto& hosts = *machine.topology;
  const std::vector<std::string> names{"n0098x", "n0099x", "n0100x", "n0101x",
                                       "n0007x", "n12x",   "n1003x", "n1004x"};
  REQUIRE(hosts.host_count() == names.size());
  for (HostId host = 0; host < names.size(); ++host) {
    CHECK(hosts.host_name(host) == names[host]);
    CHECK(hosts.find_host(names[host]) == host);
  }
  for (const char* other : {"n98x", "n098x", "n00098x", "n7x", "n012x", "n01003x", "n0x", "nx"})
    CHECK_FALSE(hosts.find_host(other));
}

TEST_CASE("missing message parameters have defaults and one warning") {
  const auto machine = good(with_props(""));
  CHECK(machine.inter.eager_max == 65536);
  CHECK(machine.inter.protocol_of(65537) == Protocol::rendezvous);
  CHECK(machine.inter.send_overhead(0) == 0);
  CHECK(machine.inter.latency_factor(1) == 1);
  REQUIRE(machine.warnings.size() == 1);
  CHECK(machine.warnings[0] ==
        "dir/my.xml: the platform lacks message parameters, defaults are used: eager limit (64 "
        "KiB), send overhead (0), receive overhead (0), latency factor (1), bandwidth factor (1)");
  const auto complete =
      good(with_props(prop("mpi/eager_limit", "none") + prop("mpi/send_overhead", "0") +
                      prop("mpi/recv_overhead", "0")));
  CHECK(complete.warnings.empty());
  CHECK(complete.inter.eager_max == -1);
}

TEST_CASE("our keys override SMPI's, the inner element the outer, and --set all") {
  const auto smpi = config(prop("smpi/async-small-thresh", "1001") + prop("smpi/os", "0:1us:0"));
  const auto ours = prop("mpi/eager_limit", "2000") + prop("mpi/bandwidth_factor", "0.25") +
                    prop("mpi/send_overhead", "3us") + prop("mpi/rendezvous", "get");
  const auto mixed = good(with_props(ours, smpi)).inter;
  CHECK(mixed.eager_max == 2000);
  CHECK(mixed.efficiency(0) == 1);  // instead of smpi/bw-factor
  CHECK(mixed.bandwidth_factor(0) == 0.25);
  CHECK(mixed.isend_overhead(100'000) == 3e-6);
  CHECK(mixed.rendezvous == Rendezvous::get);
  const std::string zones =
      "<platform version='4.1'>" + config(prop("mpi/gap", "1us") + prop("mpi/ppn", "1")) +
      "<zone id='z'>" + prop("mpi/gap", "2us") +
      "<cluster id='c' radical='0' bw='1' lat='0' core='4'>" + prop("mpi/gap", "3us") +
      "</cluster>" + prop("mpi/ppn", "2") + "</zone></platform>";
  CHECK(good(zones).inter.gap(0) == 3e-6);
  CHECK(good(zones).default_ppn == 2);
  const std::vector<Override> set = {{"smpi/async-small-thresh", "501"}, {"mpi/gap", "5us"}};
  CHECK(good(zones, set).inter.gap(0) == 5e-6);
  CHECK(good(with_props(prop("mpi/eager_limit", "2000")), set).inter.eager_max == 500);
  CHECK(good(zones, {{"mpi/gap", "5us"}, {"mpi/gap", "6us"}}).inter.gap(0) == 6e-6);
}

TEST_CASE("isend overheads equal the blocking send's, unless given") {
  CHECK(good(with_props(prop("mpi/send_overhead", "1us"))).inter.isend_overhead(0) == 1e-6);
  const auto both =
      good(with_props(prop("mpi/send_overhead", "1us") + prop("mpi/isend_overhead", "2us")));
  CHECK(both.inter.send_overhead(0) == 1e-6);
  CHECK(both.inter.isend_overhead(0) == 2e-6);
  CHECK(both.intra.isend_overhead(0) == 2e-6);
  const auto intra =
      good(with_props(prop("mpi/send_overhead", "1us") + prop("mpi/intra_send_overhead", "3us")));
  CHECK(intra.intra.isend_overhead(0) == 3e-6);
  CHECK(intra.inter.isend_overhead(0) == 1e-6);
}

TEST_CASE("messages inside a node use the bus if there is one") {
  const auto props = prop("mpi/bus_bandwidth", "8GBps") + prop("mpi/bus_latency", "0.2us") +
                     prop("mpi/latency_factor", "3") + prop("mpi/eager_limit", "12KiB") +
                     prop("mpi/intra_bandwidth", "2GBps") + prop("mpi/copy_bandwidth", "5GBps") +
                     prop("mpi/intra_copy_bandwidth", "none") +
                     prop("mpi/intra_eager_limit", "4KiB");
  const auto bus = good(with_props(props));
  CHECK(bus.intra_node == IntraNode::bus);
  CHECK(bus.path(1, 1).latency_s == 0.2e-6);
  CHECK(bus.bus.sharing == LinkSharing::shared);
  CHECK(bus.intra.latency_factor(0) == 1);
  CHECK(bus.intra.bandwidth_factor(0) == 1);
  CHECK(bus.rank_Bps == 2e9);
  CHECK(bus.path(1, 1).bandwidth_Bps == 2e9);
  CHECK(bus.intra.eager_max == 4096);
  CHECK(bus.intra.protocol_of(5000) == Protocol::rendezvous);
  CHECK(bus.inter.copy_Bps == 5e9);
  CHECK_FALSE(bus.intra.copy_Bps);
  REQUIRE(bus.local_copy_Bps);
  CHECK((*bus.local_copy_Bps)(1) == 5e9);

  const auto network = good(with_props(props), {{"mpi/intra_node", "network"}});
  CHECK(network.intra_node == IntraNode::network);
  CHECK(network.path(1, 1).latency_s == 2e-6);
  CHECK(network.intra.eager_max == 12288);  // the file's values of the bus are omitted
  CHECK(network.intra.latency_factor(0) == 3);
  CHECK_FALSE(network.rank_Bps);
  const auto chosen =
      good(with_props(props), {{"mpi/intra_node", "network"}, {"mpi/intra_eager_limit", "1KiB"}});
  CHECK(chosen.intra.eager_max == 1024);
  const auto file_network = good(with_props(props + prop("mpi/intra_node", "network")));
  CHECK(file_network.intra.eager_max == 4096);
  CHECK(file_network.intra.latency_factor(0) == 3);
  CHECK(file_network.rank_Bps == 2e9);
}

TEST_CASE("the rate of a process between nodes is a rate or none") {
  CHECK_FALSE(good(with_props("")).rank_send_Bps);
  const auto file = with_props(prop("mpi/rank_bandwidth", "300MBps"));
  const auto limited = good(file);
  CHECK(limited.rank_send_Bps == 3e8);
  CHECK(limited.path(0, 1).bandwidth_Bps == 3e8);
  CHECK(limited.rank_receive_Bps == 3e8);
  CHECK(limited.hockney.b_Bps == 3e8);  // derived values include it
  const auto receives = good(file, {{"mpi/rank_receive_bandwidth", "200MBps"}});
  CHECK(receives.rank_send_Bps == 3e8);
  CHECK(receives.path(0, 1).bandwidth_Bps == 2e8);
  CHECK(receives.path(0, 1).nic_bandwidth_Bps == 3e8);
  const auto sends = good(file, {{"mpi/rank_receive_bandwidth", "none"}});
  CHECK(sends.rank_send_Bps == 3e8);
  CHECK_FALSE(sends.rank_receive_Bps);
  CHECK_FALSE(good(file, {{"mpi/rank_bandwidth", "none"}}).rank_send_Bps);
  CHECK(bad(file, {{"mpi/rank_bandwidth", "0"}})[0].message.find("must be above 0") !=
        std::string::npos);
}

TEST_CASE("rates of local work are steps over the working set") {
  const auto file = with_props(prop("mpi/combine_bandwidth", "0:12GBps;32MiB:5GBps") +
                               prop("mpi/allocation_bandwidth", "0:none;1MiB:3GBps"));
  const auto machine = good(file);
  REQUIRE(machine.combine_Bps);
  CHECK((*machine.combine_Bps)(1) == 12e9);
  CHECK((*machine.combine_Bps)(32 << 20) == 12e9);
  CHECK((*machine.combine_Bps)((32 << 20) + 1) == 5e9);
  REQUIRE(machine.allocation_Bps);
  CHECK(1 / (*machine.allocation_Bps)(1 << 20) == 0);
  CHECK((*machine.allocation_Bps)(2 << 20) == 3e9);
  CHECK_FALSE(good(with_props("")).combine_Bps);
  const auto wrong = bad(file, {{"mpi/combine_bandwidth", "0:12GBps;32MiB"}});
  CHECK(wrong[0].message.find("invalid section '32MiB'") != std::string::npos);
  CHECK(wrong[0].hint.find("LIMIT:RATE") != std::string::npos);
}

TEST_CASE("an extra latency is a curve through points") {
  const auto machine =
      good(with_props(prop("mpi/extra_latency", "64:1us;164:3us;1164:2us") +
                      prop("mpi/scale_latency", "64:2us") + prop("mpi/rendezvous", "get")));
  const auto& curve = machine.inter.extra_latency;
  CHECK(curve(0) == tests::close_to(1e-6, 1e-12));
  CHECK(curve(64) == tests::close_to(1e-6, 1e-12));
  CHECK(curve(114) == tests::close_to(2e-6, 1e-12));
  CHECK(curve(164) == tests::close_to(3e-6, 1e-12));
  CHECK(curve(664) == tests::close_to(2.5e-6, 1e-12));
  CHECK(curve(1 << 20) == tests::close_to(2e-6, 1e-12));
  CHECK(machine.inter.scale_latency(64) == 0);
  CHECK(machine.inter.scale_latency(65) == 2e-6);
  CHECK(machine.inter.rendezvous == Rendezvous::get);
  CHECK(bad(with_props(prop("mpi/rendezvous", "pull")))[0].message.find(
            "expected put, get or direct") != std::string::npos);
  CHECK(bad(with_props(prop("mpi/extra_latency", "0:1us:2ns")))[0].hint.find("SIZE:TIME") !=
        std::string::npos);
}

TEST_CASE("a time per byte implies that eager messages leave one after the other") {
  const auto nothing = good(with_props(""));
  CHECK(nothing.inter.nic_order == NicOrder::shared);
  CHECK(nothing.intra.nic_order == NicOrder::shared);
  const auto per_byte = prop("mpi/gap_per_byte", "1ns");
  for (const auto& fifo : {prop("mpi/nic_order", "fifo"), per_byte}) {
    const auto machine = good(with_props(fifo));
    CHECK(machine.inter.nic_order == NicOrder::fifo);
    CHECK(machine.intra.nic_order == NicOrder::fifo);
  }
  const auto inside = good(with_props(prop("mpi/intra_gap_per_byte", "1ns")));
  CHECK(inside.inter.nic_order == NicOrder::shared);
  CHECK(inside.intra.nic_order == NicOrder::fifo);
  const auto between = good(with_props(per_byte + prop("mpi/intra_nic_order", "shared")));
  CHECK(between.inter.nic_order == NicOrder::fifo);
  CHECK(between.intra.nic_order == NicOrder::shared);
  CHECK_FALSE(between.intra.gap_per_byte);
  const auto both = read_machine(with_props(per_byte), "p.xml", {{"mpi/nic_order", "shared"}});
  REQUIRE_FALSE(both);
  CHECK(both.error().message ==
        "mpi/nic_order: mpi/gap_per_byte contradicts mpi/nic_order = shared");
}

TEST_CASE("messages above the eager limit are copied out up to a limit, if the file gives one") {
  CHECK(good(with_props("")).inter.copy_max == -1);
  const auto file = with_props(prop("mpi/copy_bandwidth", "2GBps") +
                               prop("mpi/copy_limit", "64KiB") + prop("mpi/bus_bandwidth", "1"));
  CHECK(good(file).inter.copy_max == 65536);
  CHECK(good(file).intra.copy_max == 65536);
  CHECK(good(file, {{"mpi/intra_copy_limit", "none"}}).intra.copy_max == -1);
  CHECK(good(file, {{"mpi/copy_limit", "1KiB"}}).inter.copy_max == 1024);
}

TEST_CASE("credits and fragments are off, and those of the network do not apply to a bus") {
  const auto plain = good(with_props(""));
  for (const auto* each : {&plain.inter, &plain.intra}) {
    CHECK(each->eager_credits == 0);
    CHECK(each->fragment_max == -1);
    CHECK(each->pipeline_depth == 0);
    CHECK_FALSE(each->fragment_overhead);
  }
  const auto file =
      with_props(prop("mpi/eager_credits", "16") + prop("mpi/fragment_size", "1MiB") +
                 prop("mpi/pipeline_depth", "4") + prop("mpi/fragment_overhead", "0:2us:0.1ns"));
  const auto network = good(file);
  CHECK(network.inter.eager_credits == 16);
  CHECK(network.inter.fragment_max == 1 << 20);
  CHECK(network.inter.pipeline_depth == 4);
  CHECK(network.inter.overhead_of_fragment(1000) == tests::close_to(2.1e-6, 1e-12));
  CHECK(network.intra.fragment_max == 1 << 20);
  const auto bus = good(file, {{"mpi/bus_bandwidth", "1GBps"}});
  CHECK(bus.intra.eager_credits == 0);
  CHECK(bus.intra.fragment_max == -1);
  CHECK_FALSE(bus.intra.fragment_overhead);
  const auto shared = good(file, {{"mpi/bus_bandwidth", "1GBps"},
                                  {"mpi/intra_fragment_size", "32KiB"},
                                  {"mpi/intra_pipeline_depth", "none"},
                                  {"mpi/eager_credits", "none"}});
  CHECK(shared.intra.fragment_max == 32768);
  CHECK(shared.inter.eager_credits == 0);
}

TEST_CASE("every tunable is a key, and every name of Open MPI has a tunable or a reason") {
  const auto is_tunable = [](std::string_view key) {
    return std::ranges::any_of(tunables, [&](const Tunable& each) { return each.key == key; });
  };
  for (const Tunable& each : tunables) CHECK_MESSAGE(is_known_key(each.key), each.key);
  for (const OpenMpiParameter& each : open_mpi_parameters) {
    CAPTURE(each.name);
    CHECK(each.key.empty() != each.reason.empty());
    CHECK((each.key.empty() || is_tunable(each.key)));
  }
}

TEST_CASE("free nonblocking sends, as in SMPI, are reported once") {
  const auto os = prop("smpi/os", "0:1us:0");
  const auto complete = prop("mpi/eager_limit", "1") + prop("mpi/recv_overhead", "0");
  const auto is_reported = [&](const std::string& props, const std::vector<Override>& set = {}) {
    const auto warnings = good(with_props(complete + props), set).warnings;
    return std::ranges::count(
        warnings,
        "dir/my.xml: smpi/os without smpi/ois: non-blocking sends cost nothing, as in SMPI");
  };
  CHECK(is_reported(os) == 1);
  CHECK(is_reported("", {{"smpi/os", "0:1us:0"}}) == 1);
  CHECK(is_reported(prop("mpi/send_overhead", "1us"), {{"smpi/os", "0:1us:0"}}) == 1);
  CHECK(is_reported(os + prop("smpi/ois", "0:0:0")) == 0);
  CHECK(is_reported(os + prop("mpi/isend_overhead", "0")) == 0);
  CHECK(is_reported(os + prop("mpi/send_overhead", "1us")) == 0);
}

TEST_CASE("comments, instructions and character references are valid XML") {
  const auto machine = good(
      "\xef\xbb\xbf<?xml version='1.0'?>\n<!-- a & b --><!DOCTYPE platform SYSTEM 'a&b.dtd'>\n"
      "<platform version='4.1'>"
      "<cluster id='&lt;&#65;&#x42;&amp;' radical='0' bw='1' lat='0'/></platform>\n<!-- & -->\n");
  CHECK(machine.link_name(0) == "<AB&_link_0_UP");
}

TEST_CASE("each speed of a host's list may have a unit") {
  for (const auto& [speed, flops_per_s] :
       std::vector<std::pair<std::string, double>>{{"1", 1},
                                                   {"1f", 1},
                                                   {"8.4Gf", 8.4e9},
                                                   {"1Gf,2Gf", 1e9},
                                                   {"3kf, 0.5Gf", 3e3},
                                                   {"1e3Mf", 1e9}}) {
    CAPTURE(speed);
    const auto machine =
        good("<platform version='4.1'><cluster id='c' radical='0-1' bw='1' lat='0' speed='" +
             speed + "'/></platform>");
    CHECK(machine.core_speed(1) == flops_per_s);
  }
  CHECK(good("<platform version='4.1'><cluster id='c' radical='0' bw='1' lat='0'/></platform>")
            .core_speed(0) == 0);
}

TEST_CASE("each host of a zone has the speed of its pstate") {
  const auto zone = [](const std::string& hosts) {
    return "<platform version='4.1'><zone id='z' routing='Full'>" + hosts +
           "<link id='l' bandwidth='1' latency='0'/><route src='a' dst='b'><link_ctn id='l'/>"
           "</route></zone></platform>";
  };
  const auto machine =
      good(zone("<host id='a' speed='4Gf,2Gf,1Gf' pstate='1'/><host id='b' speed='3Mf,1Mf'/>"));
  CHECK(machine.core_speed(0) == 2e9);
  CHECK(machine.core_speed(1) == 3e6);
  CHECK(good(zone("<host id='a' speed='1Gf'/><host id='b'/>")).core_speed(1) == 0);
  CHECK(good(zone("<host id='a' speed='2Gf,1Gf' pstate='1'/><host id='b' speed='1Gf'/>"))
            .core_flops_per_s.size() == 1);
  const auto wrong =
      read_machine(zone("<host id='a' speed='4Gf,2Gf' pstate='2'/><host id='b'/>"), "p.xml");
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().message == "pstate: 2: expected 0 to 1");
}

TEST_CASE("a loopback is a bus without a limit on the sum") {
  const auto machine =
      good(platform("bw=\"1GBps\" lat=\"1us\" loopback_bw=\"4GBps\" loopback_lat=\"0.1us\""));
  CHECK(machine.intra_node == IntraNode::bus);
  CHECK(machine.bus.bandwidth_Bps == 4e9);
  CHECK(machine.bus.latency_s == 0.1e-6);
  CHECK(machine.bus.sharing == LinkSharing::fat_pipe);
}

TEST_CASE("links and backbone are changed by settings") {
  const auto machine = good(with_props(""), {{"link/bandwidth", "2GBps"},
                                             {"link/latency", "3us"},
                                             {"backbone/bandwidth", "7GBps"},
                                             {"backbone/latency", "1us"}});
  CHECK(machine.link(0).bandwidth_Bps == 2e9);
  CHECK(machine.link(8).bandwidth_Bps == 7e9);
  CHECK(machine.path(0, 1).latency_s == tests::exactly(7e-6));
  CHECK(bad(with_props(""), {{"backbone/latency", "1us"}})[0].message ==
        "backbone/latency: the cluster has no backbone");
}

TEST_CASE("missing model parameters are derived from the protocol") {
  const auto machine =
      good(with_props(prop("mpi/send_overhead", "1us") + prop("mpi/recv_overhead", "3us") +
                      prop("mpi/gap", "0.5us") + prop("mpi/latency_factor", "2") +
                      prop("mpi/bandwidth_factor", "0:0.1;1MiB:0.8")));
  // Two links of 1 us, twice; 1 + 4 + 3 us.
  CHECK(machine.hockney.set == "derived from the protocol");
  CHECK(machine.hockney.l_s == tests::exactly(8e-6));
  CHECK(machine.hockney.b_Bps == tests::exactly(0.8e9));
  CHECK(machine.loggp.set == "derived from the protocol");
  CHECK(machine.loggp.L_s == tests::exactly(4e-6));
  CHECK(machine.loggp.o_s == tests::exactly(2e-6));
  CHECK(machine.loggp.g_s(0) == 0.5e-6);
  CHECK(machine.loggp.G_s_per_B == tests::exactly(1.25e-9));
}

TEST_CASE("model parameters of the file are kept as named sets") {
  const auto set = [](const std::string& name, const std::string& o) {
    const auto base = "model/loggp/" + name;
    return prop(base + "/L", "1us") + prop(base + "/o", o) + prop(base + "/g", "0:1us;32KiB:2us") +
           prop(base + "/G", "2GBps");
  };
  const auto file =
      with_props(set("collective", "3us") + set("io", "4us") +
                 prop("model/hockney/latency", "5us") + prop("model/hockney/bandwidth", "6GBps"));
  const auto machine = good(file);
  CHECK(machine.hockney.set == "my:hockney");
  CHECK(machine.hockney.l_s == 5e-6);
  CHECK(machine.loggp.set == "my:loggp/collective");
  CHECK(machine.loggp.o_s == 3e-6);
  CHECK(machine.loggp.G_s_per_B == 0.5e-9);
  CHECK(machine.loggp.g_s(32769) == 2e-6);
  CHECK(machine.loggp_sets.at("io").set == "my:loggp/io");
  CHECK(good(file, {{"model/loggp", "io"}}).loggp.o_s == 4e-6);
  CHECK(good(file, {{"model/loggp/io/o", "9us"}}).loggp_sets.at("io").o_s == 9e-6);
  const auto unknown = bad(file, {{"model/loggp", "oi"}});
  CHECK(unknown[0].message == "model/loggp: there is no LogGP set 'oi'");
  CHECK(bad(with_props(""), {{"model/hockney/latency", "1us"}})[0].hint ==
        "also set model/hockney/bandwidth");
  CHECK(bad(with_props(prop("model/loggp/a/L", "1us")))[0].hint ==
        "also set model/loggp/a/o, model/loggp/a/g, model/loggp/a/G");
}

TEST_CASE("the content's hash depends on the file and the overrides") {
  const auto hash = [](const std::string& xml, const std::vector<Override>& set = {}) {
    return good(xml, set).content_hash;
  };
  const auto file = with_props("");
  CHECK(hash(file).size() == 16);
  CHECK(hash(file) == hash(file));
  CHECK(hash(file) != hash(file + " "));
  CHECK(hash(file) != hash(file, {{"mpi/gap", "1us"}}));
  CHECK(hash(file, {{"mpi/gap", "1us"}}) != hash(file, {{"mpi/gap", "2us"}}));
}

TEST_CASE("other SimGrid keys are named in one warning and ignored") {
  const auto machine =
      good(with_props(prop("watts", "1:2"), config(prop("smpi/host-speed", "1Gf"))));
  REQUIRE(machine.warnings.size() == 2);
  CHECK(machine.warnings[0] == "dir/my.xml: unknown keys are ignored: 'smpi/host-speed', 'watts'");
  std::string many;
  for (int i = 0; i < 30; ++i) many += prop("key" + std::to_string(i), "1");
  CHECK(good(with_props(many)).warnings[0].ends_with(" and 20 more"));
}

TEST_CASE("descriptions are kept, and other keys in info/ give no warning") {
  const std::string protocol = prop("mpi/eager_limit", "1") + prop("mpi/send_overhead", "0") +
                               prop("mpi/recv_overhead", "0");
  const auto machine =
      good(with_props(prop("info/description", "four hosts &amp; a hub") +
                      prop("info/source", "a paper") + prop("info/of", "me") + protocol));
  CHECK(machine.info("description") == "four hosts & a hub");
  CHECK(machine.info("source") == "a paper");
  CHECK(machine.warnings.empty());
  CHECK(good(with_props(protocol)).info("description") == "");
  CHECK(bad(with_props(protocol), {{"info/of", "me"}})[0].message == "unknown key 'info/of'");
}
