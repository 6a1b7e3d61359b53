// SPDX-License-Identifier: BSD-3-Clause
// Two-phase I/O sends the same messages as Open MPI 4.1.4 in MPI_File_write_all, pair by pair:
// data/io_traffic.csv.
#include <doctest/doctest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <tuple>

#include "io_models/access.hpp"
#include "io_models/cycle_choice.hpp"
#include "io_models/implementations/plan.hpp"
#include "sim/engines/ideal/ideal.hpp"
#include "tests/support/test_machine.hpp"

namespace {

using namespace tutti;
using namespace tutti::io_models;

struct Case {
  std::string implementation;
  bool is_2d = false;
  int procs = 0;
  Bytes rows = 0;
  Bytes columns = 0;
  int aggregators = 0;
  Bytes buffer_bytes = 0;
  auto operator<=>(const Case&) const = default;
};
using Sent = std::pair<std::int64_t, std::int64_t>;  // messages, bytes
using Traffic = std::map<std::pair<int, int>, Sent>;

std::map<Case, Traffic> read_cases() {
  std::ifstream file(TUTTI_SOURCE_DIR "/tests/golden/data/io_traffic.csv");
  std::map<Case, Traffic> cases;
  bool has_header = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    if (!std::exchange(has_header, true)) continue;
    std::vector<std::string> field;
    std::istringstream in(line);
    for (std::string each; std::getline(in, each, ',');) field.push_back(each);
    REQUIRE(field.size() == 11);
    const Case key{field[0],
                   field[1] == "2d",
                   std::stoi(field[2]),
                   std::stoll(field[3]),
                   std::stoll(field[4]),
                   std::stoi(field[5]),
                   std::stoll(field[6])};
    cases[key][{std::stoi(field[7]), std::stoi(field[8])}] = {std::stoll(field[9]),
                                                              std::stoll(field[10])};
  }
  return cases;
}

class UserTraffic : public runtime::Observer {
 public:
  void on_send(const runtime::SentMessage& message) override {
    if (!is_user_tag(message.tag)) return;
    Sent& sent = traffic[{message.source, message.destination}];
    ++sent.first;
    sent.second += message.data.bytes;
  }
  Traffic traffic;
};

Traffic simulated(const Case& each) {
  const auto access = GridAccess::blocks(
      each.is_2d ? squarest_grid(each.procs) : Grid{each.procs, 1}, each.rows, each.columns);
  const auto machine = tests::test_machine(each.procs);
  const auto placement = tests::test_placement(each.procs);
  const Implementation& implementation = *find_implementation(each.implementation);
  const Plan plan(access, placement,
                  {.implementation = &implementation,
                   .aggregators = each.aggregators,
                   .buffer_bytes = each.buffer_bytes,
                   .stripe_bytes = 65536});
  const Schedule schedule(plan.redistribution(), all_cycles(plan.redistribution()).cycles());
  ShuffleJob job = plan.job(schedule, {.writes = true, .with_setup = true});
  UserTraffic observer;
  const auto outcome = engines::run_ideal(
      {.machine = machine,
       .placement = placement,
       .program = [&](runtime::Rank& me) { return implementation.write(me, job); },
       .observers = {&observer}});
  CHECK(outcome.problems == std::vector<std::string>{});
  return observer.traffic;
}

TEST_CASE("two-phase I/O sends the messages of Open MPI") {
  const auto cases = read_cases();
  CHECK(cases.size() == 128);
  for (const auto& [each, real] : cases) {
    CAPTURE(each.implementation);
    CAPTURE(each.is_2d);
    CAPTURE(each.procs);
    CAPTURE(each.aggregators);
    CAPTURE(each.buffer_bytes);
    const Traffic ours = simulated(each);
    CHECK(ours.size() == real.size());
    for (const auto& [pair, sent] : real) {
      CAPTURE(pair.first);
      CAPTURE(pair.second);
      REQUIRE(ours.contains(pair));
      CHECK(ours.at(pair).first == sent.first);
      CHECK(ours.at(pair).second == sent.second);
    }
  }
}

}  // namespace
