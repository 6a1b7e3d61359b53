// SPDX-License-Identifier: BSD-3-Clause
#include "sim/select/model_choice.hpp"

#include <doctest/doctest.h>

#include "platforms/reader.hpp"

using namespace tutti;
using namespace tutti::studies;
using namespace tutti::studies::select;

namespace {

AlgorithmModel model(const std::string& algorithm, Seconds alpha_s) {
  AlgorithmModel made{.collective = "bcast", .algorithm = algorithm};
  made.of_procs = {{.procs = 8, .classes = {{.alpha_s = alpha_s}}, .samples = 3}};
  made.of_procs[0].range.add(8192, 0);
  return made;
}

ModelChoiceSpec spec() {
  ModelChoiceSpec made;
  made.file.ppn = 1;
  made.models = {model("binomial", 2e-6), model("basic_linear", 1e-6)};
  made.file.models = made.models;
  made.collectives = {"bcast"};
  made.job.procs = {8};
  made.job.ppn = {1};
  made.job.message_bytes = {8192};
  made.job.common.engine = engines::EngineKind::flow;
  return made;
}

}  // namespace

TEST_CASE("a study of the models' choices runs without a command") {
  const auto on = platforms::load_machine("crill", {}).value();
  const auto plan = plan_choices(spec(), on, false);
  REQUIRE(bool(plan));
  REQUIRE(plan->settings.size() == 1);
  CHECK(plan->settings[0].cell.libraries[0].rules == "ompi-3.1");
  CHECK(plan->experiments.size() <= 4);  // each different call once

  const auto found = model_choices(spec(), *plan, on, quiet_runner({.jobs = 2}));
  REQUIRE(found.cells.size() == 1);
  const auto& cell = found.cells.front();
  CHECK(cell.ppn == 1);
  REQUIRE(cell.candidates.size() == 2);
  CHECK(cell.candidates[0].name == "binomial");
  for (const auto& each : cell.candidates) CHECK(each.simulated.value().mean_s > 0);
  const auto choices = choices_in(cell);
  CHECK(choices[0].chooser == "best");
  CHECK(choices[0].loss.value() == 0);
  CHECK(choices[1].chooser == "models");
  CHECK(choices[1].time_s.value() >= *choices[0].time_s);
}

TEST_CASE("errors of a study of the models' choices precede its simulations") {
  const auto on = platforms::load_machine("crill", {}).value();
  auto requested = spec();
  requested.job.procs = {17};
  CHECK(plan_choices(requested, on, false).error().place == "--procs");
  requested = spec();
  requested.models.clear();
  CHECK(plan_choices(requested, on, false).error().message ==
        "leave no call that runs without falling back");
}
