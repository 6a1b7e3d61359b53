// SPDX-License-Identifier: BSD-3-Clause
// The error that a sample of cycles estimates for itself; tests/slow/io_sampling_coverage_test.cpp
// draws more and larger jobs.
#include <doctest/doctest.h>

#include "io_models/extrapolation.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/sampled_jobs.hpp"

using namespace tutti;
using io_models::CycleChoice;
using io_models::CycleMethod;
using io_models::sampled_time;
using tests::close_to;
using tests::exactly;

namespace {

// Three windows of four of 100 cycles.
const CycleChoice three_windows{CycleMethod::sampled, {{0, 28, 4}, {48, 46, 4}, {96, 26, 4}}, 100};

// End times by step, with the given seconds per cycle in each window.
std::vector<Seconds> ends_s(std::vector<Seconds> paces_s) {
  std::vector<Seconds> ends_s;
  Seconds now_s = 0;
  for (const Seconds pace_s : paces_s)
    for (int i = 0; i < 4; ++i) ends_s.push_back(now_s += pace_s);
  return ends_s;
}

}  // namespace

TEST_CASE("windows of equal pace predict the time of all cycles, with the minimum error") {
  const auto reported = sampled_time(three_windows, {ends_s({2, 2, 2}), 24});
  CHECK(reported.end_s == exactly(200));
  CHECK(reported.error > 0.02);
  CHECK(reported.error < 0.05);
}

TEST_CASE("start-up and the last cycle count once") {
  auto ends = ends_s({2, 2, 2});
  for (Seconds& each : ends) each += 7;  // before the end of the first cycle
  ends.back() += 5;                      // the last cycle
  CHECK(sampled_time(three_windows, {ends, ends.back() + 1}).end_s == exactly(200 + 7 + 5 + 1));
}

TEST_CASE("windows that differ, drift or follow a trend raise the error") {
  const double floor = sampled_time(three_windows, {ends_s({2, 2, 2}), 24}).error;
  const double differ = sampled_time(three_windows, {ends_s({2, 2, 3}), 28}).error;
  CHECK(differ > 0.2);
  auto drift = ends_s({2, 2, 2});  // each window's first cycles are slower
  for (std::size_t i = 5; i < drift.size(); ++i) drift[i] += i < 9 ? 1 : 2;
  CHECK(sampled_time(three_windows, {drift, drift.back()}).error > 5 * floor);
  const double of_few_sources = sampled_time(three_windows, {ends_s({2, 2, 3}), 28, true}).error;
  CHECK(of_few_sources == close_to(2.2 * differ, 1e-12));
}

TEST_CASE("the full time of most random jobs is within twice the sample's error") {
  tests::SampledJobs random(7,
                            {.most_procs = 500, .least_messages = 3000, .most_messages = 12'000});
  int covered = 0;
  for (int i = 0; i < 20; ++i) {
    const tests::SampledJob job = random.next();
    covered += job.is_covered();
    if (!job.is_covered()) MESSAGE(job.name, ": ", job.error(), " of ", job.estimate);
  }
  CHECK(covered >= 18);
}
