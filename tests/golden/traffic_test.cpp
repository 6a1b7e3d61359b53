// SPDX-License-Identifier: BSD-3-Clause
// The simulated collectives send the same messages as Open MPI 4.1.4, pair by pair.
#include <doctest/doctest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "algorithms/collective.hpp"
#include "algorithms/counts.hpp"
#include "sim/engines/ideal/ideal.hpp"
#include "sim/engines/traffic_counter.hpp"
#include "tests/support/test_machine.hpp"

namespace {

using tutti::algorithms::Algorithm;
using tutti::algorithms::CollectiveArgs;
using tutti::algorithms::find_algorithm;

// One line of the file. `pair` is (source, destination), `sent` is (messages, bytes).
struct Row {
  std::string collective;
  std::string algorithm;
  int id = 0;
  int procs = 0;
  CollectiveArgs args{};
  std::pair<int, int> pair{};
  std::pair<std::int64_t, std::int64_t> sent{};
};

Row parse_row(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, ',');) fields.push_back(field);
  REQUIRE(fields.size() == 12);
  Row row{.collective = fields[0],
          .algorithm = fields[2],
          .id = std::stoi(fields[1]),
          .procs = std::stoi(fields[3])};
  row.args = {.message_bytes = std::stoll(fields[4]),
              .segment_bytes = std::stoll(fields[5]),
              .fanout = std::stoi(fields[6]),
              .root = std::stoi(fields[7])};
  row.pair = {std::stoi(fields[8]), std::stoi(fields[9])};
  row.sent = {std::stoll(fields[10]), std::stoll(fields[11])};
  return row;
}

using Traffic = std::map<std::pair<int, int>, std::pair<std::int64_t, std::int64_t>>;
struct Case {
  Row call;
  Traffic traffic;
};

// The cases of all collectives.
std::vector<Case> read_cases(const std::string& name) {
  std::ifstream file(TUTTI_SOURCE_DIR "/tests/golden/data/" + name);
  REQUIRE(file.is_open());
  std::map<std::tuple<std::string, int, int, tutti::Bytes, tutti::Bytes, int, int>, Case> cases;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#') || line.starts_with("collective")) continue;
    const Row row = parse_row(line);
    Case& entry = cases[{row.collective, row.id, row.procs, row.args.message_bytes,
                         row.args.segment_bytes, row.args.fanout, row.args.root}];
    entry.call = row;
    CHECK(entry.traffic.emplace(row.pair, row.sent).second);
  }
  std::vector<Case> listed;
  for (auto& [key, entry] : cases) listed.push_back(std::move(entry));
  return listed;
}

Traffic simulate(const Algorithm& algorithm, int procs, const CollectiveArgs& args) {
  const auto machine = tutti::tests::test_machine(static_cast<tutti::platforms::HostId>(procs));
  const auto placement = tutti::tests::test_placement(procs);
  tutti::engines::TrafficCounter counter;
  const auto outcome = tutti::engines::run_ideal(
      {.machine = machine,
       .placement = placement,
       .program = [&](tutti::runtime::Rank& me) { return algorithm.program(me, args); },
       .observers = {&counter}});
  CHECK(outcome.problems == std::vector<std::string>{});
  Traffic traffic;
  for (const auto& row : counter.rows())
    traffic[{row.source, row.destination}] = {row.messages, row.bytes};
  return traffic;
}

void check_case(const Case& expected) {
  const Row& call = expected.call;
  CAPTURE(call.collective);
  CAPTURE(call.algorithm);
  CAPTURE(call.procs);
  CAPTURE(call.args.message_bytes);
  CAPTURE(call.args.segment_bytes);
  CAPTURE(call.args.fanout);
  CAPTURE(call.args.root);
  const Algorithm* algorithm = find_algorithm(call.collective, call.algorithm);
  REQUIRE(algorithm != nullptr);
  CHECK(algorithm->id == call.id);
  CHECK((simulate(*algorithm, call.procs, call.args) == expected.traffic));
}

TEST_CASE("every collective sends the messages of Open MPI 4.1.4, pair by pair") {
  const auto cases = read_cases("collective_traffic.csv");
  REQUIRE(cases.size() == 392);
  for (const Case& each : cases) check_case(each);
}

TEST_CASE("collectives with uneven or empty blocks send the messages of Open MPI 4.1.4") {
  auto cases = read_cases("uneven_traffic.csv");
  REQUIRE(cases.size() == 50);
  for (Case& each : cases) {
    std::vector<tutti::Bytes> bytes;
    for (int rank = 0; rank < each.call.procs; ++rank)
      bytes.push_back(rank % 3 == 1 ? 0 : each.call.args.message_bytes * (rank + 1));
    const tutti::algorithms::Counts counts(bytes);
    each.call.args.counts = &counts;
    check_case(each);
  }
}

}  // namespace
