// SPDX-License-Identifier: BSD-3-Clause
// Which calls of a check are identical, which are skipped, and the order of the others.
#include <doctest/doctest.h>

#include <algorithm>

#include "platforms/reader.hpp"
#include "sim/guidelines/simulations.hpp"
#include "workloads/profiles.hpp"

using namespace tutti;
using namespace tutti::studies::guidelines;
using algorithms::guidelines::find_mockup;
using algorithms::guidelines::find_mockups;
using algorithms::selection::Selection;

namespace {

const platforms::Machine& machine() {
  static const auto loaded = platforms::load_machine("juqueen", {}).value();
  return loaded;
}

std::vector<Setting> settings(const std::vector<std::string>& collectives, int procs,
                              std::vector<std::int64_t> sizes, const Spec& more) {
  Spec spec = more;
  spec.collectives = collectives;
  for (const auto& collective : collectives)
    for (const auto* mockup : find_mockups(collective)) spec.mockups.push_back(mockup);
  spec.procs = {procs};
  spec.message_bytes = std::move(sizes);
  if (spec.selection == nullptr) spec.selection = std::make_shared<const Selection>();
  spec.common.engine = engines::EngineKind::flow;
  return make_settings(spec, machine()).value();
}

std::vector<Setting> settings(const std::vector<std::string>& collectives, int procs,
                              std::vector<std::int64_t> sizes) {
  return settings(collectives, procs, std::move(sizes), {});
}

const Side& side_of(const Setting& setting, std::string_view mockup) {
  return *std::ranges::find_if(setting.sides, [&](const Side& side) {
    return side.mockup != nullptr && side.mockup->algorithm.name == mockup;
  });
}

Profiles profiles_with(std::string_view collective, std::string_view name, Bytes bytes) {
  const auto* mockup = find_mockup(collective, name);
  return {{{.notes = {},
            .collective = std::string(collective),
            .procs = 16,
            .mockups = {{mockup->id, mockup}},
            .ranges = {{bytes, bytes, mockup->id}}}},
          {}};
}

}  // namespace

TEST_CASE("a shared simulation runs once, and not again in a later round") {
  const auto found = settings({"bcast"}, 16, {64, 1024});
  const Measuring once;
  Simulations simulations(once);
  std::vector<Latencies> times_s(5);
  const auto want = [&](const Setting& setting, std::size_t side, std::size_t into) {
    simulations.want(setting.sides[side].point, settling_key(setting, setting.sides[side]),
                     [&times_s, into](const Latencies& latencies) { times_s[into] = latencies; });
  };
  want(found[0], 0, 0);
  want(found[1], 0, 1);
  want(found[0], 0, 2);
  const auto tasks = simulations.tasks();
  REQUIRE(tasks.size() == 2);
  simulations.learn(tasks[0].identity, {{1}});
  simulations.learn(tasks[1].identity, {{2}});
  simulations.deliver();
  CHECK(times_s[0] == times_s[2]);
  CHECK(times_s[0] != times_s[1]);
  const auto again = settings({"bcast"}, 16, {1024});
  want(again[0], 0, 3);
  want(again[0], 1, 4);
  CHECK(simulations.tasks().size() == 1);
  simulations.deliver();
  CHECK(times_s[3] == times_s[1]);
  CHECK(times_s[4].empty());  // it failed, or was stopped
}

TEST_CASE("with estimated repetitions, calls that settle separately are simulated separately") {
  const auto found = settings({"bcast"}, 16, {64});
  const Measuring estimated{.repetitions = {}};
  Simulations simulations(estimated);
  const auto& point = found[0].sides[0].point;
  const auto take = [](const Latencies&) {};
  for (int i = 0; i < 2; ++i)
    for (const auto& side : {found[0].sides[0], found[0].sides[1]})
      simulations.want(point, settling_key(found[0], side), take);
  CHECK(simulations.tasks().size() == 2);
  CHECK(simulations.unsettled().size() == 2);
  simulations.settle(settling_key(found[0], found[0].sides[1]), {.time_s = 1});
  CHECK(simulations.unsettled().size() == 1);
}

TEST_CASE("the call with the most messages runs first") {
  auto found = settings({"bcast", "scatter", "allgather", "alltoall"}, 16, {64, 1 << 20});
  const Measuring once;
  Simulations simulations(once);
  for (const auto& setting : found)
    for (const auto& side : setting.sides)
      simulations.want(side.point, settling_key(setting, side), [](const Latencies&) {});
  const auto tasks = simulations.tasks();
  CHECK(tasks.size() > 10);
  CHECK(std::ranges::is_sorted(tasks, std::ranges::greater(), &Simulations::Task::messages));
}

TEST_CASE("calls are identical if the calls inside them are decided identically") {
  const auto by = [&](const Selection& mpi, const Profiles& profiles) {
    Spec spec;
    spec.selection = profiled(mpi, profiles);
    return settings({"allreduce", "bcast"}, 16, {1000}, spec);
  };
  const auto name = "allreduce_as_reduce_bcast";
  const auto plain = settings({"allreduce", "bcast"}, 16, {1000});
  const auto of = [&](const std::vector<Setting>& each) {
    return call_identity(side_of(each[0], name).point);
  };
  CHECK(of(by({}, profiles_with("bcast", "bcast_as_allgatherv", 999))) == of(plain));
  const auto inside = by({}, profiles_with("bcast", "bcast_as_allgatherv", 1000));
  CHECK(of(inside) != of(plain));
  CHECK(of(by({.rule_set = "ompi-3.1"}, {})) != of(plain));
  // The collective's replacement is its mock-up, as measured before.
  CHECK(call_identity(inside[1].sides[0].point) ==
        call_identity(side_of(plain[1], "bcast_as_allgatherv").point));
  CHECK(call_identity(inside[0].sides[0].point) == call_identity(plain[0].sides[0].point));
}

TEST_CASE("a default is skipped with the last of its mock-ups, and they with it") {
  const auto all_skipped = [](const Setting& setting) {
    return std::ranges::none_of(setting.sides, &std::string::empty, &Side::skipped);
  };
  const auto found = settings({"alltoall", "scatter", "allgather"}, 16'384, {16 << 10});
  CHECK(all_skipped(found[0]));
  CHECK(
      found[0].sides[1].skipped.ends_with("messages would take too long; --force simulates them"));
  CHECK(std::ranges::all_of(found[1].sides, &std::string::empty, &Side::skipped));
  CHECK(all_skipped(found[2]));
  CHECK(side_of(found[2], "allgather_as_allreduce").skipped == "its default is skipped");
  Spec spec;
  spec.skips_longest = false;
  const auto forced = settings({"alltoall"}, 16'384, {16 << 10}, spec);
  CHECK(std::ranges::all_of(forced[0].sides, &std::string::empty, &Side::skipped));
}
