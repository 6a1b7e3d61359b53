// SPDX-License-Identifier: BSD-3-Clause
// Which mock-ups a profile contains, and which are omitted.
#include <doctest/doctest.h>

#include "platforms/reader.hpp"
#include "sim/guidelines/tuning.hpp"

using namespace tutti;
using namespace tutti::studies::guidelines;
using algorithms::guidelines::find_mockup;

namespace {

struct Timed {
  std::string_view mockup;
  Seconds time_s;
};

// The default takes 1 s.
Setting setting_of(std::string_view collective, Bytes bytes, const std::vector<Timed>& mockups) {
  Setting setting{std::string(collective), 8, bytes, {Side{nullptr, {}, {}, {1.0}}}};
  for (const auto& [name, time_s] : mockups) {
    Side side{find_mockup(collective, name), {}, {}, {time_s}};
    side.point.call.args.message_bytes = bytes;
    setting.sides.push_back(std::move(side));
  }
  return setting;
}

std::string chosen(const Tuner& tuner, std::size_t setting) {
  const auto* mockup = tuner.choice(setting);
  return mockup == nullptr ? "" : std::string(mockup->algorithm.name);
}

}  // namespace

TEST_CASE("the best mock-up is chosen if it is faster by the threshold") {
  const std::vector<Setting> settings{
      setting_of("bcast", 8, {{"bcast_as_allgatherv", 0.95}}),
      setting_of("bcast", 16, {{"bcast_as_allgatherv", 0.9}}),
      setting_of("bcast", 32, {{"bcast_as_allgatherv", 0.8}, {"bcast_as_scatter_allgather", 0.7}})};
  Tuner tuner({}, {});
  CHECK(tuner.improve(settings));
  CHECK(chosen(tuner, 0) == "");
  CHECK(chosen(tuner, 1) == "bcast_as_allgatherv");
  CHECK(chosen(tuner, 2) == "bcast_as_scatter_allgather");
  const auto profiles = tuner.profiles(settings);
  REQUIRE(profiles.all.size() == 1);
  CHECK(profile_text(profiles.all.front()) ==
        "# pgtune profile\nMPI_Bcast\n8 # nb. of processes\n2 # nb. of mock-up impl.\n"
        "1 bcast_as_allgatherv\n2 bcast_as_scatter_allgather\n2 # nb. of ranges\n"
        "16 16 1 # byte_range_start byte_range_end alg_id\n32 32 2\n");
  CHECK_FALSE(tuner.improve(settings));
}

TEST_CASE("mock-ups that exceed the buffers are omitted, and the next best is chosen") {
  const std::vector<Setting> settings{
      setting_of("bcast", 32, {{"bcast_as_allgatherv", 0.5}, {"bcast_as_scatter_allgather", 0.7}})};
  Tuner tuner({}, {.message_bytes = 100, .int_bytes = 63});
  CHECK(tuner.improve(settings));
  CHECK(chosen(tuner, 0) == "bcast_as_scatter_allgather");
  REQUIRE(tuner.omitted().size() == 1);
  CHECK(tuner.omitted()[0].why == "needs 64 B for count vectors, but the buffer has 63 B");
}

TEST_CASE("choices never form a cycle: the one with the smallest gain is omitted") {
  const std::vector<Setting> settings{
      setting_of("allreduce", 64,
                 {{"allreduce_as_reduce_bcast", 0.5},
                  {"allreduce_as_reducescatterblock_allgather", 0.85}}),
      setting_of("reduce", 32, {{"reduce_as_allreduce", 0.4}}),
      setting_of("reduce", 64, {{"reduce_as_allreduce", 0.4}})};
  Tuner tuner({}, {});
  CHECK(tuner.improve(settings));
  CHECK(chosen(tuner, 0) == "allreduce_as_reducescatterblock_allgather");
  CHECK(chosen(tuner, 1) == "reduce_as_allreduce");
  CHECK(chosen(tuner, 2) == "reduce_as_allreduce");
  REQUIRE(tuner.omitted().size() == 1);
  CHECK(tuner.omitted()[0].setting == 0);
  CHECK(tuner.omitted()[0].why == "its calls form a cycle with reduce_as_allreduce");
  CHECK_FALSE(tuner.improve(settings));  // it does not return
}

TEST_CASE("a study of profiles runs without a command") {
  const auto on = platforms::load_machine("crill", {}).value();
  TuningSpec spec;
  spec.spec.collectives = {"gather"};
  spec.spec.mockups = algorithms::guidelines::find_mockups("gather");
  spec.spec.procs = {8};
  spec.spec.message_bytes = {64};
  spec.spec.selection = std::make_shared<const algorithms::selection::Selection>();
  spec.spec.common.engine = engines::EngineKind::flow;
  spec.parameters = {.segment_bytes = {0}, .fanouts = {2}, .max_requests = {}};
  auto settings = make_settings(spec.spec, on).value();
  REQUIRE(settings.size() == 1);
  const auto found = tune(spec, on, settings, studies::quiet_runner({.jobs = 2}));
  REQUIRE(bool(found));
  CHECK(found->last_run.code == 0);
  REQUIRE(found->tuned.size() == 1);
  CHECK(found->tuned[0].default_s > 0);
  CHECK(found->tuned[0].tuned_s <= found->tuned[0].default_s);
  CHECK(found->tuned[0].parameters_s.value() > 0);
}
