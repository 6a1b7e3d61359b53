// SPDX-License-Identifier: BSD-3-Clause
// Routes of platform files equal those of SimGrid 3.32, stored in data/platforms/*.routes.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "platforms/reader.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/files.hpp"

using namespace tutti;
using namespace tutti::platforms;

namespace {

constexpr const char* folder = TUTTI_SOURCE_DIR "/tests/golden/data/platforms";

struct Row {
  double latency_s = 0;
  std::string links;  // sorted: SimGrid reverses parts of a Dijkstra route
  bool operator==(const Row&) const = default;
};

std::map<std::string, Row> simgrid_rows(const std::string& path) {
  std::map<std::string, Row> rows;
  for (const auto& line : tests::data_lines(tests::read_file(path))) {
    auto words = tests::split(line, ' ');
    REQUIRE(words.size() > 3);
    const auto pair = words[0] + " " + words[1];
    rows[pair].latency_s = std::stod(words[2]);
    words.erase(words.begin(), words.begin() + 3);
    rows[pair].links = fmt::format("{}", fmt::join(words, " "));
  }
  return rows;
}

Row our_row(const Topology& topology, HostId source, HostId destination) {
  std::vector<LinkId> links;
  topology.route(source, destination, links);
  Row row;
  std::vector<std::string> names;
  for (const LinkId link : links) {
    row.latency_s += topology.link(link).latency_s;
    names.push_back(topology.link_name(link));
  }
  std::sort(names.begin(), names.end());
  row.links = fmt::format("{}", fmt::join(names, " "));
  return row;
}

}  // namespace

TEST_CASE("routes through zones of every kind equal those of SimGrid") {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".xml") continue;
    CAPTURE(entry.path().string());
    ++files;
    auto rows = simgrid_rows(std::filesystem::path(entry.path()).replace_extension(".routes"));
    const auto machine = load_machine(entry.path());
    REQUIRE(machine);
    const Topology& topology = *machine->topology;
    REQUIRE(rows.size() == topology.host_count() * topology.host_count());
    for (HostId a = 0; a < topology.host_count(); ++a)
      for (HostId b = 0; b < topology.host_count(); ++b) {
        const auto pair = topology.host_name(a) + " " + topology.host_name(b);
        CAPTURE(pair);
        REQUIRE(rows.contains(pair));
        const Row ours = our_row(topology, a, b);
        CHECK(ours.links == rows[pair].links);
        if (rows[pair].latency_s > 0)
          CHECK(ours.latency_s == tests::close_to(rows[pair].latency_s, 1e-8));
      }
  }
  CHECK(files >= 12);
}
