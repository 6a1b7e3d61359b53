// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/accuracy.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "algorithms/collective.hpp"
#include "platforms/parameters/keys.hpp"
#include "sim/jobs/expected_accuracy.hpp"
#include "tests/support/close_to.hpp"

using namespace tutti;
using jobs::expected_accuracy;
using jobs::PredictedCall;
using studies::ComparedTime;
using tests::exactly;

namespace {

// Ten times of one size with errors of 1 to 10%, every second one too short.
void add(std::vector<ComparedTime>& times, const char* collective, Bytes bytes, int count = 10) {
  for (int i = 1; i <= count; ++i) {
    const double factor = 1 + i / 100.0;
    times.push_back({collective, bytes, i % 2 == 0 ? factor : 1 / factor});
  }
}

// A machine whose accuracy was measured up to 64 nodes, 2 processes a node and 1 MiB.
platforms::Machine measured_machine() {
  platforms::Machine machine;
  machine.accuracy = {
      .factors = {{"all", platforms::Piecewise(1.3)}, {"bcast", platforms::Piecewise(1.2)}},
      .nodes = 64,
      .ppn = 2,
      .runs = {},
      .message_bytes = 1 << 20,
      .is_measured = true};
  return machine;
}

double squared_log(const platforms::Machine& machine, const PredictedCall& call) {
  const double log = std::log(expected_accuracy(machine, call)->factor);
  return log * log;
}

jobs::Record predicted(const char* algorithm, double time_us, double factor) {
  jobs::Record record;
  record.algorithm = algorithm;
  record.time_s = time_us * 1e-6;
  record.confidence_high_s = *record.time_s * factor;
  return record;
}

}  // namespace

TEST_CASE("the keys of a platform name its largest measured job and the runs of a collective") {
  std::vector<ComparedTime> times;
  add(times, "bcast", 8);
  add(times, "reduce", 1024);
  for (auto& time : times) time.run = "monday";
  times[3].nodes = 256;
  times[4].ppn = 4;
  times[5].run = "tuesday";
  const auto found = studies::accuracy_parameters({times, times});
  const auto value = [&](const std::string& key) {
    const auto at = std::ranges::find(found, key, &studies::AccuracyParameter::key);
    return at == found.end() ? "" : at->value;
  };
  CHECK(value("accuracy/nodes") == "256");
  CHECK(value("accuracy/ppn") == "4");
  CHECK(value("accuracy/message_size") == "1024");
  CHECK(value("accuracy/runs") == "1");  // of reduce
  for (auto& time : times)
    if (time.collective == "reduce" && time.simulated_over_measured > 1) time.run = "friday";
  CHECK(studies::accuracy_parameters({times}).back().value == "2");
}

TEST_CASE("intervals are as measured up to the largest measured job, and widen beyond it") {
  const auto machine = measured_machine();
  const auto known = expected_accuracy(machine, {"bcast", 64, 2, 1 << 20});
  REQUIRE(known);
  CHECK(known->factor == 1.2);
  CHECK(known->basis == "measured");
  const double base = squared_log(machine, {"bcast", 8, 1, 8});
  const double nodes = squared_log(machine, {"bcast", 128, 1, 8}) - base;
  const double ppn = squared_log(machine, {"bcast", 8, 4, 8}) - base;
  const double size = squared_log(machine, {"bcast", 8, 1, 2 << 20}) - base;
  for (const double growth : {nodes, ppn, size}) CHECK(growth > 1e-3);
  // Variances add, for each doubling.
  CHECK(squared_log(machine, {"bcast", 512, 8, 4 << 20}) ==
        tests::close_to(base + 3 * nodes + 2 * ppn + 2 * size, 1e-9));
  CHECK(expected_accuracy(machine, {"bcast", 65, 1, 8})->basis == "extrapolated");
}

TEST_CASE("the interval of a collective that was not measured is wider than that of all others") {
  auto machine = measured_machine();
  const auto other = expected_accuracy(machine, {"reduce", 8, 1, 8});
  REQUIRE(other);
  CHECK(other->factor > 1.3);
  CHECK(other->basis == "extrapolated");
  machine.accuracy.factors.erase("all");
  CHECK(!expected_accuracy(machine, {"reduce", 8, 1, 8}));
  machine.accuracy.factors = {{"all", platforms::Piecewise(3)}};
  machine.accuracy.is_measured = false;
  CHECK(expected_accuracy(machine, {"reduce", 8, 1, 8})->factor == 3);
  CHECK(expected_accuracy(machine, {"reduce", 8, 1, 8})->basis == "assumed");
  CHECK(expected_accuracy(machine, {"reduce", 128, 1, 8})->factor > 3);
  CHECK(expected_accuracy(machine, {"reduce", 128, 1, 8})->basis == "assumed");
}

TEST_CASE("rates of combining that no measured reduction shows widen large reductions") {
  auto machine = measured_machine();
  machine.accuracy.message_bytes = 1 << 30;
  const double small = squared_log(machine, {"reduce", 8, 1, (1 << 20) - 1});
  const double large = squared_log(machine, {"reduce", 8, 1, 1 << 20});
  CHECK(large > 2 * small);
  CHECK(squared_log(machine, {"gather", 8, 1, 1 << 20}) == tests::close_to(small, 1e-9));
  machine.accuracy.factors.emplace("allreduce", platforms::Piecewise(1.2));
  CHECK(squared_log(machine, {"reduce", 8, 1, 1 << 20}) == tests::close_to(small, 1e-9));
}

TEST_CASE("times of a single run do not show how runs differ") {
  auto machine = measured_machine();
  const double many = squared_log(machine, {"bcast"});
  machine.accuracy.runs = 1;
  const double one = squared_log(machine, {"bcast"});
  machine.accuracy.runs = 4;
  CHECK(one - many > 1e-3);
  CHECK(squared_log(machine, {"bcast"}) - many == tests::close_to((one - many) / 4, 1e-9));
  CHECK(expected_accuracy(machine, {"bcast"})->basis == "measured");
}

TEST_CASE("the order of two algorithms is the surer the more their times differ") {
  CHECK(jobs::chance_of_order(1, 1.5) == 0.5);
  CHECK(jobs::chance_of_order(1.1, 1.5) > 0.5);
  CHECK(jobs::chance_of_order(1.2, 1.5) > jobs::chance_of_order(1.1, 1.5));
  CHECK(jobs::chance_of_order(1.2, 1.2) > jobs::chance_of_order(1.2, 1.5));
  CHECK(jobs::chance_of_order(1e6, 1.1) < 1);  // a library may ignore the choice
}

TEST_CASE("each algorithm is compared with the fastest one of the same call") {
  std::vector<jobs::Record> records{predicted("ring", 20, 1.2), predicted("chain", 10, 1.2),
                                    predicted("chain", 10, 1.2), predicted("linear", 12, 1.5)};
  records.push_back(predicted("linear", 1, 1.2));
  records.back().message_bytes = 8;
  jobs::add_slower_chances(records);
  CHECK(records[0].slower_chance == jobs::chance_of_order(2, 1.2));
  CHECK(!records[1].slower_chance);
  CHECK(!records[2].slower_chance);  // the same algorithm again
  CHECK(*records[3].slower_chance == exactly(jobs::chance_of_order(1.2, 1.5)));
  CHECK(!records[4].slower_chance);  // alone
}

TEST_CASE("90% of the times are within the factor, by ranges of sizes") {
  std::vector<ComparedTime> times;
  add(times, "bcast", 1024);
  for (int i = 1; i <= 10; ++i) times.push_back({"bcast", 1025, 1 + i / 10.0});
  add(times, "reduce", 1 << 20);
  const auto found = studies::accuracy_parameters({times});
  REQUIRE(found.size() == 7);
  CHECK(found[0].key == "accuracy/bcast");
  CHECK(found[0].value == "0:1.090;1024:1.900");
  CHECK(found[0].rows == 20);
  CHECK(found[1].key == "accuracy/reduce");
  CHECK(found[1].value == "0:1.090");
  CHECK(found[2].key == "accuracy/all");
  CHECK(found[2].rows == 30);
}

TEST_CASE("ranges with fewer than five times join their neighbour") {
  std::vector<ComparedTime> times;
  add(times, "bcast", 8, 4);
  add(times, "bcast", 2048, 4);
  add(times, "bcast", 65536);
  const auto found = studies::accuracy_parameters({times});
  CHECK(found[0].value == "0:1.040;32768:1.090");
  REQUIRE(found.size() == 5);
  CHECK(found[1].key == "accuracy/nodes");  // one collective does not determine all
  CHECK(studies::accuracy_parameters({}).empty());
}

TEST_CASE("every collective has a key for its accuracy") {
  auto keys = platforms::accuracy_keys();
  CHECK(keys.size() == algorithms::all_collectives().size() + 1);
  for (const auto& collective : algorithms::all_collectives())
    CHECK(std::ranges::find(keys, "accuracy/" + std::string(collective.name)) != keys.end());
}
