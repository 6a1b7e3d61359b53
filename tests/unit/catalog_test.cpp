// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "platforms/reader.hpp"
#include "sim/base/text.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/files.hpp"

using namespace tutti;
using namespace tutti::platforms;
using tests::TemporaryFolder;

namespace {

constexpr const char* catalog_path = TUTTI_SOURCE_DIR "/platforms/catalog";

Machine crill(const std::vector<Override>& overrides = {}) {
  setenv("TUTTI_CATALOG", catalog_path, 1);
  auto machine = load_machine("crill", overrides);
  REQUIRE(machine);
  return *std::move(machine);
}

// The time of one message on an idle machine, as the protocol charges it; the receive is posted.
double one_message_s(const Machine& machine, bool inside, Bytes bytes) {
  const auto& protocol = machine.protocol(inside);
  const auto path = machine.path(0, inside ? 0 : 1);
  const double latency_s = path.latency_s * protocol.latency_factor(bytes);
  const auto size = static_cast<double>(bytes);
  const double data_s = size / (path.bandwidth_Bps * protocol.bandwidth_factor(bytes));
  const double ends_s = protocol.send_overhead(bytes) + protocol.recv_overhead(bytes);
  const bool eager = protocol.protocol_of(bytes) == Protocol::eager;
  const bool copied = protocol.copy_Bps && (eager || bytes <= protocol.copy_max);
  const double moved_s = data_s + (copied ? size / *protocol.copy_Bps : 0);
  if (eager) return ends_s + latency_s + moved_s;
  return ends_s + 3 * latency_s + protocol.rendezvous_overhead(bytes) + moved_s;
}

}  // namespace

TEST_CASE("every machine of the catalog reads without a warning") {
  setenv("TUTTI_CATALOG", catalog_path, 1);
  const auto machines = catalog().value();
  REQUIRE_FALSE(machines.empty());
  CHECK(std::is_sorted(machines.begin(), machines.end(),
                       [](const auto& a, const auto& b) { return a.name < b.name; }));
  for (const auto& entry : machines) {
    CAPTURE(entry.name);
    const auto machine = load_machine(entry.name);
    REQUIRE(machine);
    CHECK(machine->name == entry.name);
    CHECK(machine->file == entry.path);
    CHECK(machine->warnings.empty());
  }
}

TEST_CASE("a catalog name works with and without .xml, and an existing file takes precedence") {
  setenv("TUTTI_CATALOG", catalog_path, 1);
  REQUIRE(load_machine("crill.xml"));
  CHECK(load_machine("crill.xml")->host_count() == 16);
  const auto wrong = load_machine("cril.xml");
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().place == "cril.xml");
  CHECK(wrong.error().hint == "did you mean 'crill'?");
  CHECK(load_machine("andromeda")
            .error()
            .hint.starts_with("the catalog has: alps, bgq-262144, crill, "));

  const auto here = std::filesystem::current_path();
  const TemporaryFolder scratch;
  std::filesystem::current_path(scratch.path());
  scratch.write(
      "crill.xml",
      "<platform version='4.1'><cluster id='c' radical='0-1' bw='1' lat='0'/></platform>");
  std::filesystem::create_directory("crill");
  CHECK(load_machine("crill.xml")->host_count() == 2);
  CHECK(load_machine("crill")->host_count() == 16);  // a directory is not a file
  std::filesystem::current_path(here);
}

TEST_CASE("the error of a catalog that is not a directory names it, unless a file was requested") {
  const std::string file = std::string(catalog_path) + "/crill.xml";
  for (const auto& wrong : {std::string("/nonexistent/\x1b[31m"), file}) {
    setenv("TUTTI_CATALOG", wrong.c_str(), 1);
    REQUIRE_FALSE(catalog());
    const auto machine = load_machine("crill");
    REQUIRE_FALSE(machine);
    CHECK(machine.error().place == "TUTTI_CATALOG");
    CHECK(machine.error().message.starts_with("'" + printable(wrong) + "' is not a directory"));
    CHECK(load_machine(file));
  }
  setenv("TUTTI_CATALOG", catalog_path, 1);
  CHECK(catalog());
}

TEST_CASE("a catalog is listed without reading files, also if it is empty or has a broken file") {
  const TemporaryFolder scratch;
  setenv("TUTTI_CATALOG", scratch.path().c_str(), 1);
  CHECK(catalog()->empty());
  CHECK(load_machine("crill").error().hint.find("TUTTI_CATALOG") != std::string::npos);
  std::filesystem::copy(std::string(catalog_path) + "/crill.xml", scratch.file("good.xml"));
  scratch.write("broken.xml", "<platform>");
  std::filesystem::create_directory(scratch.file("directory.xml"));
  const auto entries = catalog().value();
  REQUIRE(entries.size() == 2);
  CHECK(entries[0].name == "broken");
  CHECK(entries[1].name == "good");
  CHECK_FALSE(load_machine("broken"));
  CHECK(load_machine("good"));
  setenv("TUTTI_CATALOG", catalog_path, 1);
}

TEST_CASE("crill has 16 nodes of 48 cores") {
  const auto machine = crill();
  CHECK(machine.host_count() == 16);
  CHECK(machine.cores_per_host == 48);
  CHECK(machine.topology->host_name(15) == "crill-15");
  CHECK(machine.intra_node == IntraNode::bus);
  CHECK_FALSE(machine.default_ppn);
  CHECK(machine.inter.eager_max == 12 * 1024);
  CHECK(machine.intra.eager_max == 4 * 1024);
  CHECK(machine.inter.protocol_of(12 * 1024 + 1) == Protocol::rendezvous);
  CHECK(machine.inter.copy_max == 64 * 1024);
  // A gap above the overhead would slow NetPIPE-consistent sends (see the catalog's README).
  CHECK(machine.inter.gap(0) <= machine.inter.send_overhead(0));
}

TEST_CASE("crill between two nodes gives the published NetPIPE times") {
  const auto machine = crill();
  struct Case {
    Bytes bytes;
    double time_s;
    double tolerance;
  };
  const std::vector<Case> cases = {{0, 1.6e-6, 1e-9},        {12288, 13.84e-6, 1e-3},
                                   {12289, 15.44e-6, 1e-3},  {65536, 68.5e-6, 1e-3},
                                   {65537, 68.51e-6, 1e-3},  {1 << 20, 574.8e-6, 1e-3},
                                   {1 << 26, 34.60e-3, 1e-3}};
  for (const auto& c : cases) {
    CAPTURE(c.bytes);
    CHECK(one_message_s(machine, false, c.bytes) == tests::close_to(c.time_s, c.tolerance));
  }
  const double rate_Bps = (1 << 26) / one_message_s(machine, false, 1 << 26);
  CHECK(rate_Bps == tests::close_to(1.9415e9, 0.05));
}

TEST_CASE("crill inside a node takes 0.8 us for an empty message and at most 1.5 GB/s") {
  const auto machine = crill();
  CHECK(one_message_s(machine, true, 0) == tests::exactly(0.8e-6));
  CHECK((1 << 26) / one_message_s(machine, true, 1 << 26) == tests::close_to(1.5e9, 0.01));
  CHECK(machine.bus.bandwidth_Bps == 42.7e9);
  CHECK(machine.rank_Bps == 1.5e9);
}

TEST_CASE("a larger message never takes less time on crill") {
  const auto machine = crill();
  for (const bool inside : {false, true}) {
    double last_s = 0;
    const auto check = [&](Bytes bytes) {
      CAPTURE(bytes);
      const double time_s = one_message_s(machine, inside, bytes);
      CHECK(time_s >= last_s);
      last_s = time_s;
    };
    for (Bytes bytes = 0; bytes <= 70'000; bytes += 1) check(bytes);
    for (Bytes bytes = 70'001; bytes <= 1 << 26; bytes += bytes / 100) check(bytes);
  }
}

TEST_CASE("crill's model parameters are the dissertation's") {
  const auto machine = crill();
  CHECK(machine.hockney.set == "crill:hockney");
  CHECK(machine.hockney.l_s == 1.6e-6);
  CHECK(machine.hockney.b_Bps == 1.9415e9);
  CHECK(machine.loggp.set == "crill:loggp/collective");  // Table 4.3
  CHECK(machine.loggp.o_s == 1.49e-6);
  CHECK(machine.loggp.L_s == 1.84e-6);
  CHECK(machine.loggp.g_s(32768) == 1.08e-6);
  CHECK(machine.loggp.g_s(32769) == 11.9e-6);
  CHECK(machine.loggp.G_s_per_B == 0.67e-9);
  const auto& io = machine.loggp_sets.at("io");  // Table 5.2
  CHECK(io.set == "crill:loggp/io");
  CHECK(io.L_s == 2.82e-6);
  CHECK(io.g_s(131072) == 7.4e-6);
  CHECK(io.o_s == 73.38e-6);
  CHECK(io.G_s_per_B == 0.67e-9);
}

TEST_CASE("crill without shared memory sends inside a node as between nodes") {
  const auto machine = crill({{"mpi/intra_node", "network"}});
  for (const Bytes bytes : {0, 4096, 4097, 12288, 65536, 1 << 20})
    CHECK(one_message_s(machine, true, bytes) == one_message_s(machine, false, bytes));
}
