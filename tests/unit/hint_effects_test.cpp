// SPDX-License-Identifier: BSD-3-Clause
#include "sim/tune/hint_effects.hpp"

#include <doctest/doctest.h>

#include "sim/studies/study_points.hpp"
#include "sim/tune/tune_job.hpp"
#include "tests/support/close_to.hpp"

using namespace tutti;
using namespace tutti::studies::tuning;

namespace {

// The times of a write with cb_nodes 1 (before) or 2, and cb_buffer_size 1 MiB (before) or 4 MiB.
struct Times {
  std::optional<double> before, nodes, buffer, both;
  double error = 0;
};

HintFindings found_with(const Times& times, bool keeps_all = false) {
  auto file = read_tune_file(R"([base]
workload = "write"
platform = "crill"
procs = 4
ppn = 1
implementation = "romio"
bytes_per_proc = "16MiB"
storage = "targets=4,bandwidth=100MBps"
[[parameter]]
name = "cb_nodes"
values = [1, 2]
[[parameter]]
name = "cb_buffer_size"
values = ["1MiB", "4MiB"]
[search]
method = "brute-force"
)",
                             "t.toml", studies::study_options());
  REQUIRE(bool(file));
  REQUIRE(complete(*file).empty());
  TuneRun tuning(*file, [&](const std::vector<jobs::StudyPoint>& points) {
    studies::PointsRun run;
    for (const auto& point : points) {
      const bool has_nodes = number_of(cell_in(point.parameters, "aggregators")) == 2;
      const bool has_buffer = number_of(cell_in(point.parameters, "buffer_bytes")) == 4 << 20;
      const auto& time_s = has_nodes ? (has_buffer ? times.both : times.nodes)
                                     : (has_buffer ? times.buffer : times.before);
      if (time_s)
        run.answers.push_back(Row{{"time_s", *time_s}, {"sampling_error", times.error}});
      else
        run.answers.emplace_back();
    }
    return run;
  });
  REQUIRE(tuning.prepare().empty());
  auto found = tune_hints(tuning, *file, keeps_all);
  REQUIRE(bool(found));
  return *std::move(found);
}

const HintEffect& effect_on(const HintFindings& found, std::string_view name) {
  return *std::ranges::find(found.effects, name, &HintEffect::name);
}

}  // namespace

TEST_CASE("hints that matter only together are not both set back") {
  const auto found = found_with({.before = 10, .nodes = 5.01, .buffer = 5.02, .both = 5});
  CHECK(found.after == Combination{1, 0});
  CHECK(found.idle_alone == std::vector<std::string>{"cb_nodes", "cb_buffer_size"});
  CHECK(found.kept_together == std::vector<std::string>{"cb_nodes"});
  CHECK(effect_on(found, "cb_nodes").matters);
  const auto all = found_with({.before = 10, .nodes = 5.01, .buffer = 5.02, .both = 5}, true);
  CHECK(all.after == Combination{1, 1});
  CHECK(all.kept_together.size() == 2);
  CHECK_FALSE(effect_on(all, "cb_nodes").matters);
}

TEST_CASE("hints without an effect together are set back at once") {
  const auto found = found_with({.before = 5.02, .nodes = 5.01, .buffer = 5.01, .both = 5});
  CHECK(found.after == Combination{0, 0});
  CHECK(found.idle_alone.empty());
}

TEST_CASE("a change matters only beyond the sampling errors of both times") {
  Times times{.before = 1.05, .nodes = 1, .buffer = 1.05, .both = 1};
  CHECK(found_with(times).after == Combination{1, 0});
  times.error = 0.02;
  CHECK(found_with(times).after == Combination{1, 0});
  times.error = 0.03;
  const auto found = found_with(times);
  CHECK(found.after == Combination{0, 0});
  CHECK(effect_on(found, "cb_nodes").limit == tests::close_to(0.06, 1e-9));
  CHECK(found.before_error == 0.03);
}

TEST_CASE("a hint matters by being set back, not by other values of an unchanged one") {
  const auto found = found_with({.before = 10, .nodes = 5, .buffer = 20, .both = 9});
  const auto& buffer = effect_on(found, "cb_buffer_size");
  CHECK_FALSE(buffer.matters);
  CHECK(buffer.is_sensitive);
  CHECK_FALSE(buffer.set_back);
  CHECK(effect_on(found, "cb_nodes").set_back.value() == tests::close_to(1, 1e-9));
}

TEST_CASE("a hint whose setting back fails is the first one, with an unknown effect") {
  const auto found = found_with({.before = 10, .nodes = 7, .buffer = {}, .both = 5});
  REQUIRE(found.after == Combination{1, 1});
  CHECK(found.effects.front().name == "cb_nodes");
  CHECK(found.effects.front().is_unknown());
  CHECK_FALSE(found.effects.front().set_back);
  CHECK(found.failed_combinations == 1);
  CHECK(found.failed_simulations == 1);
  CHECK(found.effects.back().set_back.value() == tests::close_to(0.4, 1e-9));
}

TEST_CASE("hints whose other values fail keep their values, with an unknown effect") {
  for (const bool keeps_all : {false, true}) {
    const auto found = found_with({.before = 10, .nodes = {}, .buffer = {}, .both = {}}, keeps_all);
    CHECK(found.after == Combination{0, 0});
    CHECK(found.after_s == 10);
    for (const auto& effect : found.effects) {
      CHECK_FALSE(effect.is_changed);
      CHECK_FALSE(effect.worst);
      CHECK(effect.is_unknown());
      CHECK_FALSE(effect.matters);
    }
  }
}

TEST_CASE("the reasons of a combination are not those of an earlier one") {
  auto file = read_tune_file(R"([base]
workload = "write"
platform = "crill"
procs = 4
storage = "targets=4,bandwidth=100MBps"
[[parameter]]
name = "cb_nodes"
values = [64, 128]
)",
                             "t.toml", studies::study_options());
  REQUIRE(bool(file));
  TuneJob job(*file, file->objectives.front());
  for (const std::uint32_t value : {0U, 1U}) {
    const auto points = job.points({value});
    REQUIRE_FALSE(points);
    CHECK(points.error().message.find(value == 0 ? "64 aggregators" : "128 aggregators") !=
          std::string::npos);
  }
}
